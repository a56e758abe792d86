//===- GraphExpressions.h - Abstract expressions of µGraphs -----*- C++ -*-===//
//
// Abstract expressions of all values of a µGraph with known sizes: its loads,
// loops, accumulators and stores included. The search computes expressions of
// prefixes with unknown sizes; tests hold its candidates to the goals by what
// these functions say.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_GRAPHEXPRESSIONS_H
#define MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_GRAPHEXPRESSIONS_H

#include "Mirage/Search/Expressions/AbstractEvaluation.h"

namespace mirage::search {

/// Expressions of all values of a graph. Inputs are named by `names`, then by
/// "in" and their number.
std::vector<AbstractValue>
computeExpressions(const MuGraph &graph, AbstractEvaluator &evaluator,
                   llvm::ArrayRef<llvm::StringRef> names = {});

/// Expressions of a graph's results: the goals of a search.
llvm::SmallVector<const Expression *, 2>
getResultExpressions(const MuGraph &graph, AbstractEvaluator &evaluator,
                     llvm::ArrayRef<llvm::StringRef> names = {});

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_GRAPHEXPRESSIONS_H
