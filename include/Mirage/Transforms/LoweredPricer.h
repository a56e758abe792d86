//===- LoweredPricer.h - What the lowering makes of programs ----*- C++ -*-===//
//
// Prices programs by the launches that stand for their pre-defined operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_LOWEREDPRICER_H
#define MIRAGE_TRANSFORMS_LOWEREDPRICER_H

#include "Mirage/Search/KernelGraphs/ProgramPricer.h"
#include "Mirage/Support/WorkerPool.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include <functional>
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

  /// Lets `define` change the functions of programs before they are lowered, so
  /// that they compute what their arguments stand for. It may be called by
  /// several threads, with functions of their own.
  using DefineInputs = std::function<void(mlir::func::FuncOp)>;
  void setInputs(DefineInputs define) { inputs = std::move(define); }

  /// Says what programs take that were measured; nothing for others.
  struct Measurements {
    std::function<std::optional<double>(const MuGraph &, double predicted)>
        measure;
    std::function<std::string()> getSource;
  };
  /// Lets measured times stand in the place of those by instructions.
  void setMeasurements(Measurements times) { measurements = std::move(times); }

  bool isMeasuring() const override { return hasMeasured && !hasUnmeasured; }
  std::optional<std::string> getMeasuredSource() const override;

  ProgramCost estimate(const MuGraph &program) override;
  std::optional<double> estimateIssued(const MuGraph &program) override;
  /// The same where `passes`, a pipeline as text, run on launches before
  /// kernels are made of them.
  std::optional<double> estimateIssued(const MuGraph &program,
                                       llvm::StringRef passes);

  /// A program, and the passes that run on its launches.
  struct Question {
    const MuGraph *program;
    std::string passes;
  };
  /// Finds the times that will be asked for by the instructions of kernels,
  /// beside each other if the context allows that. Dialects of the lowering
  /// must be loaded, as they are after the first question.
  void prepareIssued(llvm::ArrayRef<Question> questions, WorkerPool &pool);
  void prepareIssued(llvm::ArrayRef<const MuGraph *> programs,
                     WorkerPool &pool) override;

private:
  std::optional<double> findMeasured(const MuGraph &program);
  /// Lowers a program, and returns its time by the instructions of its kernels.
  std::optional<double> priceKernels(const MuGraph &program,
                                     llvm::StringRef passes);

  mlir::MLIRContext *context;
  KernelPipeline kernels;
  bool isAmongMany;
  DefineInputs inputs;
  Measurements measurements;
  /// The programs that were asked for as they were measured, printed; whether
  /// one of them was, and whether one was not.
  std::map<std::string, std::optional<double>> measured;
  bool hasMeasured = false, hasUnmeasured = false;
  /// The programs that were priced, printed.
  std::map<std::string, ProgramCost> known;
  /// The same by the instructions of their kernels, with the passes before
  /// these.
  std::map<std::pair<std::string, std::string>, std::optional<double>> issued;
};

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_LOWEREDPRICER_H
