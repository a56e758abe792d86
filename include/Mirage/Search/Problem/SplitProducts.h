//===- SplitProducts.h - Products of which slices are used ------*- C++ -*-===//
//
// Weights that one value is multiplied with may be stored in one tensor, and
// the product be sliced, or be tensors of their own. These are one program for
// the search.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_SPLITPRODUCTS_H
#define MIRAGE_SEARCH_PROBLEM_SPLITPRODUCTS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns the program with a product in the place of each slice of a product,
/// where nothing but slices is used of that, also by way of casts, reshapes and
/// transposes, and no two of them have elements in common. Each multiplies a
/// slice of the program's argument, which launches read where it stands; a
/// matrix out of a batch is a matrix, between reshapes. Where
/// there are no such slices the program is returned as it is.
MuGraph splitProducts(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_SPLITPRODUCTS_H
