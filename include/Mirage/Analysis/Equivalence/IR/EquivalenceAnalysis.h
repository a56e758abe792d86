//===- EquivalenceAnalysis.h - Do two functions compute the same *- C++ -*-===//
//
// Compares two functions of a module, at any mix of levels: by proof, by random
// tests over finite fields, and in floating point. Changes nothing; answers are
// kept until the module changes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseMap.h"
#include <list>

namespace mirage::equivalence {

struct EquivalenceOptions {
  ComparisonPolicy policy;
  /// Zero stands for as many as the machine has.
  unsigned threads = 0;
};

struct EquivalenceAnswer : ComparisonAnswer {
  /// Unknown: the operation that keeps the answer from being known, if it is
  /// one. Unstable in floating point: the candidate's operation that loses what
  /// the original keeps.
  mlir::Operation *operation = nullptr;
};

class EquivalenceAnalysis {
public:
  explicit EquivalenceAnalysis(mlir::Operation *) {}

  /// Returns whether `rhs`, the candidate, computes what `lhs` does. Functions
  /// that are no µGraphs are an answer Unknown, not an error.
  const EquivalenceAnswer &compare(mlir::func::FuncOp lhs,
                                   mlir::func::FuncOp rhs,
                                   const EquivalenceOptions &options = {});

private:
  /// What is known of a pair of functions, by a policy. Answers don't depend on
  /// the threads that look for them.
  struct KnownAnswer {
    ComparisonPolicy policy;
    EquivalenceAnswer answer;
  };
  /// The answers keep their places when more of them come.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>,
                 std::list<KnownAnswer>>
      answers;
};

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H
