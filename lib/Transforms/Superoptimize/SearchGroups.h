//===- SearchGroups.h - Equal functions share a search ----------*- C++ -*-===//
//
// Reads the functions of a module, and puts those of one µGraph into a group.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHGROUPS_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHGROUPS_H

#include "SearchSubject.h"

namespace mirage {

/// Functions with the same µGraph: the same operators, attributes, shapes and
/// types in the same order. Names and locations don't count. All are parts of a
/// larger program, or none is.
struct SearchGroup {
  SearchSubject subject;
  llvm::SmallVector<mlir::func::FuncOp, 1> functions;
  /// This is true if the kernels of others run between those of each: some
  /// function calls it and others that are searched for, or what calls these.
  bool isAmongMany;

  /// The function that is searched for, the first one. Locations of the subject
  /// are in it.
  mlir::func::FuncOp getSearched() const { return functions.front(); }
  /// The functions that share its search.
  llvm::ArrayRef<mlir::func::FuncOp> getEqual() const {
    return llvm::ArrayRef(functions).drop_front();
  }
};

/// Returns groups in the order of their first functions. A function that is no
/// µGraph is in none; mirage.superoptimized holds why, and a remark at the
/// operation that is the reason.
std::vector<SearchGroup>
groupFunctions(llvm::ArrayRef<mlir::func::FuncOp> functions,
               const search::KernelGraphOptions &options,
               const AlternativeOptions &alternatives);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHGROUPS_H
