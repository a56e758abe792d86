//===- AlternativeGraphs.h - Other graphs of a function ---------*- C++ -*-===//
//
// Makes other graphs of a function by the rules of TransformRules.td, for the
// search to choose among.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_ALTERNATIVEGRAPHS_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_ALTERNATIVEGRAPHS_H

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Transforms/TransformRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// How other graphs are made of functions.
struct AlternativeOptions {
  TransformRules rules;
  /// The number of graphs at most.
  unsigned most = 0;
};

struct AlternativeGraphs {
  std::vector<search::AlternativeProgram> programs;
  /// The rules that have led to each, in their order: "DividedRows,
  /// TransposeTwice".
  std::vector<std::string> rules;
  /// There are more than AlternativeOptions::most.
  bool isCut = false;
};

/// Returns what rules make of a function, each applied wherever it can be, and
/// one after another: what takes fewer rules comes first. Graphs are different
/// from `program`, which is the function's, and from each other. `constants`
/// are the arguments that are the same in each call. The places of their nodes
/// are added to `locations`.
AlternativeGraphs
makeAlternatives(mlir::func::FuncOp function, const MuGraph &program,
                 const llvm::BitVector &constants,
                 const AlternativeOptions &options,
                 llvm::SmallVectorImpl<mlir::Location> &locations);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_ALTERNATIVEGRAPHS_H
