//===- RowPlacement.cpp - How rows of loaded tiles lie in memory ----------===//
//
// Says by what reads a loaded tile whether its rows lie in chunks, as wgmma
// reads them, which of its dimensions are the rows of one matrix, and for how
// many rows there is room. Checks and obeys what attributes say of it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/MemoryLayoutAttr.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

/// Returns true if an operator gives a tile's rows other indices and leaves
/// their elements together, and if dimensions of rows begin at multiples of the
/// rows that are swizzled together.
static bool regroupsRows(ComputeOpInterface op) {
  if (op.getOpKind() != OpKind::Reshape)
    return false;
  // Dimensions of a result that stand before those of its rows do not begin
  // inside of a piece; those of size one are nowhere.
  auto isWhole = [](Value value, bool isResult) {
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    if (shape.size() < 2)
      return false;
    int64_t inner = 1;
    for (size_t dim = shape.size() - 1; dim-- > 0; inner *= shape[dim]) {
      bool isRow = inner == 1 && (!isResult || dim + 2 == shape.size());
      if (shape[dim] > 1 && !isRow && inner % MemoryLayout::piece)
        return false;
    }
    return true;
  };
  Value operand = op->getOperand(0), result = op->getResult(0);
  return isWhole(operand, /*isResult=*/false) &&
         isWhole(result, /*isResult=*/true) &&
         cast<RankedTensorType>(operand.getType()).getShape().back() ==
             cast<RankedTensorType>(result.getType()).getShape().back();
}

/// Calls `visit` for the layout operators that read a load, or what pads it.
static void
forEachLayoutOf(block::LoadOp load,
                llvm::function_ref<void(ComputeOpInterface)> visit) {
  SmallVector<Operation *> users(load->getUsers());
  for (unsigned i = 0; i < users.size(); ++i)
    if (getPaddedLoad(users[i]) == load)
      llvm::append_range(users, users[i]->getUsers());
    else if (auto compute = dyn_cast<ComputeOpInterface>(users[i]);
             compute &&
             getOpInfo(compute.getOpKind()).opClass == OpClass::Layout)
      visit(compute);
}

RowPlacement mirage::getRowPlacement(block::LoadOp load) {
  RowPlacement placement = RowPlacement::Chunked;
  forEachLayoutOf(load, [&](ComputeOpInterface op) {
    if (!regroupsRows(op))
      placement = RowPlacement::Padded;
  });
  return placement;
}

RowSteps mirage::getRowSteps(block::LoadOp load,
                             const LaunchSchedule &schedule) {
  RowSteps steps;
  auto tile = cast<RankedTensorType>(load.getResult().getType());
  auto tensor = cast<RankedTensorType>(load.getSource().getType());
  steps.fewTiles = tile.getRank() > 0 &&
                   2 * tile.getShape().back() >= tensor.getShape().back();
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : load->getUses()) {
    uses.push_back(&use);
    if (getPaddedLoad(use.getOwner()) == load)
      for (OpOperand &next : use.getOwner()->getUses())
        uses.push_back(&next);
  }
  for (OpOperand *use : uses) {
    Operation *product = use->getOwner();
    if (!isMatmul(product) || !isWarpgroupProduct(product, schedule))
      continue;
    bool isExchanged = isExchangedProduct(product, schedule);
    OpAttributes attrs = cast<ComputeOpInterface>(product).getOpAttributes();
    if ((use->getOperandNumber() < product->getNumOperands() / 2) ==
        isExchanged) {
      steps.fillsChunks |=
          isExchanged ? attrs.transposeLhs : !attrs.transposeRhs;
      continue;
    }
    bool rowsAreInner = isExchanged ? !attrs.transposeRhs : attrs.transposeLhs;
    (rowsAreInner ? steps.columns : steps.rows) =
        MatrixInstruction::rows *
        (isExchanged ? schedule.columnWarps : schedule.rowWarps);
  }
  return steps;
}

size_t mirage::getNumRowDims(block::LoadOp load) {
  auto shape = cast<RankedTensorType>(load.getResult().getType()).getShape();
  size_t number = 1;
  // Each matrix of a product begins with a piece. Other tiles need no room for
  // rows that they do not have.
  auto isOfProduct = [](Operation *user) { return isMatmul(user); };
  if (llvm::none_of(load->getUsers(), isOfProduct))
    while (number + 1 < shape.size() && shape[shape.size() - 1 - number] == 1)
      ++number;
  forEachLayoutOf(load, [&](ComputeOpInterface) { number = shape.size() - 1; });
  return std::max<size_t>(number, 1);
}

RowRequest::RowRequest(RowPlacement rule, Value value, const RowSteps &steps)
    : rule(rule), value(value), steps(steps) {
  if (Operation *definition = value.getDefiningOp())
    wanted = getWantedRows(definition);
}

RowRequest mirage::getRowRequest(block::LoadOp load,
                                 const LaunchSchedule &schedule) {
  RowRequest request(getRowPlacement(load), load.getResult(),
                     getRowSteps(load, schedule));
  request.rowDims = getNumRowDims(load);
  return request;
}

std::optional<RowLayout> mirage::getWantedRows(Operation *op) {
  auto rows = op->getAttrOfType<StringAttr>(thread::memoryLayoutAttrName);
  return rows ? RowLayout::parse(rows.getValue()) : std::nullopt;
}

/// Returns the elements of a chunk for rows of so many, of which `chunk` is the
/// widest that divides them. What threads copy comes by requests to the L2
/// cache for what lies together in both memories: for 32 bytes at a time to
/// chunks of 16 elements. So the last one of wider chunks has a part of its
/// elements, where that leaves no more than a quarter of the room empty. The
/// copy engine makes a request for each row of a chunk, and about one in a
/// nanosecond for all rows of a multiprocessor, so that half of the room may be
/// empty where it brings fewer chunks for that and little in vain.
static int64_t widenChunk(int64_t chunk, int64_t inner,
                          const LaunchSchedule &schedule,
                          const RowSteps &steps) {
  bool isBulk = schedule.bulkCopies;
  if (isBulk ? !steps.fewTiles : chunk > WarpgroupInstruction::narrowestChunk)
    return chunk;
  for (int64_t wide = widestChunk; wide > chunk; wide /= 2) {
    auto room = static_cast<int64_t>(llvm::alignTo(inner, wide));
    bool hasRoom = isBulk ? room <= 2 * inner : 3 * room <= 4 * inner;
    if (hasRoom &&
        llvm::divideCeil(inner, wide) < llvm::divideCeil(inner, chunk))
      return wide;
  }
  return chunk;
}

RowLayout mirage::chooseRows(const RowRequest &request, ShapeRef shape,
                             int64_t elementBytes,
                             const LaunchSchedule &schedule) {
  if (request.wanted)
    return *request.wanted;
  if (request.rule == RowPlacement::Dense)
    return RowLayout::dense();
  // wgmma reads such rows, and the copy engine brings them.
  int64_t chunk = widestChunk;
  while (chunk > WarpgroupInstruction::narrowestChunk && !shape.empty() &&
         shape.back() % chunk)
    chunk /= 2;
  if (request.rule == RowPlacement::Chunked &&
      (schedule.usesWgmma || schedule.bulkCopies) &&
      canLieIn(RowLayout::chunks(chunk), shape, elementBytes, request.steps)) {
    int64_t inner = static_cast<int64_t>(
        llvm::alignTo(shape.back(), WarpgroupInstruction::narrowestChunk));
    return RowLayout::chunks(widenChunk(chunk, inner, schedule, request.steps));
  }
  return RowLayout::gaps(getGap(shape, elementBytes));
}

LogicalResult mirage::checkWantedRows(kernel::LaunchOp launch,
                                      const LaunchSchedule &schedule) {
  LogicalResult checked = success();
  launch.getBody().walk([&](Operation *op) {
    std::optional<RowLayout> wanted = getWantedRows(op);
    if (!wanted)
      return;
    auto load = dyn_cast<block::LoadOp>(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    RowSteps steps;
    Shape shape(type.getShape());
    if (load) {
      steps = getRowSteps(load, schedule);
      shape = getStoredShape(load);
    }
    shape.insert(shape.begin(), 1);
    if (!canLieIn(*wanted, shape, type.getElementTypeBitWidth() / 8, steps)) {
      checked = op->emitOpError("cannot lie in shared memory in '")
                << wanted->str()
                << "', which are rows of elements of 16 bits that the width of "
                   "the narrowest chunk, "
                << WarpgroupInstruction::narrowestChunk
                << ", divides (schedule_c18)";
      return;
    }
    if (wanted->chunk)
      return;
    for (OpOperand &use : op->getUses()) {
      Operation *product = use.getOwner();
      if (!isMatmul(product) || !isWarpgroupProduct(product, schedule))
        continue;
      bool isLeft = use.getOperandNumber() < product->getNumOperands() / 2;
      if (isLeft == isExchangedProduct(product, schedule)) {
        checked = op->emitOpError("cannot lie in shared memory in '")
                  << wanted->str()
                  << "', as wgmma takes it as its right operand and reads "
                     "chunks (schedule_c18)";
        return;
      }
    }
  });
  return checked;
}
