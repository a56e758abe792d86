//===- RunMuGraph.h - Executing µGraphs on the CPU --------------*- C++ -*-===//
//
// Runs a program without IR. Every operator computes what the semantics table
// says.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_RUNMUGRAPH_H
#define MIRAGE_INTERPRETER_RUNMUGRAPH_H

#include "Mirage/Interpreter/TensorValue.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

struct RunOptions {
  /// The threads to use, and when to end. Without it the calling thread runs
  /// the program to its end.
  const Execution *execution = nullptr;
  /// Becomes true if a sum, difference, product, product of matrices or
  /// conversion of finite tensors has an infinite element, if it is there.
  bool *overflowsInside = nullptr;
  /// Becomes the MuNode::location of the first operator that has an element
  /// which is not finite where all operands are finite, or, if there is none,
  /// of the first that has NaN where no operand has, if it is there.
  std::optional<unsigned> *firstNotFinite = nullptr;
};

/// Returns the results of `graph` for `inputs`, one for each argument of region
/// 0 and of its shape, in any representation. Cannot fail: graphs are legal.
/// When the execution ends the run, results have their shapes and no meaning.
///
/// Block graphs run as they are written: every block loads its own parts in
/// every iteration, and what no block writes is NaN. Blocks run in parallel;
/// results don't depend on the number of threads. A value is given up after the
/// last node that uses it.
llvm::SmallVector<TensorValue> runMuGraph(const MuGraph &graph,
                                          llvm::ArrayRef<TensorValue> inputs,
                                          Precision precision,
                                          const RunOptions &options = {});

} // namespace mirage

#endif // MIRAGE_INTERPRETER_RUNMUGRAPH_H
