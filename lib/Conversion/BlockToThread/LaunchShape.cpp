//===- LaunchShape.cpp - What a schedule depends on -----------------------===//
//
// Counts tiles, loops and products of a launch.
//
//===----------------------------------------------------------------------===//

#include "LaunchShape.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Schedule/RegisterLayout.h"
#include "ScheduledLaunch.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

/// Returns true if a value comes from a product by way of operators that stay
/// in registers.
static bool comesFromProduct(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isMatmul(op))
    return true;
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute &&
         (getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise ||
          compute.getOpKind() == OpKind::Pad ||
          compute.getOpKind() == OpKind::Reshape) &&
         llvm::any_of(op->getOperands(), comesFromProduct);
}

LaunchShape mirage::describeLaunch(kernel::LaunchOp launch) {
  LaunchShape shape;
  bool hasMatrixProduct = false;
  int64_t addedUp = 0;
  for (int64_t extent : launch.getGrid())
    shape.blocks *= extent;
  launch.getBody().walk([&](Operation *op) {
    shape.loops += isa<block::ForOp>(op);
    if (auto loop = dyn_cast<block::ForOp>(op)) {
      shape.trips = std::max<int64_t>(shape.trips, loop.getExtent());
      shape.commonTrips =
          std::gcd<int64_t>(shape.commonTrips, loop.getExtent());
      shape.innerLoops += isa<block::ForOp>(loop->getParentOp());
    }
    for (Value result : op->getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(result.getType());
          tensor && !isa<block::StoreOp, block::AccumulateOp>(op) &&
          !getStoredByIterations(result))
        shape.elements = std::max(shape.elements, tensor.getNumElements());
    if (auto compute = dyn_cast<ComputeOpInterface>(op);
        compute &&
        getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise)
      shape.computedElements = std::max(
          shape.computedElements,
          cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
    if (auto compute = dyn_cast<ComputeOpInterface>(op);
        compute && getOpInfo(compute.getOpKind()).exponentials > 0)
      shape.exponentialElements = std::max(
          shape.exponentialElements,
          cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op);
        accumulate && accumulate.getKind() == AccumulateKind::Concat) {
      OpOperand &use = *accumulate.getResult().use_begin();
      bool isStored = getStoredByIterations(
          op->getParentOp()->getResult(use.getOperandNumber()));
      shape.joinsTiles |= !isStored;
      shape.storesTiles |= isStored;
      auto tile = cast<RankedTensorType>(accumulate.getValue().getType());
      constexpr int64_t run = 8;
      shape.storesWholeRows &=
          tile.getShape().back() % (RegisterLayout::kWarpSize * run) == 0;
    }
    if (auto reduce = dyn_cast<block::ReduceOp>(op))
      shape.rowsStayTogether |= comesFromProduct(reduce.getInput());
    if (!isMatmul(op))
      return;
    hasMatrixProduct |= !isLaneProduct(op);
    for (Value lhs : op->getOperands().take_front(op->getNumOperands() / 2))
      shape.rowsStayTogether |= comesFromProduct(lhs);
    ArrayRef<int64_t> result =
        cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    int64_t rows =
        llvm::divideCeil(result.rbegin()[1], MatrixInstruction::rows);
    int64_t columns =
        llvm::divideCeil(result.rbegin()[0], MatrixInstruction::columns);
    shape.rowParts = std::max(shape.rowParts, rows);
    shape.columnParts = std::max(shape.columnParts, columns);
    shape.parts = std::max(shape.parts, rows * columns);
    int64_t own =
        rows * columns * MatrixInstruction::rows * MatrixInstruction::columns;
    shape.sums = std::max(shape.sums, own);
    shape.allSums += own;
    if (getFusedAccumulator(op))
      addedUp += own;
    shape.commonRowParts = std::gcd(shape.commonRowParts, rows);
    shape.rowsFill &= fillsWarpgroups(result.rbegin()[1]);
    shape.columnsFill &= fillsWarpgroups(result.rbegin()[0]);
    auto getElements = [](int64_t numRows, int64_t numColumns) {
      return static_cast<int64_t>(
          llvm::alignTo(numRows, WarpgroupInstruction::rows) *
          llvm::alignTo(numColumns, WarpgroupInstruction::columnStep));
    };
    shape.straightElements +=
        getElements(result.rbegin()[1], result.rbegin()[0]);
    shape.exchangedElements +=
        getElements(result.rbegin()[0], result.rbegin()[1]);
  });
  shape.sums = std::max(shape.sums, addedUp);
  shape.hasLaneProducts = shape.rowParts > 0 && !hasMatrixProduct;
  return shape;
}
