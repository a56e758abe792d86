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
  search::SearchTask task;
  /// What the function's kernels take by the cost model.
  double microseconds = 0;
};

/// Nothing if the search cannot take the function: a remark says why, at the
/// operation that is the reason, and mirage.superoptimized holds it.
std::optional<SearchSubject> readSubject(mlir::func::FuncOp function,
                                         const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
