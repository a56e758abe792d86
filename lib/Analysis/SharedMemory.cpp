//===- SharedMemory.cpp - Shared memory of a block graph ------------------===//
//
// Numbers the operations of a launch in program order, derives each tensor's
// live interval (values used in a loop but defined before it live to the loop's
// end), joins those of elementwise results with those of what they overwrite,
// and places intervals first-fit, largest first.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
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
  /// The number of the interval whose bytes the value has, where these are not
  /// its own.
  std::optional<size_t> overwritten = std::nullopt;
};

class Planner {
public:
  explicit Planner(kernel::LaunchOp launch) {
    Block &body = launch.getBody().front();
    number(body);
    findChains(body);
    collect(body);
  }

  SharedMemoryPlan plan();

private:
  void number(Block &block);
  void findChains(Block &block);
  void collect(Block &block);
  bool hasStorage(Operation *op) const;
  int64_t getUseEnd(Operation *user, Block *definition) const;
  std::optional<size_t> findOverwritten(Operation *op) const;

  /// An operation with a region begins before and ends after its body.
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> positions;
  int64_t next = 0;
  llvm::DenseSet<Operation *> computedByUser;
  SmallVector<Interval> intervals;
  /// The intervals of values, as far as they have been collected.
  llvm::DenseMap<Value, size_t> intervalOf;
};
} // namespace

void Planner::number(Block &block) {
  for (Operation &op : block) {
    int64_t begin = next++;
    if (auto loop = dyn_cast<block::ForOp>(op))
      number(loop.getBody().front());
    positions[&op] = {begin, next++};
  }
}

/// Returns true if an operator computes the n-th element of its one result from
/// the n-th elements of the operands that have as many of them.
static bool keepsPlaces(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute && op->getNumResults() == 1 &&
         (isElementwise(compute.getOpKind()) ||
          compute.getOpKind() == OpKind::Reshape);
}

static int64_t countElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

void Planner::findChains(Block &block) {
  constexpr unsigned longestChain = 64;
  llvm::DenseMap<Operation *, unsigned> lengths;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<block::ForOp>(op))
      findChains(loop.getBody().front());
    if (!keepsPlaces(&op))
      continue;
    unsigned length = 1;
    for (Value operand : op.getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && computedByUser.contains(source))
        length = std::max(length, lengths.lookup(source) + 1);
    lengths[&op] = length;
    if (!op.hasOneUse() || length >= longestChain)
      continue;
    Operation *user = *op.user_begin();
    if (user->getBlock() == &block && keepsPlaces(user) &&
        countElements(user->getResult(0)) == countElements(op.getResult(0)))
      computedByUser.insert(&op);
  }
}

/// Returns where the use of a value defined in `definition`'s block keeps it
/// alive to: the use, or the end of the outermost loop around it inside that
/// block.
int64_t Planner::getUseEnd(Operation *user, Block *definition) const {
  while (computedByUser.contains(user))
    user = *user->user_begin();
  Operation *ancestor = definition->findAncestorOpInBlock(*user);
  return positions.lookup(ancestor).second;
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
/// these, immediate constants, and what the operator that reads it computes.
bool Planner::hasStorage(Operation *op) const {
  return !isa<block::StoreOp, block::AccumulateOp>(op) && !isImmediate(op) &&
         !getSumInPlace(op) && !computedByUser.contains(op);
}

/// Returns the interval of a tensor that a chain of operators reads as the last
/// one, each element for one of its own, and that has as many bytes as its
/// result.
std::optional<size_t> Planner::findOverwritten(Operation *op) const {
  if (!keepsPlaces(op))
    return std::nullopt;
  Value result = op->getResult(0);
  SmallVector<Operation *> chain{op};
  while (!chain.empty())
    for (Value operand : chain.pop_back_val()->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source && computedByUser.contains(source)) {
        chain.push_back(source);
        continue;
      }
      auto found = intervalOf.find(operand);
      if (found == intervalOf.end() || !source ||
          source->getBlock() != op->getBlock() ||
          countElements(operand) != countElements(result) ||
          getBytes(operand.getType()) != getBytes(result.getType()))
        continue;
      if (llvm::all_of(operand.getUsers(), [&](Operation *user) {
            return getUseEnd(user, op->getBlock()) <=
                   positions.lookup(op).second;
          }))
        return found->second;
    }
  return std::nullopt;
}

void Planner::collect(Block &block) {
  for (Operation &op : block) {
    auto loop = dyn_cast<block::ForOp>(op);
    if (loop)
      collect(loop.getBody().front());
    if (!hasStorage(&op))
      continue;
    auto [begin, end] = positions.lookup(&op);
    for (OpResult result : op.getResults()) {
      if (getStoredByIterations(result))
        continue;
      // Inputs and outputs of one operation are alive together; a loop's
      // results are alive from its beginning.
      int64_t last = end;
      for (Operation *user : result.getUsers())
        last = std::max(last, getUseEnd(user, &block));
      std::optional<size_t> overwritten = findOverwritten(&op);
      if (overwritten) {
        // Several results may overwrite one another in turn. The interval is
        // that of the first of them.
        if (intervals[*overwritten].overwritten)
          overwritten = intervals[*overwritten].overwritten;
        intervals[*overwritten].end = last;
      }
      intervalOf[result] = intervals.size();
      intervals.push_back({result, false, getBytes(result.getType()), begin,
                           last, overwritten});
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

SharedMemoryPlan Planner::plan() {
  SmallVector<PlacedTensor> tensors;
  SmallVector<size_t> tensorOf;
  for (const Interval &interval : intervals) {
    tensorOf.push_back(interval.overwritten ? tensorOf[*interval.overwritten]
                                            : tensors.size());
    if (!interval.overwritten)
      tensors.push_back({interval.bytes, interval.begin, interval.end});
  }
  SharedMemoryPlan plan;
  plan.bytes = placeTensors(tensors, sharedMemoryAlignment);
  for (auto [interval, tensor] : llvm::zip_equal(intervals, tensorOf))
    (interval.isRunningMaximum ? plan.runningMaxima
                               : plan.offsets)[interval.value] =
        tensors[tensor].offset;
  plan.computedByUser = std::move(computedByUser);
  return plan;
}

SharedMemoryPlan mirage::planSharedMemory(kernel::LaunchOp launch) {
  return Planner(launch).plan();
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
