//===- ScalarGraph.h - Bodies of structured operations ----------*- C++ -*-===//
//
// Declares a graph of operators of the semantics table that says what a
// structured operation computes for one point of its iteration space. Spellings
// of one thing are one here: identities are gone, products with constants are
// scale, equal nodes are one node.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_SCALARGRAPH_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_SCALARGRAPH_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallBitVector.h"
#include <vector>

namespace mirage {

struct ScalarNode {
  enum class Form : uint8_t {
    /// The node is an element of tensor number `operand`.
    Operand,
    /// The node is the number `value`.
    Splat,
    /// The node is an element of `elements`, whose dimensions are those of
    /// `dims`.
    Table,
    /// The node is the operator `kind` of the nodes `args`.
    Apply,
  };
  Form form = Form::Apply;
  mlir::FloatType type;
  /// Iteration dimensions that the node's value depends on.
  llvm::SmallBitVector dims;

  /// True for operands and tables whose values are one for true, zero for
  /// false.
  bool isCondition = false;
  unsigned operand = 0;
  double value = 0.0;
  mlir::DenseElementsAttr elements;
  OpKind kind = OpKind::Add;
  /// The attributes, of which only those of elementwise operators are set.
  OpAttributes attrs;
  llvm::SmallVector<unsigned, 3> args;
};

/// Nodes refer to earlier ones by their number.
class ScalarGraph {
public:
  explicit ScalarGraph(unsigned numDims) : numDims(numDims) {}

  const ScalarNode &operator[](unsigned node) const { return nodes[node]; }
  /// Returns the number of bits of the elements of `node`.
  unsigned getWidth(unsigned node) const {
    return nodes[node].type.getIntOrFloatBitWidth();
  }

  unsigned addOperand(unsigned operand, mlir::FloatType type,
                      const llvm::SmallBitVector &dims, bool isCondition);
  unsigned addSplat(mlir::FloatType type, double value);
  unsigned addTable(mlir::DenseElementsAttr elements,
                    const llvm::SmallBitVector &dims, bool isCondition);
  /// Adds an operator, or finds the node that has its value. The type is that
  /// of the first argument.
  unsigned apply(OpKind kind, llvm::ArrayRef<unsigned> args,
                 const OpAttributes &attrs = {});
  unsigned applyScalar(OpKind kind, unsigned arg, double scalar);
  unsigned cast(unsigned arg, mlir::FloatType type);

  /// Adds conditions, which are one where they hold, else zero, in any type.
  unsigned compare(CompareKind kind, unsigned lhs, unsigned rhs);
  unsigned negate(unsigned condition);
  unsigned select(unsigned condition, unsigned ifTrue, unsigned ifFalse);
  bool isCondition(unsigned node) const;

  bool isSplat(unsigned node) const {
    return nodes[node].form == ScalarNode::Form::Splat;
  }
  bool isSplat(unsigned node, double value) const {
    return isSplat(node) && nodes[node].value == value;
  }
  bool isApply(unsigned node, OpKind kind) const {
    return nodes[node].form == ScalarNode::Form::Apply &&
           nodes[node].kind == kind;
  }
  /// Returns true if the value of `node` depends on tensor number `operand`.
  bool dependsOn(unsigned node, unsigned operand) const;

private:
  unsigned add(ScalarNode node);
  /// Returns the condition that `node` negates.
  std::optional<unsigned> matchNegation(unsigned node) const;
  std::optional<unsigned> simplify(OpKind kind, llvm::ArrayRef<unsigned> args,
                                   const OpAttributes &attrs);
  std::optional<unsigned> foldSplats(OpKind kind, llvm::ArrayRef<unsigned> args,
                                     const OpAttributes &attrs);

  unsigned numDims;
  std::vector<ScalarNode> nodes;
};

/// Returns true if every number of `narrow` is one of `wide`.
bool isExactlyWider(mlir::FloatType wide, mlir::FloatType narrow);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_SCALARGRAPH_H
