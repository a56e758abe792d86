//===- RowPlacement.cpp - How rows of loaded tiles lie in memory ----------===//
//
// Says by what reads a loaded tile whether its rows lie in chunks, as wgmma
// reads them, which of its dimensions are the rows of one matrix, and for how
// many rows there is room.
//
//===----------------------------------------------------------------------===//

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
