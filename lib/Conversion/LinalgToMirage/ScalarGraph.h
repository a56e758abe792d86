//===- ScalarGraph.h - Bodies of structured operations ----------*- C++ -*-===//
//
// What a structured operation computes for one point of its iteration space,
// as a graph of the operators of the semantics table. Spellings of one thing
// are one here: identities are gone, products with constants are scale, equal
// nodes are one node.
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
    /// An element of tensor number `operand`.
    Operand,
    /// The number `value`.
    Splat,
    /// An element of `elements`, whose dimensions are those of `dims`.
    Table,
    /// `kind` of the nodes `args`.
    Apply,
  };
  Form form = Form::Apply;
  mlir::FloatType type;
  /// Iteration dimensions that the node's value depends on.
  llvm::SmallBitVector dims;

  /// For operands and tables: whether values are one for true, zero for false.
  bool isCondition = false;
  unsigned operand = 0;
  double value = 0.0;
  mlir::DenseElementsAttr elements;
  OpKind kind = OpKind::Add;
  /// Of the attributes only what elementwise operators have.
  OpAttributes attrs;
  llvm::SmallVector<unsigned, 3> args;
};

/// Nodes refer to earlier ones by their number.
class ScalarGraph {
public:
  explicit ScalarGraph(unsigned numDims) : numDims(numDims) {}

  const ScalarNode &operator[](unsigned node) const { return nodes[node]; }
  unsigned getNumDims() const { return numDims; }

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

  /// Conditions are one where they hold, else zero, in any type.
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
  /// Whether the value of `node` depends on tensor number `operand`.
  bool dependsOn(unsigned node, unsigned operand) const;

private:
  unsigned add(ScalarNode node);
  /// The condition that `node` negates.
  std::optional<unsigned> matchNegation(unsigned node) const;
  std::optional<unsigned> simplify(OpKind kind, llvm::ArrayRef<unsigned> args,
                                   const OpAttributes &attrs);
  std::optional<unsigned> foldSplats(OpKind kind, llvm::ArrayRef<unsigned> args,
                                     const OpAttributes &attrs);

  unsigned numDims;
  std::vector<ScalarNode> nodes;
};

/// Whether every number of `narrow` is one of `wide`.
bool isExactlyWider(mlir::FloatType wide, mlir::FloatType narrow);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_SCALARGRAPH_H
