//===- LineOrders.h - Orders in which tensors may be stored -----*- C++ -*-===//
//
// Lists the orders of a tensor's dimensions that differ in which elements lie
// in one line of memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_LINEORDERS_H
#define MIRAGE_SEARCH_KERNELGRAPHS_LINEORDERS_H

#include "Mirage/Semantics/ShapeRules.h"
#include <vector>

namespace mirage::search {

/// The bytes of a line of the L2 cache, which is what kernels move.
constexpr int64_t kLineBytes = 128;

/// Returns orders of a tensor's dimensions beside the given one, as
/// permutations: `order[i]` is the dimension at place i, the last one the
/// innermost. The innermost dimensions are chosen in all ways, one after
/// another, until their elements fill a line, and the others stay in their
/// order before them, since their order only moves whole lines. Dimensions of
/// one element are the first.
std::vector<llvm::SmallVector<int64_t>>
findOrdersOfLines(ShapeRef shape, unsigned elementBytes);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_LINEORDERS_H
