//===- LaunchGraph.h - Candidates with symbolic sizes -----------*- C++ -*-===//
//
// A graph-defined kernel as the search builds it: which axes its grid and its
// loop divide, what it loads, and its block operators. Sizes are chosen later.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHGRAPH_H
#define MIRAGE_SEARCH_LAUNCHGRAPH_H

#include "Mirage/Search/SearchProblem.h"

namespace mirage::search {

/// An input iterator: a tensor of the kernel graph, and which factors select
/// the tile in each dimension.
struct LoadChoice {
  uint8_t tensor = 0;
  Dims dims;
};

/// An operator of the block graph. Operands are values: first loads, then
/// operators.
struct BlockOperator {
  /// Index into SearchProblem::getForms().
  uint8_t form = 0;
  uint8_t first = 0, second = 0;
  /// Dimension of reductions and concatenations.
  uint8_t dim = 0;
};

struct LaunchGraph {
  struct Value {
    Dims dims;
    /// Computed in the loop, or from what it leaves.
    bool isInLoop = false, isAfterLoop = false;
    /// The maximum of the same iteration that it is relative to.
    std::optional<uint8_t> shift;
  };

  /// Axes that grid dimensions x, y, z divide.
  llvm::SmallVector<uint8_t, 3> gridAxes;
  std::optional<uint8_t> loopAxis;
  llvm::SmallVector<LoadChoice, 4> loads;
  llvm::SmallVector<BlockOperator, 12> operators;
  /// Of loads and operators.
  std::vector<Value> values;
  /// Values that are stored. Grid axes that a value's dimensions do not divide
  /// become leading dimensions, the splits, in the order of the grid.
  llvm::SmallVector<uint8_t, 2> outputs;

  /// What tells it from all other launches.
  std::vector<uint16_t> getKey() const;
};

/// A kernel graph: launches in the order in which they run. Tensors are the
/// program's inputs, then the launches' outputs.
struct Candidate {
  std::vector<LaunchGraph> launches;
  /// The tensors that are the program's results.
  llvm::SmallVector<uint8_t, 2> results;
  /// It leaves other tensors than the program's results.
  bool isPartial = false;
  /// Sums of two products are one concat_matmul wherever they can be.
  bool joinsProducts = false;
};

/// One line for each launch and operator.
std::string toString(const SearchProblem &problem, const Candidate &candidate);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHGRAPH_H
