//===- OriginalRuns.h - What originals make of inputs -----------*- C++ -*-===//
//
// Runs of the original in a pair. Checks of many candidates against one program
// share them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ORIGINALRUNS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ORIGINALRUNS_H

#include "FloatRuns.h"
#include <deque>
#include <map>

namespace mirage::equivalence {

/// One kind of inputs, and what the original makes of them.
struct Original {
  Original(const MuGraph &program, NormalNumbers &normals,
           const InputKind &kind, const Execution &execution)
      : inputs(drawInputs(program, normals, kind, execution)),
        results(program, inputs, execution) {}
  Original(const Original &) = delete;

  llvm::SmallVector<TensorValue> inputs;
  Results results;
  const llvm::SmallVector<TensorValue> &exact = results.exact,
                                       &storage = results.storage;
};

/// The same in float64, with bounds.
struct BoundedOriginal {
  BoundedOriginal(const MuGraph &program, NormalNumbers &normals,
                  const InputKind &kind, const Execution &execution)
      : inputs(drawInputs(program, normals, kind, execution)),
        exact(runMuGraph(program, inputs, Precision::F64Bound,
                         {.execution = &execution})) {}

  llvm::SmallVector<TensorValue> inputs, exact;
};

/// Computes runs, and keeps them if it is told to: those of the last programs,
/// which are one at different extents. Not for several threads at once.
class OriginalRuns {
public:
  OriginalRuns(uint64_t seed, bool isKept, const Execution &execution)
      : normals(seed), isKept(isKept), execution(execution) {}

  const Execution &getExecution() const { return execution; }

  std::shared_ptr<const Original> get(const MuGraph &program,
                                      const InputKind &kind) {
    return find(program, kind, &Program::runs);
  }
  std::shared_ptr<const BoundedOriginal> getBounded(const MuGraph &program,
                                                    const InputKind &kind) {
    return find(program, kind, &Program::bounded);
  }

private:
  /// The runs of a program by the keys of their inputs (InputKind::getKey).
  template <typename Run>
  using Runs = std::map<std::string, std::shared_ptr<const Run>>;

  struct Program {
    MuGraph graph;
    Runs<Original> runs;
    Runs<BoundedOriginal> bounded;
  };

  template <typename Run>
  std::shared_ptr<const Run> find(const MuGraph &program, const InputKind &kind,
                                  Runs<Run> Program::*runs) {
    if (!isKept)
      return std::make_shared<Run>(program, normals, kind, execution);
    std::shared_ptr<const Run> &run =
        (getProgram(program).*runs)[kind.getKey()];
    if (!run)
      run = std::make_shared<Run>(program, normals, kind, execution);
    return run;
  }
  Program &getProgram(const MuGraph &program);

  NormalNumbers normals;
  bool isKept;
  const Execution &execution;
  /// The one that was asked for last is the last.
  std::deque<Program> programs;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ORIGINALRUNS_H
