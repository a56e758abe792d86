//===- KernelInboxes.cpp - Parts that the blocks of a cluster push --------===//
//
// Runs the stores by which blocks push parts of tiles to each other, and counts
// the bytes that come to each of them.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"

using namespace mlir;
using namespace mirage;

LogicalResult KernelBlock::run(thread::InboxOp op) {
  int64_t end =
      static_cast<int64_t>(op.getOffset()) + thread::InboxType::numBytes;
  if (end > shared.size())
    return error(op) << "reaches to byte " << end
                     << " of shared memory; the kernel is launched with "
                     << shared.size();
  launch.pushedBytes[&shared] = 0;
  launch.knowledge[&shared] = &knowledge;
  return success();
}

LogicalResult KernelBlock::run(thread::PushFragmentOp op) {
  std::shared_ptr<const RegisterTile> tile = tiles.lookup(op.getValue());
  if (!tile)
    return error(op) << "pushes a value that is not in registers";
  unsigned size = byteSize(views[op.getTarget()].element);
  return storeTile(op, op.getValue(), op.getTarget(), op.getOffsets(),
                   tile->type.shape, op.getAccessLength(16 / size),
                   [&](CheckedMemory &target) {
                     if (&target != &shared)
                       launch.pushedBytes[&target] += size;
                   });
}

LogicalResult KernelBlock::checkInbox(thread::InboxAwaitOp op) {
  int64_t expected = op.getInbox().getType().getBytes();
  int64_t pushed = launch.pushedBytes.lookup(&shared);
  if (pushed == expected)
    return success();
  return error(op)
         << "waits for " << expected << " bytes, and " << pushed
         << " were pushed to the block: it would wait forever, or not "
            "for all";
}
