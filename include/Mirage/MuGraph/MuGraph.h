//===- MuGraph.h - µGraphs without IR ---------------------------*- C++ -*-===//
//
// A program as plain data: a function of kernel operators and launches, with
// the block and thread graphs inside of these. Verification, search and cost
// work on it; passes translate IR in and out. What an operator means is in
// Semantics.
//
// Nodes, values and regions are numbered; a region lists its nodes in an order
// in which they can run. Region 0 is the function's body.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_MUGRAPH_H
#define MIRAGE_MUGRAPH_MUGRAPH_H

#include "Mirage/Semantics/OpKind.h"
#include "Mirage/Semantics/TileMaps.h"

namespace mirage {

using MuValue = unsigned;

struct MuNode {
  enum class Kind : uint8_t {
    /// An operator of the table.
    Operator,
    /// A graph-defined operator: `body` runs once for each point of `extents`
    /// (blocks of a grid, or threads of a block). The body's arguments are the
    /// operands, whole; its results are results of its Store nodes.
    Graph,
    /// `body` runs extents[0] times, one after another. It has no arguments and
    /// sees the values around it; its results are results of its Accumulate
    /// nodes, one for each result of the loop.
    Loop,
    /// A point's and iteration's part of operand 0, an argument of the graph.
    Load,
    /// Combines the iterations' values: operand 0, and for rescaled sums
    /// operand 1, the shift.
    Accumulate,
    /// Puts the points' values (operand 0) together.
    Store,
  };

  Kind kind = Kind::Operator;
  llvm::SmallVector<MuValue, 3> operands;
  llvm::SmallVector<MuValue, 1> results;

  /// Operator.
  OpKind op = OpKind::Add;
  OpAttributes attributes;

  /// Graph and Loop.
  unsigned body = 0;
  llvm::SmallVector<int64_t, 3> extents;

  /// Load: how it cuts each dimension. Loops are numbered from the outermost of
  /// the graph's loops around the node.
  llvm::SmallVector<DimPartition, 4> partition;

  /// Accumulate; `dim` is the dimension of Concat.
  AccumulateKind accumulate = AccumulateKind::Sum;
  int64_t dim = 0;

  /// Store: for each grid dimension a dimension of the result or a MapEntry.
  llvm::SmallVector<int64_t, 3> omap;

  /// A number that says where the node comes from, in a way that its maker
  /// knows.
  unsigned location = 0;

  bool hasBody() const { return kind == Kind::Graph || kind == Kind::Loop; }
  /// The operator's mnemonic, or the kind in lower case.
  llvm::StringRef getName() const;
};

struct MuRegion {
  llvm::SmallVector<MuValue, 4> arguments;
  std::vector<unsigned> nodes;
  llvm::SmallVector<MuValue, 2> results;
};

class MuGraph {
public:
  struct Value {
    Shape shape;
    /// The type in which a program stores the value.
    ElementType type = ElementType::f32;
  };

  MuGraph() { regions.emplace_back(); }

  const MuNode &getNode(unsigned node) const { return nodes[node]; }
  const MuRegion &getRegion(unsigned region = 0) const {
    return regions[region];
  }
  const Value &getValue(MuValue value) const { return values[value]; }
  ShapeRef getShape(MuValue value) const { return values[value].shape; }
  unsigned getNumValues() const { return values.size(); }
  unsigned getNumNodes() const { return nodes.size(); }
  unsigned getNumRegions() const { return regions.size(); }

  MuValue addValue(ShapeRef shape, ElementType type);
  unsigned addRegion();
  /// Adds an argument to a region: an input of the function, or a graph's.
  MuValue addArgument(unsigned region, ShapeRef shape, ElementType type);
  /// Adds an operator at the end of `region` and returns its first result.
  /// Attributes and shapes must satisfy the operator's constraints.
  MuValue addOperator(unsigned region, OpKind kind,
                      const OpAttributes &attributes,
                      llvm::ArrayRef<MuValue> operands, ElementType type,
                      unsigned location = 0);
  /// Adds a node whose results exist already.
  unsigned addNode(unsigned region, MuNode node);
  void setArguments(unsigned region, llvm::ArrayRef<MuValue> arguments) {
    regions[region].arguments.assign(arguments.begin(), arguments.end());
  }
  void setResults(unsigned region, llvm::ArrayRef<MuValue> results) {
    regions[region].results.assign(results.begin(), results.end());
  }

  // The other nodes. Shapes follow from their maps, which must be legal.
  MuValue addLoad(unsigned region, MuValue source, llvm::ArrayRef<int64_t> imap,
                  llvm::ArrayRef<int64_t> grid,
                  llvm::ArrayRef<int64_t> fmap = {},
                  llvm::ArrayRef<int64_t> loops = {});
  MuValue addStore(unsigned region, MuValue value, llvm::ArrayRef<int64_t> omap,
                   llvm::ArrayRef<int64_t> grid);
  MuValue addAccumulate(unsigned region, AccumulateKind kind, MuValue value,
                        int64_t loopExtent,
                        std::optional<MuValue> shift = std::nullopt,
                        int64_t dim = 0);
  /// The loop's results, one for each result of `body`.
  llvm::SmallVector<MuValue> addLoop(unsigned region, int64_t extent,
                                     unsigned body);
  /// The graph's results, one for each result of `body`.
  llvm::SmallVector<MuValue> addGraph(unsigned region,
                                      llvm::ArrayRef<MuValue> operands,
                                      llvm::ArrayRef<int64_t> extents,
                                      unsigned body);

private:
  std::vector<Value> values;
  std::vector<MuNode> nodes;
  std::vector<MuRegion> regions;
};

/// Prints the graph for people who debug: a line for each node, "%2: 4x8xf32 =
/// add %0, %1", with those attributes that differ from their defaults.
std::string toString(const MuGraph &graph);

/// The same program in few operators: composites and functions are replaced by
/// their definitions (Composite.h, Element.h), means by quotients, casts by
/// their operands. Where casts of constants are to round them, that is done
/// before (Analysis/Equivalence/RoundConstants.h). Left are
///
///   add, sub, mul, div, max, min, compare, select, exp, log, sqrt, sigmoid,
///   erf, tanh, pow (other powers than integers and halves), constant, all
///   layout operators, reduce sum and max, matmul without attributes but the
///   transposed ones, conv2d.
///
/// exp2(x) becomes exp(x ln 2); ln 2 enters as a constant of type f64 (see
/// ExactConstant.h). Inputs and results keep their order. On request
/// sigmoid(x) becomes 1 / (1 + exp(-x)), and tanh a quotient of exponentials.
struct ExpandOptions {
  bool sigmoid = false;
  bool tanh = false;
};
MuGraph expandToPrimitives(const MuGraph &graph,
                           const ExpandOptions &options = {});

} // namespace mirage

#endif // MIRAGE_MUGRAPH_MUGRAPH_H
