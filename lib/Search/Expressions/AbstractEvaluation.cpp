//===- AbstractEvaluation.cpp - Abstract expressions of operators ---------===//
//
// Sums, products, quotients and functions of abstract values: where constants
// are folded, and shifts ignored.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/AbstractEvaluation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using Role = AbstractValue::Role;

static std::string printNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g", value);
  return text;
}

static AbstractValue makePlain(const Expression *expression) {
  return {expression, Role::Plain, std::nullopt};
}

const Expression *AbstractEvaluator::number(double value) {
  const Expression *symbol = context.symbol(printNumber(std::fabs(value)));
  numbers.try_emplace(symbol, std::fabs(value));
  return symbol;
}

const Expression *AbstractEvaluator::scale(const Expression *x, double factor) {
  factor = std::fabs(factor);
  // Factors that make one vanish. Others stay apart: the product of two is not
  // on the way to one with their product.
  if (x->kind == Expression::Kind::Mul) {
    auto other = numbers.find(x->operands[1]);
    if (other != numbers.end()) {
      if (printNumber(factor * other->second) == "1")
        return x->operands[0];
      const Expression *inner = scale(x->operands[0], factor);
      if (inner->kind != Expression::Kind::Mul ||
          inner->operands[0] != x->operands[0])
        return context.mul(inner, x->operands[1]);
    }
  }
  if (printNumber(factor) == "1")
    return x;
  return context.mul(x, number(factor));
}

AbstractValue AbstractEvaluator::constant(const OpAttributes &attributes) {
  const std::vector<double> &values = *attributes.values;
  AbstractValue result;
  if (!values.empty() && llvm::all_equal(values)) {
    result.constant = values.front();
    result.expression = number(values.front());
    return result;
  }
  // Different constants, different names.
  uint64_t hash = 0;
  for (double value : values)
    hash = (hash ^ llvm::bit_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15u;
  std::string name = "constant";
  llvm::raw_string_ostream(name) << llvm::format("%016llx", hash);
  result.expression = context.symbol(name);
  return result;
}

AbstractValue AbstractEvaluator::add(const AbstractValue &x,
                                     const AbstractValue &y) {
  if (x.constant == 0.0 || y.constant == 0.0)
    return x.constant == 0.0 ? y : x;
  // The maximum is subtracted from what the logarithm is taken of.
  if (x.role == Role::Plain && y.role == Role::Shift)
    return x;
  if (x.role == Role::Shift && y.role == Role::Plain)
    return y;
  return makePlain(context.add(x.expression, y.expression));
}

AbstractValue AbstractEvaluator::subtract(const AbstractValue &x,
                                          const AbstractValue &y) {
  if (y.role == Role::ShiftDifference)
    return x;
  if (y.role == Role::Shift) {
    AbstractValue result = x;
    if (x.role == Role::Shift)
      result.role = Role::ShiftDifference;
    return result;
  }
  return add(x, y);
}

AbstractValue AbstractEvaluator::multiply(const AbstractValue &x,
                                          const AbstractValue &y) {
  if (y.role == Role::Rescaling)
    return x;
  if (x.role == Role::Rescaling)
    return y;
  if (x.constant && y.constant)
    return {number(*x.constant * *y.constant), Role::Plain,
            *x.constant * *y.constant};
  if (y.constant)
    return {scale(x.expression, *y.constant), x.role, std::nullopt};
  if (x.constant)
    return {scale(y.expression, *x.constant), y.role, std::nullopt};
  return makePlain(context.mul(x.expression, y.expression));
}

AbstractValue AbstractEvaluator::divide(const AbstractValue &x,
                                        const AbstractValue &y) {
  if (y.role == Role::Rescaling)
    return x;
  if (y.constant && *y.constant != 0.0 && std::isfinite(*y.constant)) {
    AbstractValue inverse;
    inverse.constant = 1.0 / *y.constant;
    inverse.expression = number(*inverse.constant);
    return multiply(x, inverse);
  }
  // The reciprocal of a reciprocal.
  if (y.expression->kind == Expression::Kind::Inv) {
    AbstractValue inverse = makePlain(y.expression->operands[0]);
    return multiply(x, inverse);
  }
  if (x.constant)
    return makePlain(scale(context.inv(y.expression), *x.constant));
  return makePlain(context.div(x.expression, y.expression));
}

AbstractValue AbstractEvaluator::maximum(const AbstractValue &x,
                                         const AbstractValue &y) {
  if (x.role != Role::Shift || y.role != Role::Shift)
    return function("max", {x, y}, /*isCommutative=*/true);
  if (x.expression == y.expression)
    return x;
  AbstractValue result = function("max", {x, y}, /*isCommutative=*/true);
  result.role = Role::Shift;
  return result;
}

AbstractValue AbstractEvaluator::takeMaximum(const AbstractValue &value) {
  const Expression *x = value.expression;
  if (x->kind == Expression::Kind::Function &&
      context.getName(x->name) == kMaximum)
    return makePlain(x);
  return function(kMaximum, {value});
}

AbstractValue AbstractEvaluator::select(const AbstractValue &condition,
                                        const AbstractValue &x,
                                        const AbstractValue &y) {
  AbstractValue left = multiply(x, function("chosen", {condition}));
  AbstractValue right = multiply(y, function("otherwise", {condition}));
  if (x.constant == 0.0 || y.constant == 0.0)
    return makePlain((x.constant == 0.0 ? right : left).expression);
  return makePlain(context.add(left.expression, right.expression));
}

AbstractValue AbstractEvaluator::power(const AbstractValue &x,
                                       double exponent) {
  double magnitude = std::fabs(exponent);
  const Expression *result = nullptr;
  if (magnitude == 0.5) {
    result = context.sqrt(x.expression);
  } else if (magnitude >= 1 && magnitude <= 8 &&
             magnitude == std::floor(magnitude)) {
    result = x.expression;
    for (int i = 1; i < magnitude; ++i)
      result = context.mul(result, x.expression);
  } else {
    return function("pow" + printNumber(exponent), {x});
  }
  return makePlain(exponent < 0 ? context.inv(result) : result);
}

AbstractValue
AbstractEvaluator::function(llvm::StringRef name,
                            llvm::ArrayRef<AbstractValue> operands,
                            bool isCommutative) {
  llvm::SmallVector<const Expression *, 3> expressions;
  for (const AbstractValue &operand : operands)
    expressions.push_back(operand.expression);
  if (isCommutative)
    llvm::sort(expressions, [](const Expression *a, const Expression *b) {
      return a->number < b->number;
    });
  return makePlain(context.function(name, expressions));
}

AbstractValue
AbstractEvaluator::applyElementwise(OpKind kind, const OpAttributes &attributes,
                                    llvm::ArrayRef<AbstractValue> operands) {
  const AbstractValue &x = operands[0];
  switch (kind) {
  case OpKind::Add:
    return add(x, operands[1]);
  case OpKind::Sub:
    return subtract(x, operands[1]);
  case OpKind::Mul:
    return multiply(x, operands[1]);
  case OpKind::Div:
    return divide(x, operands[1]);
  case OpKind::Max:
    return maximum(x, operands[1]);
  case OpKind::Min:
    return function("min", operands, /*isCommutative=*/true);
  case OpKind::Compare: {
    static constexpr llvm::StringLiteral names[] = {
        "equal", "different", "less", "less_equal", "less", "less_equal"};
    CompareKind comparison = attributes.compareKind;
    llvm::StringRef name = names[static_cast<unsigned>(comparison)];
    if (comparison == CompareKind::GT || comparison == CompareKind::GE)
      return function(name, {operands[1], x});
    return function(name, operands,
                    comparison == CompareKind::EQ ||
                        comparison == CompareKind::NE);
  }
  case OpKind::Exp:
    if (x.role == Role::ShiftDifference)
      return {x.expression, Role::Rescaling, std::nullopt};
    return makePlain(context.exp(x.expression));
  case OpKind::Exp2:
    if (x.role == Role::ShiftDifference)
      return {x.expression, Role::Rescaling, std::nullopt};
    return makePlain(context.exp(scale(x.expression, M_LN2)));
  case OpKind::Sqrt:
    return power(x, 0.5);
  case OpKind::Rsqrt:
    return power(x, -0.5);
  case OpKind::Square:
    return power(x, 2);
  case OpKind::Pow:
    return power(x, attributes.scalar);
  case OpKind::Gelu:
    return function(attributes.geluForm == GeluForm::Erf ? "gelu" : "gelu_tanh",
                    operands);
  case OpKind::Clamp:
    return function("clamp" + printNumber(attributes.lower) + "_" +
                        printNumber(attributes.upper),
                    operands);
  case OpKind::Scale: {
    if (x.constant)
      return {number(*x.constant * attributes.scalar), Role::Plain,
              *x.constant * attributes.scalar};
    return {scale(x.expression, attributes.scalar), x.role, std::nullopt};
  }
  case OpKind::Cast:
    return x;
  case OpKind::Select:
    return select(x, operands[1], operands[2]);
  default:
    // Functions of one operand.
    return function(getOpInfo(kind).mnemonic, operands);
  }
}

AbstractValue
AbstractEvaluator::apply(OpKind kind, const OpAttributes &attributes,
                         llvm::ArrayRef<AbstractValue> operands,
                         llvm::ArrayRef<SymbolicExtent> reductions) {
  if (isElementwise(kind))
    return applyElementwise(kind, attributes, operands);
  switch (kind) {
  case OpKind::Constant:
    return constant(attributes);
  case OpKind::Concat:
    if (llvm::all_of(operands, [&](const AbstractValue &operand) {
          return operand.expression == operands[0].expression;
        }))
      return {operands[0].expression, operands[0].role, std::nullopt};
    return function("concat", operands);
  case OpKind::Pad:
    return {operands[0].expression, operands[0].role, std::nullopt};
  case OpKind::Reduce: {
    if (attributes.reduceKind == ReduceKind::Max)
      return {operands[0].expression, Role::Shift, std::nullopt};
    const Expression *sum = context.sum(reductions[0], operands[0].expression);
    if (attributes.reduceKind == ReduceKind::Sum)
      return makePlain(sum);
    if (std::optional<int64_t> size = reductions[0].getSize())
      return makePlain(scale(sum, 1.0 / static_cast<double>(*size)));
    return makePlain(
        context.mul(sum, context.symbol("1/" + reductions[0].toString())));
  }
  case OpKind::Matmul:
  case OpKind::Conv2d:
    return makePlain(context.sum(
        reductions[0], multiply(operands[0], operands[1]).expression));
  case OpKind::ConcatMatmul:
    // (x a) times (y over b) is x y + a b, with the operands x, a, y, b.
    return makePlain(context.add(
        context.sum(reductions[0],
                    multiply(operands[0], operands[2]).expression),
        context.sum(reductions[1],
                    multiply(operands[1], operands[3]).expression)));
  default:
    break;
  }
  if (isLayout(kind))
    return operands[0];
  llvm::report_fatal_error("the operator's expression needs its shapes");
}

AbstractValue AbstractEvaluator::accumulate(AccumulateKind kind,
                                            const AbstractValue &value,
                                            const SymbolicExtent &extent) {
  switch (kind) {
  case AccumulateKind::Concat:
    return {value.expression, value.role, std::nullopt};
  case AccumulateKind::Max:
    return {value.expression, Role::Shift, std::nullopt};
  case AccumulateKind::Sum:
  case AccumulateKind::RescaledSum:
    break;
  }
  return {context.sum(extent, value.expression), Role::Plain, std::nullopt};
}
