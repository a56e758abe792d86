//===- TensorValue.h - Values of the interpreter ----------------*- C++ -*-===//
//
// A tensor at run time: its storage type in the program, and its numbers in the
// representation that the precision asks for.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_TENSORVALUE_H
#define MIRAGE_INTERPRETER_TENSORVALUE_H

#include "Mirage/Semantics/ErrorBound.h"
#include <variant>

namespace mirage {

/// What the interpreter computes in and when it rounds.
enum class Precision : uint8_t {
  /// Everything in f64, nothing rounded.
  F64,
  /// Everything in f32, nothing rounded to narrower types.
  F32,
  /// As a GPU does: arithmetic in f32 (f64 where a tensor of f64 takes part),
  /// every value rounded to its element type, operands of tf32 products to
  /// tf32, composite operators once, at the result.
  Storage,
  /// Everything in f64, with a bound on how far a GPU's result may be from it
  /// (ErrorBound.h).
  Bound,
  /// Everything in f64, nothing rounded, with a bound on how far the exact
  /// result may be. Named numbers (ExactConstant.h) err by their own rounding.
  F64Bound,
  /// As F64Bound, but named numbers are taken as they are written: the bound is
  /// of the arithmetic's errors alone.
  F64ArithmeticBound,
};

struct TensorValue {
  /// The element type in the program, whatever represents the numbers.
  ElementType type = ElementType::f32;
  std::variant<Tensor<float>, Tensor<double>, Tensor<Bounded>> numbers;

  ShapeRef shape() const;
  int64_t size() const;
  /// Element number `index` in row-major order. Comparisons ask for millions of
  /// elements, one by one, so that this is no call.
  double value(int64_t index) const {
    if (auto *bounded = std::get_if<Tensor<Bounded>>(&numbers))
      return bounded->data[index].value;
    if (auto *floats = std::get_if<Tensor<float>>(&numbers))
      return floats->data[index];
    return std::get_if<Tensor<double>>(&numbers)->data[index];
  }
  /// Its error bound; zero for representations without.
  double error(int64_t index) const;
  /// All elements.
  std::vector<double> values() const;

  /// A tensor of these values, as an input of a program run in `precision`.
  static TensorValue create(ElementType type, Shape shape,
                            llvm::ArrayRef<double> values, Precision precision);
};

/// Calls fn(T()) with the number type T that represents tensors of `type`.
template <typename Fn>
decltype(auto) withNumberType(Precision precision, ElementType type, Fn &&fn) {
  switch (precision) {
  case Precision::F64:
    return fn(double());
  case Precision::Bound:
  case Precision::F64Bound:
  case Precision::F64ArithmeticBound:
    return fn(Bounded());
  case Precision::Storage:
    if (type == ElementType::f64)
      return fn(double());
    break;
  case Precision::F32:
    break;
  }
  return fn(float());
}

/// The options by which operators are evaluated in `precision` on tensors, one
/// of which is f64 if `isDouble`.
EvaluateOptions getEvaluateOptions(Precision precision, bool isDouble);

/// Returns whether values are rounded to storage types.
inline bool roundsStorage(Precision precision) {
  return precision == Precision::Storage || precision == Precision::Bound;
}

/// Copies `tensor` into numbers of type To. Error bounds are dropped or zero.
template <typename To, typename From>
Tensor<To> convertNumbers(const Tensor<From> &tensor) {
  Tensor<To> result;
  result.shape = tensor.shape;
  result.data.reserve(tensor.data.size());
  for (const From &number : tensor.data) {
    if constexpr (std::is_same_v<From, To>)
      result.data.push_back(number);
    else if constexpr (std::is_same_v<From, Bounded>)
      result.data.push_back(static_cast<To>(number.value));
    else if constexpr (std::is_same_v<To, Bounded>)
      result.data.push_back(Bounded(number));
    else
      result.data.push_back(static_cast<To>(number));
  }
  return result;
}

/// The numbers of `value` as numbers of type T, converted into `copy` where
/// they are others.
template <typename T>
const Tensor<T> &getNumbers(const TensorValue &value, Tensor<T> &copy) {
  if (auto *tensor = std::get_if<Tensor<T>>(&value.numbers))
    return *tensor;
  copy = std::visit([](const auto &t) { return convertNumbers<T>(t); },
                    value.numbers);
  return copy;
}

/// A tensor of `type` that holds `numbers`, in the representation that goes
/// with `precision`; the numbers are not rounded.
template <typename T>
TensorValue makeValue(Precision precision, ElementType type,
                      Tensor<T> numbers) {
  return withNumberType(precision, type, [&](auto number) {
    using To = decltype(number);
    if constexpr (std::is_same_v<T, To>)
      return TensorValue{type, std::move(numbers)};
    else
      return TensorValue{type, convertNumbers<To>(numbers)};
  });
}

/// Rounds numbers to `type` where the precision rounds.
template <typename T>
void roundNumbers(Precision precision, ElementType type, Arithmetic<T> s,
                  Tensor<T> &tensor) {
  bool isExact = !roundsStorage(precision) ||
                 (type == ElementType::f32 && std::is_same_v<T, float>) ||
                 (type == ElementType::f64 && std::is_same_v<T, double>);
  if (isExact)
    return;
  for (T &number : tensor.data)
    number = s.store(type, number);
}

/// Evaluates an operator. Attributes and shapes have passed inferShapes;
/// `resultType` is the element type of its results. Uses the threads of
/// `execution`, and ends with it (EvaluateOptions::execution).
llvm::SmallVector<TensorValue, 1>
evaluate(OpKind kind, const OpAttributes &attributes,
         llvm::ArrayRef<const TensorValue *> operands, ElementType resultType,
         Precision precision, const Execution *execution = nullptr);

} // namespace mirage

#endif // MIRAGE_INTERPRETER_TENSORVALUE_H
