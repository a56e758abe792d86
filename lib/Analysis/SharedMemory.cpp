//===- SharedMemory.cpp - Shared memory of a block graph ------------------===//
//
// Numbers the operations of a launch in program order, derives each tensor's
// live interval (values used in a loop but defined before it live to the loop's
// end), and places intervals first-fit, largest first.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mirage;

namespace {
struct Interval {
  Value value;
  bool isRunningMaximum;
  int64_t bytes;
  /// First and last operation, inclusive.
  int64_t begin, end;
};

/// Numbers operations: an operation with a region begins before and ends after
/// its body.
struct Numbering {
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> positions;
  int64_t next = 0;

  void visit(Block &block) {
    for (Operation &op : block) {
      int64_t begin = next++;
      for (Region &region : op.getRegions())
        if (isa<block::ForOp>(op))
          visit(region.front());
      positions[&op] = {begin, next++};
    }
  }
};
} // namespace

/// Returns where the use of a value defined in `definition`'s block keeps it
/// alive to: the use, or the end of the outermost loop around it inside that
/// block.
static int64_t getUseEnd(Operation *user, Block *definition,
                         const Numbering &numbering) {
  Operation *ancestor = definition->findAncestorOpInBlock(*user);
  return numbering.positions.lookup(ancestor).second;
}

bool mirage::isImmediate(Operation *op) {
  auto constant = dyn_cast_or_null<block::ConstantOp>(op);
  if (!constant || !constant.getValue().isSplat())
    return false;
  // Products read their operands from memory, and so does what is no compute
  // operator.
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<ComputeOpInterface>(user) &&
           !isa<block::MatmulOp, block::ConcatMatmulOp>(user);
  });
}

block::AccumulateOp mirage::getSumInPlace(Operation *product) {
  if (!isa<block::MatmulOp, block::ConcatMatmulOp>(product) ||
      !product->hasOneUse())
    return {};
  auto accumulate = dyn_cast<block::AccumulateOp>(*product->user_begin());
  if (!accumulate || accumulate.getKind() != AccumulateKind::Sum ||
      accumulate->getBlock() != product->getBlock() ||
      accumulate.getResult().getType() != product->getResult(0).getType())
    return {};
  return accumulate;
}

block::AccumulateOp mirage::getStoredByIterations(Value value) {
  auto loop = value.getDefiningOp<block::ForOp>();
  if (!loop || value.use_empty())
    return {};
  auto accumulate = loop.getBody()
                        .front()
                        .getTerminator()
                        ->getOperand(cast<OpResult>(value).getResultNumber())
                        .getDefiningOp<block::AccumulateOp>();
  if (!accumulate || accumulate.getKind() != AccumulateKind::Concat)
    return {};
  for (Operation *user : value.getUsers()) {
    auto store = dyn_cast<block::StoreOp>(user);
    if (!store || llvm::any_of(store.getOmap(), [](int64_t entry) {
          return entry == kReduceSum || entry == kReduceMax;
        }))
      return {};
  }
  return accumulate;
}

/// Values whose storage is that of another one or that have none: stores,
/// accumulators, which live in the loop's result, products that are added to
/// these, and immediate constants.
static bool hasStorage(Operation *op) {
  return !isa<block::StoreOp, block::AccumulateOp>(op) && !isImmediate(op) &&
         !getSumInPlace(op);
}

static void collect(Block &block, const Numbering &numbering,
                    SmallVectorImpl<Interval> &intervals) {
  for (Operation &op : block) {
    auto loop = dyn_cast<block::ForOp>(op);
    if (loop)
      collect(loop.getBody().front(), numbering, intervals);
    if (!hasStorage(&op))
      continue;
    auto [begin, end] = numbering.positions.lookup(&op);
    for (OpResult result : op.getResults()) {
      if (getStoredByIterations(result))
        continue;
      // Inputs and outputs of one operation are alive together; a loop's
      // results are alive from its beginning.
      int64_t last = end;
      for (Operation *user : result.getUsers())
        last = std::max(last, getUseEnd(user, &block, numbering));
      intervals.push_back(
          {result, false, getBytes(result.getType()), begin, last});
      if (!loop)
        continue;
      auto accumulate = loop.getBody()
                            .front()
                            .getTerminator()
                            ->getOperand(result.getResultNumber())
                            .getDefiningOp<block::AccumulateOp>();
      // The running maximum is kept in the shift's type.
      if (accumulate && accumulate.getShift())
        intervals.push_back({result, true,
                             getBytes(accumulate.getShift().getType()), begin,
                             end});
    }
  }
}

SharedMemoryPlan mirage::planSharedMemory(kernel::LaunchOp launch) {
  Numbering numbering;
  Block &body = launch.getBody().front();
  numbering.visit(body);
  SmallVector<Interval> intervals;
  collect(body, numbering, intervals);

  SmallVector<PlacedTensor> tensors;
  for (const Interval &interval : intervals)
    tensors.push_back({interval.bytes, interval.begin, interval.end});
  SharedMemoryPlan plan;
  plan.bytes = placeTensors(tensors, sharedMemoryAlignment);
  for (auto [interval, tensor] : llvm::zip_equal(intervals, tensors))
    (interval.isRunningMaximum ? plan.runningMaxima
                               : plan.offsets)[interval.value] = tensor.offset;
  return plan;
}

LogicalResult mirage::checkSharedMemory(kernel::LaunchOp launch,
                                        const TargetDescription &target) {
  SharedMemoryPlan plan = planSharedMemory(launch);
  if (plan.bytes <= target.sharedMemoryPerBlock)
    return success();
  return launch.emitOpError()
         << "needs " << plan.bytes
         << " bytes of shared memory per block, but the target " << target.chip
         << " has " << target.sharedMemoryPerBlock << " (launch_c6, target_c2)";
}
