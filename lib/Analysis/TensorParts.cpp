//===- TensorParts.cpp - Tensors in parts of equal size -------------------===//
//
// Compares the parts of tensors with each other and with the tiles of launches.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/TensorParts.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Semantics/Windows.h"

using namespace mlir;
using namespace mirage;

static RankedTensorType getTensorType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// Returns true if a tensor is an argument of a function with its last two
/// dimensions exchanged, under other shapes before and after that which keep
/// these two.
static bool isExchangedArgument(Value tensor) {
  bool isExchanged = false;
  while (Operation *op = tensor.getDefiningOp()) {
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || op->getNumOperands() != 1)
      return false;
    Value operand = op->getOperand(0);
    ArrayRef<int64_t> from = getTensorType(operand).getShape(),
                      to = getTensorType(tensor).getShape();
    OpAttributes attributes = compute.getOpAttributes();
    if (keepsOrder(compute.getOpKind(), attributes, from)) {
      if (from.size() < 2 || to.size() < 2 ||
          from.take_back(2) != to.take_back(2))
        return false;
    } else if (compute.getOpKind() == OpKind::Transpose && !isExchanged &&
               exchangesLastDims(attributes.permutation)) {
      isExchanged = true;
    } else {
      return false;
    }
    tensor = operand;
  }
  return isExchanged;
}

std::optional<TensorParts> mirage::findJoinedParts(Operation *op) {
  auto concat = dyn_cast_or_null<kernel::ConcatOp>(op);
  if (!concat || op->getNumOperands() < 2 ||
      op->getNumOperands() > kMostSelectedParts ||
      !llvm::all_equal(op->getOperandTypes()))
    return std::nullopt;
  TensorParts parts;
  parts.dim = cast<ComputeOpInterface>(op).getOpAttributes().dim;
  RankedTensorType type = getTensorType(op->getOperand(0));
  parts.size = type.getDimSize(parts.dim);
  parts.parts.assign(op->operand_begin(), op->operand_end());
  // What tells parts apart is none of the dimensions that are exchanged.
  if (parts.dim + 2 < type.getRank() &&
      llvm::any_of(parts.parts, isExchangedArgument))
    for (Value part : parts.parts)
      parts.areExchanged.push_back(isExchangedArgument(part));
  return parts;
}

std::optional<TensorParts> mirage::findSlicedParts(Value tensor) {
  constexpr auto mostParts = static_cast<int64_t>(kMostSelectedParts);
  ArrayRef<int64_t> shape = getTensorType(tensor).getShape();
  std::optional<TensorParts> parts;
  for (Operation *user : tensor.getUsers()) {
    auto slice = dyn_cast<kernel::SliceOp>(user);
    if (!slice)
      return std::nullopt;
    OpAttributes attributes = cast<ComputeOpInterface>(user).getOpAttributes();
    std::optional<size_t> along;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (attributes.strides[dim] != 1)
        return std::nullopt;
      if (attributes.sizes[dim] == size)
        continue;
      if (along)
        return std::nullopt;
      along = dim;
    }
    if (!along)
      return std::nullopt;
    int64_t size = attributes.sizes[*along];
    if (!parts) {
      if (shape[*along] % size || shape[*along] / size > mostParts)
        return std::nullopt;
      parts.emplace();
      parts->dim = static_cast<int64_t>(*along);
      parts->size = size;
      parts->parts.resize(shape[*along] / size);
    }
    int64_t offset = attributes.offsets[*along];
    if (parts->dim != static_cast<int64_t>(*along) || parts->size != size ||
        offset % size || parts->parts[offset / size])
      return std::nullopt;
    parts->parts[offset / size] = slice->getResult(0);
  }
  if (!parts || llvm::is_contained(parts->parts, Value()))
    return std::nullopt;
  return parts;
}

bool mirage::loadsPartsAlone(kernel::LaunchOp launch, unsigned operand,
                             const TensorParts &parts) {
  Value argument = launch.getBody().front().getArgument(operand);
  return llvm::all_of(argument.getUsers(), [&](Operation *reader) {
    auto load = dyn_cast<block::LoadOp>(reader);
    return load &&
           parts.size % getTensorType(load.getResult()).getDimSize(parts.dim) ==
               0;
  });
}

bool mirage::storesPartsAlone(kernel::LaunchOp launch, unsigned result,
                              const TensorParts &parts) {
  Value stored = launch.getBody().front().getTerminator()->getOperand(result);
  auto store = stored.getDefiningOp<block::StoreOp>();
  return store &&
         parts.size % getTensorType(store.getValue()).getDimSize(parts.dim) ==
             0;
}

bool mirage::choosesOrderByBlock(kernel::LaunchOp launch, unsigned operand,
                                 const TensorParts &parts) {
  if (parts.areExchanged.empty())
    return true;
  if (auto schedule = launch->getAttrOfType<ScheduleAttr>(
          MirageDialect::getScheduleAttrName()))
    if (schedule.getLoaderWarps() > 0 || schedule.getClusterBlocks() > 1 ||
        schedule.getPersistentBlocks() > 0 || schedule.getIndexMasks() ||
        schedule.getProductSums() || schedule.getKeptTiles())
      return false;
  for (auto [number, other] : llvm::enumerate(launch->getOperands())) {
    std::optional<TensorParts> joined =
        number == operand ? std::nullopt
                          : findJoinedParts(other.getDefiningOp());
    if (joined && !joined->areExchanged.empty())
      return false;
  }
  // All tiles of a block lie in one part.
  BlockArgument argument = launch.getBody().front().getArgument(operand);
  block::LoadOp first;
  for (Operation *reader : argument.getUsers()) {
    auto load = dyn_cast<block::LoadOp>(reader);
    if (!load || llvm::is_contained(load.getFmap(), parts.dim))
      return false;
    first = first ? first : load;
    auto isAlike = [&](auto entries) {
      auto [own, other] = entries;
      return (own == parts.dim) == (other == parts.dim);
    };
    if (!llvm::all_of(llvm::zip(first.getImap(), load.getImap()), isAlike))
      return false;
  }
  return first != nullptr;
}

std::optional<TensorParts> mirage::findLoadedParts(BlockArgument argument) {
  auto launch = dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp());
  if (!launch)
    return std::nullopt;
  unsigned operand = argument.getArgNumber();
  std::optional<TensorParts> parts =
      findJoinedParts(launch->getOperand(operand).getDefiningOp());
  if (!parts || !loadsPartsAlone(launch, operand, *parts) ||
      !choosesOrderByBlock(launch, operand, *parts))
    return std::nullopt;
  return parts;
}

std::optional<unsigned> mirage::findOperandInOrders(kernel::LaunchOp launch) {
  for (BlockArgument argument : launch.getBody().front().getArguments())
    if (std::optional<TensorParts> parts = findLoadedParts(argument);
        parts && !parts->areExchanged.empty())
      return argument.getArgNumber();
  return std::nullopt;
}

/// Returns the type of a tensor with its last two dimensions exchanged.
static RankedTensorType exchange(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape.rbegin()[0], shape.rbegin()[1]);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns a tile with its last two dimensions exchanged.
static Value exchange(OpBuilder &builder, Value tile) {
  RankedTensorType type = getTensorType(tile);
  OpAttributes attributes;
  attributes.permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(attributes.permutation.rbegin()[0],
            attributes.permutation.rbegin()[1]);
  return createComputeOp(builder, tile.getLoc(), Level::Block,
                         OpKind::Transpose, attributes, tile,
                         type.getElementType())
      ->getResult(0);
}

void mirage::exchangeLoadedDims(BlockArgument argument) {
  RankedTensorType type = getTensorType(argument);
  int64_t rank = type.getRank();
  auto exchangeEntries = [&](ArrayRef<int64_t> map) {
    return llvm::map_to_vector(map, [&](int64_t dim) {
      return dim == rank - 1 ? rank - 2 : dim == rank - 2 ? rank - 1 : dim;
    });
  };
  argument.setType(exchange(type));
  for (Operation *reader : llvm::to_vector(argument.getUsers())) {
    auto load = cast<block::LoadOp>(reader);
    load.setImap(exchangeEntries(load.getImap()));
    load.setFmap(exchangeEntries(load.getFmap()));
    Value tile = load.getResult();
    RankedTensorType own = getTensorType(tile);
    tile.setType(exchange(own));
    OpBuilder builder(reader->getContext());
    // Products take tiles from where transposes take them, if nothing stands
    // between.
    Value straight;
    for (OpOperand &use : llvm::make_early_inc_range(tile.getUses())) {
      Operation *user = use.getOwner();
      builder.setInsertionPoint(user);
      if (isa<block::ReshapeOp>(user) &&
          getTensorType(user->getResult(0)).getRank() >= 2 &&
          getTensorType(user->getResult(0)).getShape().take_back(2) ==
              own.getShape().take_back(2)) {
        OpAttributes attributes;
        RankedTensorType to = exchange(getTensorType(user->getResult(0)));
        attributes.resultShape.assign(to.getShape().begin(),
                                      to.getShape().end());
        Value reshaped = createComputeOp(builder, user->getLoc(), Level::Block,
                                         OpKind::Reshape, attributes, tile,
                                         to.getElementType())
                             ->getResult(0);
        user->getResult(0).replaceAllUsesWith(exchange(builder, reshaped));
        user->erase();
        continue;
      }
      if (!straight) {
        builder.setInsertionPointAfterValue(tile);
        straight = exchange(builder, tile);
      }
      if (user != straight.getDefiningOp())
        use.set(straight);
    }
  }
}
