//===- LoweredPricer.h - What the lowering makes of programs ----*- C++ -*-===//
//
// Prices programs by the launches that stand for their pre-defined operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_LOWEREDPRICER_H
#define MIRAGE_TRANSFORMS_LOWEREDPRICER_H

#include "Mirage/Search/KernelGraphs/ProgramPricer.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include <map>

namespace mirage {

/// Prices what mirage-lower-to-nvvm executes: launches in place of the
/// operators (buildLaunchesPipeline), of which some need no kernel, because
/// their tensors lie in those of others. A program of which no function can be
/// made has a kernel for each operator.
class LoweredPricer : public search::ProgramPricer {
public:
  /// Without passes that make kernels, there are no times of instructions.
  /// `isAmongMany` says that the kernels of other programs run between those of
  /// one, so that their code has to be fetched for each launch.
  LoweredPricer(mlir::MLIRContext *context, const TargetDescription &target,
                KernelPipeline kernels, bool isAmongMany = false)
      : ProgramPricer(target), context(context), kernels(std::move(kernels)),
        isAmongMany(isAmongMany) {}

  ProgramCost estimate(const MuGraph &program) override;
  std::optional<double> estimateIssued(const MuGraph &program) override;
  /// The same where `passes`, a pipeline as text, run on launches before kernels
  /// are made of them.
  std::optional<double> estimateIssued(const MuGraph &program,
                                       llvm::StringRef passes);

private:
  mlir::MLIRContext *context;
  KernelPipeline kernels;
  bool isAmongMany;
  /// The programs that were priced, printed.
  std::map<std::string, ProgramCost> known;
};

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_LOWEREDPRICER_H
