//===- SearchSubject.h - A function as the search takes it ------*- C++ -*-===//
//
// From IR to the search's problem.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H

#include "Mirage/Search/Superoptimizer.h"
#include "Mirage/Semantics/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct SearchSubject {
  MuGraph program;
  /// By MuNode::location.
  llvm::SmallVector<mlir::Location> locations;
  /// Nothing if the search cannot take the function as a whole, with the
  /// reason.
  std::optional<search::SearchTask> task;
  std::string reason;
  /// What the function's kernels take by the cost model.
  double microseconds = 0;
};

/// Nothing if the function is no µGraph: mirage.superoptimized holds why. For
/// this, and for a function that the search cannot take as a whole, there is a
/// remark at the operation that is the reason.
std::optional<SearchSubject> readSubject(mlir::func::FuncOp function,
                                         const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
