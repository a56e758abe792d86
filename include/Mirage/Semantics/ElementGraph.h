//===- ElementGraph.h - Graphs evaluated element by element -----*- C++ -*-===//
//
// A graph of operators without IR whose elements are computed on demand, each
// once: asking for one element of a graph of large tensors costs what that
// element depends on. Numbers carry error bounds (ErrorBound.h), so two graphs
// can be compared within what f32 arithmetic can tell apart.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ELEMENTGRAPH_H
#define MIRAGE_SEMANTICS_ELEMENTGRAPH_H

#include "Mirage/Semantics/ErrorBound.h"
#include "Mirage/Semantics/OpKind.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace mirage {

class ElementGraph {
public:
  using Node = unsigned;
  /// Returns the value of a variable's element, given its row-major position.
  using Source = std::function<double(int64_t)>;

  /// `options` choose the arithmetic whose errors the bounds describe.
  explicit ElementGraph(const EvaluateOptions &options = {})
      : options(options) {}

  /// Adds a tensor whose elements come from a source; see setSource.
  Node addVariable(ShapeRef shape);

  /// Adds an operator and returns its only result, or the one with number
  /// `result`. Composite operators are added by their decomposition. Attributes
  /// and operand shapes must have passed inferShapes. `roundedConstants` is the
  /// type in which the program holds the operator's constants, if they are
  /// roundings of the numbers meant: they then have an error of half a unit in
  /// the last place, unless four significant bits suffice for them.
  Node apply(OpKind kind, const OpAttributes &attributes,
             llvm::ArrayRef<Node> operands, unsigned result = 0,
             std::optional<ElementType> roundedConstants = std::nullopt);

  ShapeRef getShape(Node node) const { return nodes[node].shape; }

  /// Gives a variable other values and forgets what has been computed.
  void setSource(Node variable, Source source);

  /// Returns element number `index` in row-major order.
  Bounded evaluate(Node node, int64_t index);

private:
  struct System;
  struct Entry {
    std::optional<OpKind> kind;
    OpAttributes attributes;
    llvm::SmallVector<Node, 2> operands;
    llvm::SmallVector<Shape, 4> operandShapes;
    unsigned result = 0;
    std::optional<ElementType> roundedConstants;
    Shape shape;
    Source source;
    llvm::DenseMap<int64_t, Bounded> computed;
  };

  EvaluateOptions options;
  std::vector<Entry> nodes;
};

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ELEMENTGRAPH_H
