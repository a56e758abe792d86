//===- NeededElements.h - What a program needs of its arguments -*- C++ -*-===//
//
// A kernel that computes a program with slices may read a part of an argument
// only. Lower bounds of its time count that part.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_NEEDEDELEMENTS_H
#define MIRAGE_SEARCH_PROBLEM_NEEDEDELEMENTS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns, for each argument, no more elements than the results depend on, by
/// the operators' shapes: all of them where no slice is taken of what is
/// computed of the argument, and the slices themselves where these are taken of
/// the argument, or of a view of it.
llvm::SmallVector<int64_t> countNeededElements(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_NEEDEDELEMENTS_H
