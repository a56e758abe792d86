//===- ProgramPricer.cpp - What programs take as they are executed --------===//
//
// Takes a program apart into its operators and prices each.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ProgramPricer.h"
#include "Mirage/Search/KernelGraphs/ProgramPieces.h"

using namespace mirage;
using namespace mirage::search;

/// Gives a kernel of an operator that was priced alone the place in the program
/// that the operator's own kernel has there.
static void putInto(ProgramCost::Kernel &kernel,
                    const ProgramCost::Kernel &inProgram,
                    const TargetDescription &target) {
  KernelSummary &own = kernel.summary;
  const KernelSummary &whole = inProgram.summary;
  own.hotDistinctBytes =
      std::max(own.hotDistinctBytes,
               std::min(own.distinctBytes, whole.hotDistinctBytes));
  own.hotStoredBytes = std::max(
      own.hotStoredBytes, std::min(own.storedBytes, whole.hotStoredBytes));
  kernel.cost = estimateKernel(own, target);
}

ProgramCost ProgramPricer::estimateApart(const MuGraph &program) {
  ProgramUnits units(program);
  ProgramCost all;
  for (const ProgramCost::Kernel &plain :
       estimateProgram(program, target).kernels) {
    std::vector<ProgramCost::Kernel> kernels = {plain};
    if (program.getNode(plain.node).kind == MuNode::Kind::Operator) {
      UnitSet alone(units.size());
      alone.set(llvm::find(units.getNodes(), plain.node) -
                units.getNodes().begin());
      kernels = estimate(units.extract(alone).program).kernels;
      for (ProgramCost::Kernel &kernel : kernels) {
        putInto(kernel, plain, target);
        kernel.node = plain.node;
        kernel.nodes = {plain.node};
      }
    }
    for (ProgramCost::Kernel &kernel : kernels) {
      all.microseconds += kernel.cost.microseconds;
      all.kernels.push_back(std::move(kernel));
    }
  }
  return all;
}
