//===- AbstractEvaluation.h - Abstract expressions of operators -*- C++ -*-===//
//
// The abstract expression of what each operator computes: E of the Mirage paper
// (section 4.3, Table 1).
//
// Beyond the paper:
//  - Signs are ignored, so x - y is add(x, y). No axiom cancels anything, so
//    that signs would only tell apart what is equal.
//  - Constants are symbols named by their magnitude to three digits. Factors
//    that are one vanish, and quotients by constants are products with their
//    inverses.
//  - Maxima subtracted before exponentials (shifts) are ignored: the expression
//    of such a maximum is that of the elements, E(x - m) = E(x), and
//    exp(m - m'), which rescales a sum, is a factor one. A maximum
//    that is added to the logarithm of such a sum is ignored, too.
//    AbstractValue::Role says which values these are.
//  - Other maxima of elements are a function of these, whatever the extents
//    are: the maximum of maxima is one maximum.
//  - select(c, x, y) is x chosen(c) + y otherwise(c). This expression is
//    linear in x and y.
//  - Other functions stay themselves: silu(x) and x sigmoid(x) are different
//    expressions, although they are equal. Therefore the candidates that the
//    search finds compute such functions by the operators that the goal
//    computes them by.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H
#define MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Search/Expressions/AbstractExpression.h"

namespace mirage::search {

/// What is known of a tensor without its sizes.
struct AbstractValue {
  enum class Role : uint8_t {
    Plain,
    /// The value is a maximum over some elements: subtracting it changes no
    /// quotient of exponentials. Its expression is that of the elements.
    Shift,
    /// The value is the difference of two shifts.
    ShiftDifference,
    /// The value is the exponential of a difference of shifts, by which sums
    /// are rescaled. As a factor it counts as one.
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

  /// The results of an operator, which are all alike. `reductions` are the
  /// extents over which it sums: none, one, or two for concat_matmul. A mean
  /// over an unknown extent has to be written as a sum and a quotient, and a
  /// composite operator as its definition (Composite.h).
  AbstractValue apply(OpKind kind, const OpAttributes &attributes,
                      llvm::ArrayRef<AbstractValue> operands,
                      llvm::ArrayRef<SymbolicExtent> reductions);

  /// The result of an accumulator of a loop: sum(extent, E(x)) for sums,
  /// rescaled ones too, and E(x) for concatenations and maxima.
  AbstractValue accumulate(AccumulateKind kind, const AbstractValue &value,
                           const SymbolicExtent &extent);
  /// A maximum of elements as a value: a function of what it is taken of,
  /// whatever the parts in which it is taken.
  AbstractValue takeMaximum(const AbstractValue &value);
  /// The name of that function.
  static constexpr llvm::StringLiteral kMaximum = "reduce_max";

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
  /// The values of the symbols that stand for constants.
  llvm::DenseMap<const Expression *, double> numbers;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEVALUATION_H
