//===- SimplifyProgram.h - A program in the search's operators --*- C++ -*-===//
//
// The simplifier writes composite operators by their definitions, and means as
// quotients of sums. Casts are left out, and equal operators are computed once.
// Broadcasts are left to the operators that need them: a dimension of size one
// stands for any size.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEM_SIMPLIFYPROGRAM_H
#define MIRAGE_LIB_SEARCH_PROBLEM_SIMPLIFYPROGRAM_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

struct SimplifiedProgram {
  MuGraph graph;
  /// The value of `graph` that is equal to each value of the program.
  std::vector<MuValue> values;
  /// Says for each node of `graph` whether it is there as a part of norms
  /// alone.
  std::vector<bool> isOfNorm;
  /// A node of the program that needs a broadcast as an operator of its own, if
  /// there is one.
  std::optional<unsigned> broadcastUser;
};

/// Returns the simplified program. The program must consist of operators alone,
/// without launches. Casts of constants are no longer known then, so that
/// equivalence::roundConstants must have rounded these.
SimplifiedProgram simplifyProgram(const MuGraph &graph);

/// Returns the program with factors of operands as factors of results, where
/// nothing else reads the operands: of products, sums over a dimension, and
/// operators of layout.
SimplifiedProgram liftScales(SimplifiedProgram program);

/// Returns the program with factors of sums as factors of their terms, where
/// some term is divided by the factor or scaled already: (a + b / c) c is
/// a c + b.
SimplifiedProgram distributeScales(SimplifiedProgram program);

/// Returns the program with factors and divisors of rows behind the products
/// and sums that are over the rows, also where these are of sums of several:
/// (a / s - b / t) V is (a V) / s - (b V) / t. What is added to rows is behind
/// their weighted sums: sum(t (s - m)) is sum(t s) - m sum(t). Nothing if there
/// are none. Only the graph of the result is that of the whole program: values
/// between may be sums of several of its values.
std::optional<SimplifiedProgram> liftRows(SimplifiedProgram program);

/// The value of a constant whose elements are equal; nothing for other nodes.
std::optional<double> getSplat(const MuNode &node);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_PROBLEM_SIMPLIFYPROGRAM_H
