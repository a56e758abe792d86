//===- ThreadRings.cpp - Warps that load for others -----------------------===//
//
// Verifies rings of stages, the loader that fills them, and the warps that work
// on them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#define GET_TYPEDEF_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadTypes.cpp.inc"

void ThreadDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Mirage/Dialect/Thread/IR/ThreadTypes.cpp.inc"
      >();
}

LogicalResult
RingType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t stages, int64_t groups, int64_t warps, int64_t lanes) {
  if (lanes != 1 && lanes != RegisterLayout::kWarpSize)
    return emitError() << "a ring is released by " << lanes
                       << " lanes of a warp, neither by one nor by all "
                          "(ring_c1)";
  if (stages >= 1 && groups >= 1 && warps >= 1)
    return success();
  return emitError() << "a ring of " << stages << " stages for " << groups
                     << " groups of " << warps
                     << " warps has a number that is not positive (ring_c1)";
}

void RingOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "ring");
}

/// Verifies mbarriers at an offset of shared memory by the constraints c2 and
/// c3 of `name`.
template <typename Op>
static LogicalResult verifyBarriers(Op op, StringRef name) {
  if (op.getOffset() < 0 || op.getOffset() % 8)
    return op.emitOpError() << "has the offset " << op.getOffset()
                            << ", which is no multiple of the 8 bytes of an "
                               "mbarrier ("
                            << name << "_c2)";
  bool isAfterLoader = false;
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op->getParentOp())) {
    for (auto loader : function.template getOps<LoaderOp>())
      isAfterLoader |=
          loader->getBlock() == op->getBlock() && loader->isBeforeInBlock(op);
    if (!isAfterLoader)
      return success();
  }
  return op.emitOpError()
         << "does not stand in the body of a kernel before its "
            "loader, where all threads meet ("
         << name << "_c3)";
}

LogicalResult RingOp::verify() { return verifyBarriers(*this, "ring"); }

LogicalResult
SequenceType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t groups, int64_t warps) {
  if (groups >= 2 && groups <= mostGroups && warps >= 1)
    return success();
  return emitError() << "a sequence of " << groups << " groups of " << warps
                     << " warps has no warps, or other than 2 to " << mostGroups
                     << " groups (sequence_c1)";
}

void SequenceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "sequence");
}

LogicalResult SequenceOp::verify() { return verifyBarriers(*this, "sequence"); }

LogicalResult LoaderOp::verify() {
  auto warps = static_cast<int64_t>(getWarps());
  if (warps < 1 || warps > 31)
    return emitOpError() << "has " << warps
                         << " warps, not between 1 and 31 (loader_c1)";
  auto function = dyn_cast<gpu::GPUFuncOp>((*this)->getParentOp());
  if (!function || llvm::range_size(function.getOps<LoaderOp>()) != 1)
    return emitOpError("is not the only loader in the body of a kernel "
                       "(loader_c2)");
  if (auto size = function.getKnownBlockSize();
      size && (*size)[0] <= warps * RegisterLayout::kWarpSize)
    return emitOpError() << "has " << warps << " warps of a block of "
                         << (*size)[0]
                         << " threads, which leaves none (loader_c1)";
  WalkResult inside = getBody().walk([&](Operation *op) {
    auto copy = dyn_cast<CopyOp>(op);
    if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, RingAcquireOp, RingPublishOp,
            RingReceiveOp, AsyncCommitOp, AsyncWaitOp, BarrierOp,
            ThreadRegistersOp, BulkCopyOp, SelectBufferOp, LoadFragmentOp,
            StoreFragmentOp, ComputeOpInterface>(op) ||
        isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
        (copy && copy.getAsync()))
      return WalkResult::advance();
    op->emitOpError("stands in a loader, which only begins asynchronous copies "
                    "and prepares what they bring (loader_c3)");
    return WalkResult::interrupt();
  });
  if (inside.wasInterrupted())
    return failure();
  WalkResult behind = function.walk([&](gpu::BarrierOp barrier) {
    Operation *outer = getOperation()->getBlock()->findAncestorOpInBlock(
        *barrier.getOperation());
    if (!outer || outer->isBeforeInBlock(*this))
      return WalkResult::advance();
    barrier.emitOpError("stands behind a loader, whose warps never reach it "
                        "(loader_c4)");
    return WalkResult::interrupt();
  });
  return failure(behind.wasInterrupted());
}

/// Returns true if an operation is executed by the warps that are not the
/// loader's.
static bool isBehindLoader(Operation *op) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  if (!function || op->getParentOfType<LoaderOp>())
    return false;
  for (auto loader : function.getOps<LoaderOp>())
    if (Operation *outer = loader->getBlock()->findAncestorOpInBlock(*op))
      return loader->isBeforeInBlock(outer);
  return false;
}

static LogicalResult verifyBehindLoader(Operation *op, StringRef constraint) {
  if (isBehindLoader(op))
    return success();
  return op->emitOpError() << "does not stand behind the kernel's loader ("
                           << constraint << ")";
}

template <typename Op>
static LogicalResult verifyInLoader(Op op, StringRef constraint) {
  int64_t groups = op.getRing().getType().getGroups();
  auto group = static_cast<int64_t>(op.getGroup());
  if (op->template getParentOfType<LoaderOp>() && group >= 0 && group < groups)
    return success();
  return op.emitOpError() << "does not stand in a loader, or its ring of "
                          << groups << " groups has no group " << group << " ("
                          << constraint << ")";
}

LogicalResult ThreadRegistersOp::verify() {
  auto count = static_cast<int64_t>(getCount());
  if (count < 24 || count > 256 || count % 8)
    return emitOpError() << "gives a thread " << count
                         << " registers, no multiple of 8 from 24 to 256 "
                            "(thread_registers_c1)";
  auto loader = dyn_cast<LoaderOp>((*this)->getParentOp());
  auto function = (*this)->getParentOfType<gpu::GPUFuncOp>();
  bool isPlaced = loader || (isa<gpu::GPUFuncOp>((*this)->getParentOp()) &&
                             isBehindLoader(*this));
  int64_t threads = 0;
  if (isPlaced) {
    auto only = loader ? loader : *function.getOps<LoaderOp>().begin();
    threads = static_cast<int64_t>(only.getWarps()) * RegisterLayout::kWarpSize;
    if (auto size = function.getKnownBlockSize(); size && !loader)
      threads = (*size)[0] - threads;
  }
  constexpr int64_t warpgroup = 4 * RegisterLayout::kWarpSize;
  if (!isPlaced || threads % warpgroup)
    return emitOpError("does not stand in or behind the kernel's loader, or is "
                       "executed by warps that are no whole warpgroups "
                       "(thread_registers_c2)");
  return success();
}

LogicalResult BarrierOp::verify() {
  if ((*this)->getParentOfType<LoaderOp>())
    return success();
  return verifyBehindLoader(*this, "barrier_c1");
}

LogicalResult SequenceAwaitOp::verify() {
  if (failed(verifyBehindLoader(*this, "sequence_await_c1")))
    return failure();
  for (Operation *next = (*this)->getNextNode(); next;
       next = next->getNextNode()) {
    auto pass = dyn_cast<SequencePassOp>(next);
    if (pass && pass.getSequence() == getSequence())
      return success();
    if (next->walk([](BarrierOp) { return WalkResult::interrupt(); })
            .wasInterrupted()) {
      InFlightDiagnostic error =
          emitOpError() << "has a barrier of all groups behind it before the "
                           "turn is passed on (sequence_await_c2)";
      error.attachNote(next->getLoc()) << "one group waits here for others "
                                          "that wait for their turns";
      return error;
    }
  }
  return success();
}

LogicalResult SequencePassOp::verify() {
  if (failed(verifyBehindLoader(*this, "sequence_pass_c1")))
    return failure();
  bool haveLayouts = llvm::all_of(getValues().getTypes(), [](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.getElementType().isF32() &&
           isa_and_nonnull<LayoutAttr>(tensor.getEncoding());
  });
  if (!haveLayouts || getValues().getTypes() != getResults().getTypes())
    return emitOpError(
        "passes values on that are not of f32 or have no layout, "
        "or has results of other types (sequence_pass_c2)");
  return success();
}

LogicalResult RingAcquireOp::verify() {
  return verifyInLoader(*this, "ring_acquire_c1");
}

LogicalResult RingPublishOp::verify() {
  return verifyInLoader(*this, "ring_publish_c1");
}

LogicalResult RingReceiveOp::verify() {
  return verifyInLoader(*this, "ring_receive_c1");
}

LogicalResult RingAwaitOp::verify() {
  return verifyBehindLoader(*this, "ring_await_c1");
}

LogicalResult RingReleaseOp::verify() {
  return verifyBehindLoader(*this, "ring_release_c1");
}
