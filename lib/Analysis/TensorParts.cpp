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

std::optional<TensorParts> mirage::findJoinedParts(Operation *op) {
  auto concat = dyn_cast_or_null<kernel::ConcatOp>(op);
  if (!concat || op->getNumOperands() < 2 ||
      op->getNumOperands() > kMostSelectedParts ||
      !llvm::all_equal(op->getOperandTypes()))
    return std::nullopt;
  TensorParts parts;
  parts.dim = cast<ComputeOpInterface>(op).getOpAttributes().dim;
  parts.size = getTensorType(op->getOperand(0)).getDimSize(parts.dim);
  parts.parts.assign(op->operand_begin(), op->operand_end());
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

std::optional<TensorParts> mirage::findLoadedParts(BlockArgument argument) {
  auto launch = dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp());
  if (!launch)
    return std::nullopt;
  unsigned operand = argument.getArgNumber();
  std::optional<TensorParts> parts =
      findJoinedParts(launch->getOperand(operand).getDefiningOp());
  if (!parts || !loadsPartsAlone(launch, operand, *parts))
    return std::nullopt;
  return parts;
}
