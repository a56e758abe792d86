//===- AbstractEvaluation.h - Abstract expressions of programs --*- C++ -*-===//
//
// E of the Mirage paper (section 4.3, Table 1): the abstract expression of what
// each operator computes. For a generator, operator by operator; for a µGraph,
// of all its values.
//
// Beyond the paper:
//  - Signs are ignored, x - y is add(x, y): no axiom cancels, so they would
//    tell apart only what is equal.
//  - Constants are symbols named by their magnitude to three digits; factors
//    one vanish, and quotients by constants are products with their inverses.
//  - Maxima subtracted before exponentials (shifts) are ignored: E(max x) =
//  E(x)
//    for a maximum of elements, E(x - m) = E(x), and exp(m - m'), which
//    rescales a sum, is a factor one. See AbstractValue::Role.
//  - Other maxima of elements are a function of these, whatever the extents:
//  the
//    maximum of maxima is one maximum.
//  - select(c, x, y) is x chosen(c) + y otherwise(c): it is linear in x and y.
//  - Composite operators have the expressions of their definitions
//    (Composite.h). Other functions stay themselves: silu(x) and x sigmoid(x)
//    are different, so a goal and its candidates use the same operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H
#define MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Search/Expressions/AbstractExpression.h"

namespace mirage::search {

/// What is known of a tensor.
struct AbstractValue {
  enum class Role : uint8_t {
    Plain,
    /// A maximum over some elements: subtracting it changes no quotient of
    /// exponentials. Its expression is that of the elements.
    Shift,
    /// The difference of two shifts.
    ShiftDifference,
    /// Its exponential, by which sums are rescaled: a factor one.
    Rescaling,
  };

  const Expression *expression = nullptr;
  Role role = Role::Plain;
  /// The value of a constant that is the same everywhere.
  std::optional<double> constant;
};

class AbstractEvaluator {
public:
  explicit AbstractEvaluator(ExpressionContext &context) : context(context) {}

  AbstractValue variable(llvm::StringRef name) {
    return {context.symbol(name), AbstractValue::Role::Plain, std::nullopt};
  }

  /// The results (all of them alike) of an operator. `reductions` are the
  /// extents over which it sums, as getReductions gives them or with unknowns
  /// in their place. A mean over unknown extents is to be written as a sum and
  /// a quotient.
  AbstractValue apply(OpKind kind, const OpAttributes &attributes,
                      llvm::ArrayRef<AbstractValue> operands,
                      llvm::ArrayRef<Extent> reductions);
  /// The same from shapes; composite operators need them.
  AbstractValue apply(OpKind kind, const OpAttributes &attributes,
                      llvm::ArrayRef<AbstractValue> operands,
                      llvm::ArrayRef<Shape> shapes);

  /// An output accumulator of a loop: sum(extent, E(x)) for sums, rescaled ones
  /// too, E(x) for concatenations and maxima.
  AbstractValue accumulate(AccumulateKind kind, const AbstractValue &value,
                           const Extent &extent);
  /// A maximum of elements as a value: what it is taken of, whatever the parts
  /// in which it is taken.
  AbstractValue takeMaximum(const AbstractValue &value);
  static constexpr llvm::StringLiteral kMaximum = "reduce_max";
  /// An output saver: E(x), or summed over the blocks that its omap sums.
  AbstractValue store(const AbstractValue &value, llvm::ArrayRef<int64_t> omap,
                      llvm::ArrayRef<Extent> grid);

private:
  AbstractValue applyElementwise(OpKind kind, const OpAttributes &attributes,
                                 llvm::ArrayRef<AbstractValue> operands);
  AbstractValue add(const AbstractValue &x, const AbstractValue &y);
  AbstractValue subtract(const AbstractValue &x, const AbstractValue &y);
  AbstractValue multiply(const AbstractValue &x, const AbstractValue &y);
  AbstractValue divide(const AbstractValue &x, const AbstractValue &y);
  AbstractValue maximum(const AbstractValue &x, const AbstractValue &y);
  AbstractValue select(const AbstractValue &condition, const AbstractValue &x,
                       const AbstractValue &y);
  AbstractValue power(const AbstractValue &x, double exponent);
  AbstractValue function(llvm::StringRef name,
                         llvm::ArrayRef<AbstractValue> operands,
                         bool isCommutative = false);
  AbstractValue constant(const OpAttributes &attributes);
  const Expression *number(double value);
  const Expression *scale(const Expression *x, double factor);

  ExpressionContext &context;
  /// Values of the constants' symbols.
  llvm::DenseMap<const Expression *, double> numbers;
};

/// Over how many elements an operator sums: nothing, one extent, or two for
/// concat_matmul.
llvm::SmallVector<Extent, 2> getReductions(OpKind kind,
                                           const OpAttributes &attributes,
                                           llvm::ArrayRef<Shape> shapes);

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

#endif // MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H
