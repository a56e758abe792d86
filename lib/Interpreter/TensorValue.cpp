//===- TensorValue.cpp - Values of the interpreter ------------------------===//
//
// Access to tensors in any representation, and operators on them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/TensorValue.h"

using namespace mirage;
using llvm::ArrayRef;

ShapeRef TensorValue::shape() const {
  return std::visit([](const auto &t) { return ShapeRef(t.shape); }, numbers);
}

int64_t TensorValue::size() const {
  return std::visit([](const auto &t) -> int64_t { return t.data.size(); },
                    numbers);
}

double TensorValue::error(int64_t index) const {
  auto *bounded = std::get_if<Tensor<Bounded>>(&numbers);
  return bounded ? bounded->data[index].error : 0;
}

std::vector<double> TensorValue::values() const {
  Tensor<double> copy;
  return getNumbers(*this, copy).data;
}

TensorValue TensorValue::create(ElementType type, Shape shape,
                                ArrayRef<double> values, Precision precision) {
  return withNumberType(precision, type, [&](auto number) {
    using T = decltype(number);
    Tensor<T> tensor(std::move(shape));
    for (auto [to, from] : llvm::zip_equal(tensor.data, values))
      to = static_cast<T>(from);
    return TensorValue{type, std::move(tensor)};
  });
}

EvaluateOptions mirage::getEvaluateOptions(Precision precision, bool isDouble) {
  EvaluateOptions options;
  options.emulateTF32 = roundsStorage(precision);
  options.doubleArithmetic = isDouble || precision == Precision::F64Bound ||
                             precision == Precision::F64ArithmeticBound;
  options.roundedNames = precision == Precision::F64Bound;
  return options;
}

/// Returns whether results are operand elements, which are rounded already.
static bool selectsElements(OpKind kind, const OpAttributes &attrs) {
  return isLayout(kind) || kind == OpKind::Max || kind == OpKind::Min ||
         kind == OpKind::Relu ||
         (kind == OpKind::Reduce && attrs.reduceKind == ReduceKind::Max);
}

llvm::SmallVector<TensorValue, 1>
mirage::evaluate(OpKind kind, const OpAttributes &attrs,
                 ArrayRef<const TensorValue *> operands, ElementType resultType,
                 Precision precision, const Execution *execution) {
  bool isDouble = resultType == ElementType::f64;
  bool sameType = true;
  for (const TensorValue *operand : operands) {
    isDouble |= operand->type == ElementType::f64;
    sameType &= operand->type == resultType;
  }
  EvaluateOptions options = getEvaluateOptions(precision, isDouble);
  options.execution = execution;
  ElementType computeType = isDouble ? ElementType::f64 : ElementType::f32;
  return withNumberType(precision, computeType, [&](auto number) {
    using T = decltype(number);
    llvm::SmallVector<Tensor<T>, 4> copies(operands.size());
    llvm::SmallVector<const Tensor<T> *, 4> tensors;
    for (auto [operand, copy] : llvm::zip(operands, copies))
      tensors.push_back(&getNumbers(*operand, copy));
    llvm::SmallVector<TensorValue, 1> results;
    for (Tensor<T> &result : evaluate<T>(kind, attrs, tensors, options)) {
      if (!sameType || !selectsElements(kind, attrs))
        roundNumbers(precision, resultType, Arithmetic<T>(options), result);
      results.push_back(makeValue(precision, resultType, std::move(result)));
    }
    return results;
  });
}
