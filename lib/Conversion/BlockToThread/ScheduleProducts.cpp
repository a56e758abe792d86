//===- ScheduleProducts.cpp - Loops for which the copy engine loads -------===//
//
// Has the rules by which the copy engine brings the tiles of products for a
// single warpgroup of rows, and of loops with few iterations. The measurements
// behind them are in docs/performance/scheduled-kernels.md.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "ScheduleChooser.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

bool ScheduleChooser::isLongProduct() const {
  constexpr int64_t leastTrips = 16, leastDepth = 128, leastColumns = 64;
  if (shape.rowsStayTogether || schedule.rowWarps != warpgroup ||
      schedule.columnWarps != 1 || shape.trips < leastTrips)
    return false;
  // Shorter products take less than the waits for their tiles.
  return !kernel::LaunchOp(launch)
              .getBody()
              .walk([&](Operation *op) {
                if (!isMatmul(op))
                  return WalkResult::advance();
                auto lhs = cast<RankedTensorType>(op->getOperand(0).getType());
                auto result =
                    cast<RankedTensorType>(op->getResult(0).getType());
                size_t depth = getContractedDim(
                    cast<ComputeOpInterface>(op).getOpAttributes(),
                    ProductOperand::Lhs, lhs.getRank());
                return lhs.getDimSize(depth) < leastDepth ||
                               result.getShape().back() < leastColumns
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

int64_t ScheduleChooser::getLeastTrips() const {
  // Blocks of a cluster that share the keys of attention have few wide
  // iterations each, all of which are on their way from the beginning.
  bool isShared =
      limits.isWide && schedule.clusterBlocks > 1 && shape.rowsStayTogether;
  return isShared ? 2 : 4;
}

bool ScheduleChooser::hasLongIterations() const {
  if (!shape.rowsStayTogether || schedule.getNumWarps() != warpgroup ||
      !schedule.usesWgmma)
    return false;
  // 128 keys of heads of 64 elements, in both products.
  constexpr int64_t leastProducts = 2 * WarpgroupInstruction::rows * 128 * 64;
  int64_t products = 0;
  kernel::LaunchOp(launch).getBody().walk([&](Operation *op) {
    if (!isMatmul(op) || !op->getParentOfType<block::ForOp>())
      return;
    auto lhs = cast<RankedTensorType>(op->getOperand(0).getType());
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    size_t depth =
        getContractedDim(cast<ComputeOpInterface>(op).getOpAttributes(),
                         ProductOperand::Lhs, lhs.getRank());
    products += result.getNumElements() * lhs.getDimSize(depth);
  });
  return products >= leastProducts;
}

bool ScheduleChooser::hasTripsForEngine() const {
  return shape.trips >= getLeastTrips() * schedule.loopGroups;
}
