//===- Draft.h - µGraphs that can be edited ---------------------*- C++ -*-===//
//
// A draft is a copy of a µGraph whose nodes may be changed at will. Loads are
// given back their maps. Whether a draft is still a program, and of which
// shapes, shows when a MuGraph is built of it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_DRAFT_H
#define MIRAGE_TOOLS_MUTATE_DRAFT_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::mutate {

/// The place of a node.
struct Site {
  unsigned node = 0;
  unsigned region = 0;
  /// The extents of the graph around it, empty in the function's body.
  llvm::SmallVector<int64_t, 3> grid;
  /// The extents of the graph's loops around it, outermost first.
  llvm::SmallVector<int64_t, 2> loops;
  /// Values that operators here may use.
  llvm::SmallVector<MuValue> visible;
  /// Values that loads here may read: arguments of the graph.
  llvm::SmallVector<MuValue> arguments;
};

class Draft {
public:
  explicit Draft(const MuGraph &graph);

  std::vector<MuGraph::Value> values;
  std::vector<MuNode> nodes;
  /// The maps of each node; only Load nodes have some.
  std::vector<TileMaps> maps;
  std::vector<MuRegion> regions;

  /// All nodes, each after those that it can see.
  std::vector<Site> getSites() const;
  ShapeRef getShape(MuValue value) const { return values[value].shape; }

  // Changes that need more than an assignment.

  /// Adds an operator in front of `node`. Its result has `shape` in the draft,
  /// for those who look at it before it is built.
  MuValue insertBefore(unsigned node, OpKind op, const OpAttributes &attributes,
                       llvm::ArrayRef<MuValue> operands, ShapeRef shape);
  MuValue insertAfter(unsigned node, OpKind op, const OpAttributes &attributes,
                      llvm::ArrayRef<MuValue> operands, ShapeRef shape);
  MuValue insertConstantBefore(unsigned node, double value, size_t rank,
                               ElementType type);
  /// Replaces all uses of a value but those by `except`.
  void replaceUses(MuValue value, MuValue by,
                   std::optional<unsigned> except = std::nullopt);

  /// Builds the program, if it is one: with shapes inferred, and by the rules
  /// for maps, accumulators and stores that the dialects' verifiers apply.
  std::optional<MuGraph> build() const;

private:
  MuValue insert(unsigned node, unsigned offset, OpKind op,
                 const OpAttributes &attributes,
                 llvm::ArrayRef<MuValue> operands, ShapeRef shape);
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_DRAFT_H
