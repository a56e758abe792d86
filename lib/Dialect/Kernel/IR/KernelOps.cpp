//===- KernelOps.cpp - Operations of kernel graphs ------------------------===//
//
// Registers the operations, and implements assembly and verification of launch.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

#define GET_OP_CLASSES
#include "Mirage/Dialect/Kernel/IR/KernelOps.cpp.inc"

void KernelDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Kernel/IR/KernelOps.cpp.inc"
      >();
}

ArrayRef<int64_t> LaunchOp::getExtents() { return getGrid(); }
StringRef LaunchOp::getPointName() { return "block"; }
StringRef LaunchOp::getExtentsName() { return "grid"; }

void LaunchOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "launch");
}

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseGraph(parser, state, "grid", getGridAttrName(state.name));
}

void LaunchOp::print(OpAsmPrinter &printer) {
  printGraph(printer, *this, getGrid(), "grid", getGridAttrName());
}

LogicalResult LaunchOp::verify() {
  if (getGrid().empty() || getGrid().size() > 3)
    return emitOpError() << "grid has " << getGrid().size()
                         << " dimensions, not one to three (launch_c1)";
  for (auto [dim, extent] : llvm::enumerate(getGrid()))
    if (extent < 1 || extent > largestGrid[dim])
      return emitOpError() << "grid dimension " << getGridDimName(dim)
                           << " has extent " << extent
                           << ", which is not between 1 and "
                           << largestGrid[dim] << " (launch_c1)";
  return verifyGraph(*this, "mirage_block");
}

// The plan of shared memory needs a body that has passed verification.
LogicalResult LaunchOp::verifyRegions() {
  if (auto schedule = (*this)->getAttrOfType<ScheduleAttr>(
          MirageDialect::getScheduleAttrName())) {
    int64_t groups = schedule.getLoopGroups(),
            blocks = schedule.getClusterBlocks(), numLoops = 0, innerLoops = 0;
    WalkResult result = getBody().walk([&](block::ForOp loop) {
      ++numLoops;
      innerLoops += isa<block::ForOp>(loop->getParentOp());
      if (loop.getExtent() % (groups * blocks) == 0)
        return WalkResult::advance();
      InFlightDiagnostic diagnostic = loop.emitOpError();
      diagnostic << "has extent " << loop.getExtent()
                 << ", which the schedule's " << groups << " groups";
      if (blocks > 1)
        diagnostic << " of each of " << blocks << " blocks";
      diagnostic << " cannot share (schedule_c3)";
      return WalkResult::interrupt();
    });
    if (!result.wasInterrupted() && blocks > 1 && numLoops == 0)
      return emitOpError() << "has 0 loops; the blocks of a cluster share the "
                              "iterations of some (schedule_c4)";
    if (!result.wasInterrupted() && blocks > 1 && innerLoops > 0)
      return emitOpError()
             << "has loops in loops; the blocks of a cluster share "
                "the iterations of loops one after another "
                "(schedule_c4)";
    // Shared memory is that of the kernel which the schedule makes; the
    // lowering checks it.
    return failure(result.wasInterrupted());
  }
  TargetAttr target = lookupTarget(*this);
  return target ? checkSharedMemory(*this, target.getDescription()) : success();
}
