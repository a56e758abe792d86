//===- SearchSubject.h - A function as the search takes it ------*- C++ -*-===//
//
// Takes a function of IR to the search's problem.
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
  /// The operations, by MuNode::location.
  llvm::SmallVector<mlir::Location> locations;
  /// The program; nothing, with the reason, if the search cannot take the
  /// function as a whole.
  std::optional<search::SearchTask> task;
  std::string reason;
  /// The time that the function's kernels take by the cost model.
  double microseconds = 0;
};

/// Reads a function; returns nothing if it is no µGraph, and
/// mirage.superoptimized holds why. There is a remark at the operation that is
/// the reason.
std::optional<SearchSubject> readSubject(mlir::func::FuncOp function,
                                         const TargetDescription &target);

/// Makes the task of a function that was read. Where the search cannot take the
/// function as a whole, there is a remark at the operation that is the reason.
void createTask(SearchSubject &subject, mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
