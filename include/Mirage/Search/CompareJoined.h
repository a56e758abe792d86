//===- CompareJoined.h - Candidates beside joined axes ----------*- C++ -*-===//
//
// Tiles of joined axes (joinAxes in ProgramViews.h) cross the borders of the
// program's dimensions: 16 blocks divide the rows of 71 heads with 32 queries
// each. Nothing that compares sizes dimension by dimension can say what such a
// block has of a tensor with a dimension for heads. So candidates are compared
// with the program on tensors whose axes are joined.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_COMPAREJOINED_H
#define MIRAGE_SEARCH_COMPAREJOINED_H

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Search/Problem/ProgramViews.h"

namespace mirage::search {

class JoinedComparer {
public:
  /// `program` must outlive the comparer.
  explicit JoinedComparer(const MuGraph &program);

  /// Compares the program with a candidate, both on tensors with joined axes if
  /// the program has any: a reshape of arguments and results changes no
  /// elements. The program on such tensors is compared with the program itself
  /// by `comparer` first, once, and not used if that does not prove it.
  equivalence::ComparisonAnswer compare(equivalence::GraphComparer &comparer,
                                        const MuGraph &candidate);

private:
  MuGraph joinEdges(const MuGraph &graph) const;

  const MuGraph &program;
  std::optional<ProgramView> joined;
  bool isProved = false;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_COMPAREJOINED_H
