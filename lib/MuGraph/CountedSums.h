//===- CountedSums.h - Sums that may depend on their length -----*- C++ -*-===//
//
// A size comes into a result as a number where a sum has a term that is the
// same for all of its indices: the sum of n ones is n. Otherwise results of
// sums are the same expressions whatever their lengths are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_COUNTEDSUMS_H
#define MIRAGE_LIB_MUGRAPH_COUNTEDSUMS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Says for each node of `graph` whether it sums terms of which some may not
/// depend on the index that is summed over. False is certain: every term of
/// such a sum, multiplied out, has a factor that is read from an input at this
/// index, and nothing cancels that factor (only positive terms are arguments of
/// functions, and results of quotients count as if they depended on no index).
std::vector<bool> findCountedSums(const MuGraph &graph);

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_COUNTEDSUMS_H
