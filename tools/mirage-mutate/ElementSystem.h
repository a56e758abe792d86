//===- ElementSystem.h - Numbers of the oracle in Element.h -----*- C++ -*-===//
//
// Implements the system of Element.h over Real or Rational, but for reading
// operands, and composite operators, whose graphs are computed tensor by
// tensor.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_ELEMENTSYSTEM_H
#define MIRAGE_TOOLS_MUTATE_ELEMENTSYSTEM_H

#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "Mirage/Semantics/IntegerIndices.h"
#include "Mirage/Semantics/ShapeRules.h"

namespace mirage::mutate {

inline Shape delinearize(ShapeRef shape, int64_t linear) {
  Shape index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; linear /= shape[dim])
    index[dim] = linear % shape[dim];
  return index;
}

inline int64_t linearize(ShapeRef shape, llvm::ArrayRef<int64_t> at) {
  int64_t linear = 0;
  for (auto [size, index] : llvm::zip(shape, at))
    linear = linear * size + index;
  return linear;
}

/// Returns the type that a number in an attribute counts as rounded to: the
/// narrowest of these types that holds it.
inline ElementType getAttributeType(double value) {
  for (ElementType type : {ElementType::f16, ElementType::f32})
    if (roundTo(type, value) == value)
      return type;
  return ElementType::f64;
}

/// The system without read.
template <typename Number> struct ElementSystem : IntegerIndices<Number> {
  using Value = Number;
  using IntegerIndices<Number>::add;

  const OpAttributes &attributes;
  /// The type of constants. Numbers in attributes have none.
  std::optional<ElementType> type;

  ElementSystem(const OpAttributes &attributes, std::optional<ElementType> type)
      : attributes(attributes), type(type) {}

  Number constant(double value) {
    return Number::get(
        getExactConstant(value, type ? *type : getAttributeType(value)));
  }
  Number add(Number a, Number b) { return Number::add(a, b); }
  Number sub(Number a, Number b) { return Number::sub(a, b); }
  Number mul(Number a, Number b) { return Number::mul(a, b); }
  Number div(Number a, Number b) { return Number::div(a, b); }
  Number max(Number a, Number b) { return Number::max(a, b); }
  Number min(Number a, Number b) { return Number::min(a, b); }
  Number compare(CompareKind kind, Number a, Number b) {
    return Number::compare(kind, a, b);
  }
  Number choose(Number condition, Number a, Number b) {
    return Number::choose(condition, a, b);
  }
  Number exp(Number a) { return Number::exp(a); }
  Number exp2(Number a) { return Number::exp2(a); }
  Number log(Number a) { return Number::log(a); }
  Number sqrt(Number a) { return Number::sqrt(a); }
  Number rsqrt(Number a) { return Number::div(constant(1), Number::sqrt(a)); }
  Number erf(Number a) { return Number::erf(a); }
  Number tanh(Number a) { return Number::tanh(a); }
  Number sigmoid(Number a) { return Number::sigmoid(a); }
  Number pow(Number a, double exponent) { return Number::pow(a, exponent); }
  Number roundToTF32(Number a) { return a; }
  Number element(llvm::ArrayRef<int64_t> at) {
    return constant(
        (*attributes.values)[linearize(attributes.resultShape, at)]);
  }
};

/// A tensor with all of its elements.
template <typename Number> struct Whole {
  Shape shape;
  std::vector<Number> numbers;
};

namespace detail {
template <typename Number> struct WholeSystem : ElementSystem<Number> {
  llvm::ArrayRef<Whole<Number>> operands;

  Number read(unsigned operand, llvm::ArrayRef<int64_t> at) {
    const Whole<Number> &whole = operands[operand];
    return whole.numbers[linearize(whole.shape, at)];
  }
};

/// The builder of Composite.h.
template <typename Number> struct WholeBuilder {
  Whole<Number> apply(OpKind kind, const OpAttributes &attributes,
                      llvm::ArrayRef<Whole<Number>> operands) {
    llvm::SmallVector<Shape> shapes, results;
    for (const Whole<Number> &operand : operands)
      shapes.push_back(operand.shape);
    std::string error;
    if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
      llvm_unreachable("composites are made of legal operators");
    Whole<Number> whole{results[0], {}};
    WholeSystem<Number> system{{attributes, std::nullopt}, operands};
    for (int64_t i = 0; i < elementCount(whole.shape); ++i)
      whole.numbers.push_back(evaluateElement<WholeSystem<Number>>(
          kind, attributes, shapes, 0, delinearize(whole.shape, i), system));
    return whole;
  }
};
} // namespace detail

template <typename Number>
Whole<Number> computeComposite(OpKind kind, const OpAttributes &attributes,
                               llvm::ArrayRef<Whole<Number>> operands) {
  return buildComposite<Whole<Number>>(kind, attributes, operands[0].shape,
                                       operands,
                                       detail::WholeBuilder<Number>());
}

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_ELEMENTSYSTEM_H
