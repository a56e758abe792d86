//===- KernelBlock.cpp - One block of a kernel ----------------------------===//
//
// Dispatches the operations of a kernel, and says what went wrong where.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

uint32_t KernelLaunch::getSite(Operation *op) {
  auto [found, isNew] = siteNumbers.try_emplace(op, sites.size());
  if (isNew)
    sites.push_back(op);
  return found->second;
}

InFlightDiagnostic KernelBlock::error(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic.attachNote(launch.function.getLoc())
      << "in block (" << id[0] << ", " << id[1] << ", " << id[2] << ") of @"
      << launch.function.getName();
  return diagnostic;
}

InFlightDiagnostic KernelBlock::fault(Operation *op,
                                      const CheckedMemory &memory) {
  const MemoryFault &what = memory.getFault();
  InFlightDiagnostic diagnostic = error(op);
  StringRef name = "device";
  if (&memory == &shared)
    name = "shared";
  else if (llvm::is_contained(cluster, &memory))
    name = "another block's shared";
  diagnostic << what.describe(name);
  if (what.hasOther()) {
    Operation *other = launch.sites[what.other.site];
    diagnostic.attachNote(other->getLoc())
        << "the other access is by '" << other->getName() << "'";
  }
  return diagnostic;
}

KernelBlock::KernelBlock(KernelLaunch &launch, Shape id)
    : launch(launch), id(std::move(id)),
      shared(launch.sharedBytes, /*unit=*/1, launch.order),
      next(launch.function.getBody().front().begin()),
      knowledge(launch.threads / RegisterLayout::kWarpSize) {
  for (auto [argument, view] :
       llvm::zip(launch.function.getArguments(), launch.arguments))
    views[argument] = view;
}

LogicalResult KernelBlock::run() {
  Block &body = launch.function.getBody().front();
  auto awaited = dyn_cast_or_null<thread::InboxAwaitOp>(waitsAt);
  if (awaited && failed(checkInbox(awaited)))
    return failure();
  waitsAt = nullptr;
  launch.order.setKnowledge(&knowledge);
  while (next != body.end()) {
    Operation *op = &*next++;
    if (isa<thread::ClusterBarrierOp, thread::InboxMeetOp,
            thread::InboxAwaitOp>(op)) {
      waitsAt = op;
      if (isa<thread::ClusterBarrierOp>(op))
        remoteLoad = nullptr;
      if (auto meeting = dyn_cast<thread::InboxMeetOp>(op)) {
        if (!openInboxes.erase(meeting.getInbox()))
          return error(op) << "waits forever: the block has not opened the "
                              "inbox";
        knowledge.passBarrier();
      }
      return success();
    }
    if (failed(run(op)))
      return failure();
  }
  if (remoteLoad)
    return error(remoteLoad)
           << "reads another block's shared memory, and no cluster_barrier "
              "follows: the other block may have ended";
  return checkLoaderEnds();
}

LogicalResult KernelBlock::runOperations(Block &block) {
  for (Operation &op : block.getOperations())
    if (failed(run(&op)))
      return failure();
  return success();
}

LogicalResult KernelBlock::run(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) && !views.contains(operand))
      return op->emitOpError(
          "uses a memref that is neither an argument nor shared memory");
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return runScalar(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::IfOp, gpu::ThreadIdOp>(
          [&](auto typed) { return run(typed); })
      .Case<memref::ReinterpretCastOp, memref::GetGlobalOp,
            thread::SharedBufferOp, thread::ClusterBufferOp,
            thread::SelectBufferOp, thread::CopyOp, thread::FillOp,
            thread::AccumulateOp, thread::LoadFragmentOp,
            thread::StoreFragmentOp, thread::IndexMaskOp,
            thread::ExchangeLanesOp, thread::MmaFragmentOp,
            thread::FmaFragmentOp, thread::WarpgroupMmaOp,
            thread::WarpgroupWaitOp, thread::ComputeOp, thread::MmaOp,
            thread::PushFragmentOp, thread::InboxOp, thread::RingOp,
            thread::LoaderOp, thread::BulkCopyOp, thread::RingPublishOp,
            thread::RingReceiveOp, thread::RingAwaitOp, thread::RingReleaseOp,
            thread::SequenceOp, thread::SequenceAwaitOp, thread::SequencePassOp,
            ComputeOpInterface>([&](auto typed) { return run(typed); })
      .Case<gpu::BlockIdOp>([&](gpu::BlockIdOp blockId) {
        setIndex(blockId, id[static_cast<unsigned>(blockId.getDimension())]);
        return success();
      })
      .Case<thread::ClusterRankOp>([&](thread::ClusterRankOp rank) {
        setIndex(rank, id[0] % launch.clusterBlocks);
        return success();
      })
      .Case<gpu::BarrierOp, thread::BarrierOp>([&](auto) {
        if (isLoading) {
          knowledge.passLoaderBarrier(launch.order.passTime());
          return success();
        }
        launch.order.passBarrier();
        knowledge.passBarrier();
        return success();
      })
      .Case<thread::AsyncCommitOp>([&](auto) {
        commitCopies();
        return success();
      })
      .Case<thread::AsyncWaitOp>([&](thread::AsyncWaitOp wait) {
        awaitCopies(wait.getPending());
        return success();
      })
      .Case<thread::InboxOpenOp>([&](thread::InboxOpenOp opening) {
        openInboxes.insert(opening.getInbox());
        return success();
      })
      .Case<gpu::ReturnOp, scf::YieldOp, thread::ThreadRegistersOp>(
          [](auto) { return success(); })
      .Default([](Operation *other) {
        return other->emitOpError(
            "is not executed by the interpreter of kernels");
      });
}
