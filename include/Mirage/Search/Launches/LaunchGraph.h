//===- LaunchGraph.h - Candidates with symbolic sizes -----------*- C++ -*-===//
//
// A graph-defined kernel as the search builds it: which axes its grid and its
// loops divide, what it loads, and its block operators. Sizes are chosen later.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_LAUNCHGRAPH_H
#define MIRAGE_SEARCH_LAUNCHES_LAUNCHGRAPH_H

#include "Mirage/Search/Launches/Shift.h"
#include "Mirage/Search/Problem/SearchProblem.h"
#include "Mirage/Support/IndexSet.h"

namespace mirage::search {

/// A region of the block graph: its body, or the body of a loop.
class RegionId {
public:
  /// The graph's body.
  constexpr RegionId() = default;
  /// The body of the loop of this number.
  static constexpr RegionId ofLoop(unsigned loop) {
    return RegionId(static_cast<uint8_t>(loop + 1));
  }

  constexpr bool isBody() const { return number == 0; }
  /// Returns the loop whose body the region is.
  constexpr unsigned getLoop() const {
    assert(!isBody() && "the graph's body is no loop's");
    return number - 1;
  }
  /// Returns the region's place: the graph's body, then those of loops.
  constexpr uint8_t getNumber() const { return number; }
  static constexpr RegionId fromNumber(uint8_t number) {
    return RegionId(number);
  }

  /// A region comes before those inside of it.
  constexpr auto operator<=>(const RegionId &other) const = default;

private:
  constexpr explicit RegionId(uint8_t number) : number(number) {}

  uint8_t number = 0;
};
inline constexpr RegionId kBody;

/// Returns the regions of a graph with so many loops, each before those inside
/// of it.
llvm::SmallVector<RegionId, 4> getRegions(size_t loops);

/// Some loops of a launch, by their numbers.
using LoopSet = IndexSet<struct LoopTag, uint8_t>;

/// A loop over an axis. Loops are numbered so that what is around a loop and
/// what runs before it in the same region comes first. Loops over one axis are
/// never inside of each other, and have the same number of iterations.
struct LoopChoice {
  uint8_t axis = 0;
  RegionId parent = kBody;
  bool operator==(const LoopChoice &other) const = default;
};

/// An input iterator: it loads a tensor of the kernel graph, of which `dims`
/// say what factors select the tile in each dimension. It stands in the
/// innermost of the loops that select.
struct LoadChoice {
  uint8_t tensor = 0;
  Dims dims;
  RegionId region = kBody;
};

/// Says when a value is computed: in which region, and after how many of the
/// region's own loops.
struct Phase {
  RegionId region = kBody;
  uint8_t step = 0;
  bool operator==(const Phase &other) const = default;
};

/// An operator of the block graph. Its operands are values, which are numbered:
/// first the loads, then the operators.
struct BlockOperator {
  FormId formId = 0;
  uint8_t first = 0, second = 0;
  /// The axes over which the operator sums or takes maxima: a number of
  /// SearchProblem::getReducedAxes.
  uint8_t reduced = 0;
  uint8_t third = 0;
  /// A product's matrices are transposed and exchanged, so that the rows of its
  /// result are the columns of the program's.
  uint8_t isExchanged = 0;

  bool operator==(const BlockOperator &other) const = default;

  /// The values that the operator is applied to, if it has `count` operands.
  llvm::SmallVector<uint8_t, 3> getOperands(unsigned count) const {
    llvm::SmallVector<uint8_t, 3> operands = {first, second, third};
    operands.truncate(count);
    return operands;
  }
};

struct LaunchGraph {
  struct Value {
    Dims dims;
    Phase phase;
    /// The maximum that the value is relative to, if a value of the same
    /// iteration holds it.
    Shift shift;
  };

  /// Axes that grid dimensions x, y, z divide.
  llvm::SmallVector<uint8_t, 3> gridAxes;
  llvm::SmallVector<LoopChoice, 2> loops;
  llvm::SmallVector<LoadChoice, 4> loads;
  llvm::SmallVector<BlockOperator, 12> operators;
  /// The values that loads and operators give.
  std::vector<Value> values;
  /// Values that are stored. Grid axes that a value's dimensions do not divide
  /// become leading dimensions, the splits, in the order of the grid.
  llvm::SmallVector<uint8_t, 2> outputs;

  /// A sequence of numbers that no other launch has.
  std::vector<uint16_t> getKey() const;

  /// Returns the axes of loops, each once, in the order of the loops.
  llvm::SmallVector<uint8_t, 2> getLoopAxes() const;
  /// The region that the loop of a region stands in.
  RegionId getParent(RegionId region) const {
    return loops[region.getLoop()].parent;
  }
  /// The phase of a loop's results.
  Phase getPhaseAfter(unsigned loop) const;
  /// The loops around a region, and the one that it is the body of.
  LoopSet getLoopsAround(RegionId region) const;
};

/// A kernel graph: launches in the order in which they run. Tensors are the
/// program's inputs, then the launches' outputs.
struct Candidate {
  std::vector<LaunchGraph> launches;
  /// The tensors that are the program's results.
  llvm::SmallVector<uint8_t, 2> results;
  /// The candidate leaves other tensors than the program's results.
  bool isPartial = false;
  /// Sums of two products are one concat_matmul wherever they can be.
  bool joinsProducts = false;
  /// Elementwise operators have the order of dimensions of what something else
  /// than elementwise operators computes, and tiles are transposed as they were
  /// loaded. Otherwise they mostly have that of their first operand, and
  /// results of products are transposed.
  bool transposesLoads = false;
};

/// Prints one line for each launch and operator.
std::string toString(const SearchProblem &problem, const Candidate &candidate);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_LAUNCHGRAPH_H
