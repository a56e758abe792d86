//===- JoinRows.h - Rows of products in one dimension -----------*- C++ -*-===//
//
// A product of many matrices with one, as a layer makes of a batch or a
// convolution of one element of an image, is a product of all their rows.
// Frameworks write it with dimensions of the batch, or of the image, beside
// that of the rows, and move them before it and behind it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_JOINROWS_H
#define MIRAGE_SEARCH_PROBLEM_JOINROWS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns a program with the same arguments and results that
///
///  - multiplies one matrix of all rows where it multiplied several matrices by
///    one that is the same for all, if these were such a matrix before, or are
///    a batch of one and the other one was a matrix;
///  - transposes what has one dimension in the place of those that are
///    neighbours before and behind the transpose, if nothing else reads it and
///    if it does not transpose the matrices of a batch; dimensions of size one
///    are left out where it is reshaped;
///  - reshapes once where it reshaped twice.
///
/// Each element is computed as before. A program that has launches, or to which
/// no rule applies, is returned as it is.
MuGraph joinRows(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_JOINROWS_H
