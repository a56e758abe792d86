//===- ThreadInboxes.cpp - Parts that blocks push -------------------------===//
//
// Verifies inboxes, to which the blocks of a cluster push parts of tiles.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

LogicalResult
InboxType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  int64_t bytes) {
  // What an mbarrier counts at most (PTX ISA).
  constexpr int64_t limit = int64_t(1) << 20;
  if (bytes >= 1 && bytes < limit)
    return success();
  return emitError() << "an inbox counts " << bytes
                     << " bytes, not between 1 and 2^20 - 1 (inbox_c1)";
}

void InboxOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "inbox");
}

static bool isInKernelsBody(Operation *op) {
  return isa_and_nonnull<gpu::GPUFuncOp>(op->getParentOp());
}

LogicalResult InboxOp::verify() {
  if (getOffset() < 0 || getOffset() % InboxType::numBytes)
    return emitOpError() << "has the offset " << getOffset()
                         << ", which is no multiple of the 8 bytes of an "
                            "mbarrier (inbox_c2)";
  bool isBehind = !isInKernelsBody(*this);
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    isBehind |= isa<LoaderOp>(op);
  if (isBehind)
    return emitOpError("does not stand in the body of a kernel before its "
                       "loader (inbox_c3)");
  return success();
}

template <typename Op>
static LogicalResult verifyMeeting(Op op, StringRef constraint) {
  if (isInKernelsBody(op))
    return success();
  return op.emitOpError()
         << "does not stand in the body of a kernel, where all "
            "threads of the cluster come ("
         << constraint << ")";
}

LogicalResult InboxOpenOp::verify() {
  return verifyMeeting(*this, "inbox_open_c1");
}

LogicalResult InboxMeetOp::verify() {
  return verifyMeeting(*this, "inbox_meet_c1");
}

LogicalResult InboxAwaitOp::verify() {
  return verifyMeeting(*this, "inbox_await_c1");
}
