//===- OrientProducts.h - Operands of products exchanged --------*- C++ -*-===//
//
// What comes from registers, and which shapes of instructions fit, depends on
// the matrix that is on the left of a product. The search makes each product
// once, in the order that the program's axes say.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_ORIENTPRODUCTS_H
#define MIRAGE_SEARCH_ORIENTPRODUCTS_H

#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

/// Exchanges the operands of all products of a candidate. Returns whether there
/// are any.
bool exchangeProducts(const SearchProblem &problem, Candidate &candidate);

/// Exchanges the operands of products of a candidate where that makes it faster
/// by more than the part `resolution` of its time, at sizes that are chosen
/// anew: of all products of a launch, then of those that are combined, and then
/// of one after another. A product may take the result of another one, or be
/// added to it. It then often pays less to exchange one of both than to
/// exchange neither or both. Before and after this, loads are transposed in the
/// place of what is computed, where that is faster. `edge` are the microseconds
/// of what stands before and behind the candidate's launches, which its time
/// contains.
void orientCandidate(const SearchProblem &problem,
                     const TargetDescription &target, SizeSearchOptions sizing,
                     double edge, double resolution,
                     JudgedCandidate &candidate);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_ORIENTPRODUCTS_H
