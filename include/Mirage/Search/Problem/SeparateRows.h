//===- SeparateRows.h - Products of a batch for groups of rows --*- C++ -*-===//
//
// A layer may compute queries, keys and values of each head beside each other:
// the rows of a weight are heads, then these three, then the columns of a head.
// Queries alone are no window of such rows, but they are one of the matrices of
// all heads.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_SEPARATEROWS_H
#define MIRAGE_SEARCH_PROBLEM_SEPARATEROWS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns the program with a product for each of several groups of rows of an
/// argument, or of columns of it, where slices alone read the product, and each
/// of them takes a part of every group. What it is multiplied with is the same
/// for all groups. Each element is computed as before. A program without such
/// products is returned as it is.
MuGraph separateRows(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_SEPARATEROWS_H
