//===- UniformValues.cpp - Tensors all of whose elements are one ----------===//
//
// Follows single numbers through operators.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/UniformValues.h"
#include "Mirage/Semantics/Element.h"
#include "NumberSystem.h"

using namespace mirage;

/// Returns the result of an elementwise operator that one operand decides,
/// whatever finite numbers the others are.
static UniformValue getDecidedResult(OpKind kind,
                                     llvm::ArrayRef<UniformValue> operands) {
  auto is = [&](size_t operand, auto holds) {
    return operands[operand] && holds(*operands[operand]);
  };
  auto isInfinite = [](double value) { return std::isinf(value); };
  auto isZero = [](double value) { return value == 0; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case OpKind::Add:
    for (size_t i : {0, 1})
      if (is(i, isInfinite))
        return operands[i];
    return std::nullopt;
  case OpKind::Sub:
    if (is(0, isInfinite))
      return operands[0];
    return is(1, isInfinite) ? UniformValue(-*operands[1]) : std::nullopt;
  case OpKind::Mul:
    return is(0, isZero) || is(1, isZero) ? UniformValue(0) : std::nullopt;
  case OpKind::Max:
  case OpKind::Min:
    for (size_t i : {0, 1})
      if (operands[i] == (kind == OpKind::Max ? infinity : -infinity))
        return operands[i];
    return std::nullopt;
  case OpKind::Select:
    return operands[0] ? operands[*operands[0] != 0 ? 1 : 2] : std::nullopt;
  default:
    return std::nullopt;
  }
}

static UniformValue getReduced(const OpAttributes &attributes, double value) {
  // The sum of many equal numbers is another one.
  bool isKept = attributes.reduceKind != ReduceKind::Sum || value == 0 ||
                std::isinf(value);
  return isKept ? UniformValue(value) : std::nullopt;
}

/// Returns zero if all products of so many pairs of operands are zero.
static UniformValue getProduct(llvm::ArrayRef<UniformValue> operands) {
  size_t pairs = operands.size() / 2;
  for (size_t i = 0; i < pairs; ++i)
    if (operands[i] != 0.0 && operands[pairs + i] != 0.0)
      return std::nullopt;
  return 0;
}

UniformValue mirage::getUniformResult(OpKind kind,
                                      const OpAttributes &attributes,
                                      llvm::ArrayRef<UniformValue> operands,
                                      ElementType type) {
  auto areKnown = [&] {
    return llvm::all_of(operands, [](UniformValue x) { return x.has_value(); });
  };
  auto round = [&](UniformValue value) {
    return value ? UniformValue(roundTo(type, *value)) : std::nullopt;
  };
  switch (getOpInfo(kind).opClass) {
  case OpClass::Elementwise: {
    if (!areKnown())
      return round(getDecidedResult(kind, operands));
    llvm::SmallVector<double, 3> numbers;
    for (UniformValue operand : operands)
      numbers.push_back(*operand);
    detail::NumberSystem<double> system{EvaluateOptions()};
    return round(evaluateScalar(kind, attributes,
                                llvm::ArrayRef<double>(numbers), system));
  }
  case OpClass::Constant:
    if (!attributes.values || attributes.values->size() != 1)
      return std::nullopt;
    return attributes.values->front();
  case OpClass::Layout:
    if (!areKnown() || !llvm::all_equal(operands) ||
        (kind == OpKind::Pad && operands.front() != attributes.scalar))
      return std::nullopt;
    return operands.front();
  case OpClass::Reduction:
    return areKnown() ? round(getReduced(attributes, *operands.front()))
                      : std::nullopt;
  case OpClass::Contraction:
    return kind == OpKind::Conv2d ? std::nullopt : getProduct(operands);
  case OpClass::Composite:
    break;
  }
  return std::nullopt;
}

bool mirage::isNeutral(AccumulateKind kind, UniformValue value,
                       UniformValue shift) {
  auto isLowest = [](UniformValue x) {
    return x && *x <= std::numeric_limits<float>::lowest();
  };
  switch (kind) {
  case AccumulateKind::Sum:
    return value == 0.0;
  case AccumulateKind::Max:
    return isLowest(value);
  case AccumulateKind::RescaledSum:
    return value == 0.0 && isLowest(shift);
  case AccumulateKind::Concat:
    return false;
  }
  llvm_unreachable("unknown accumulator");
}
