//===- Accumulator.cpp - State of one accumulate node ---------------------===//
//
// The kinds of accumulate. The partial result is kept in the result's element
// type, and rounded to it in every iteration where the precision rounds.
//
//===----------------------------------------------------------------------===//

#include "Accumulator.h"
#include "Mirage/Semantics/Accumulate.h"
#include "Tiles.h"

using namespace mirage;

Accumulator::Accumulator(const MuGraph &graph, const MuNode &node,
                         Precision precision)
    : precision(precision), kind(node.accumulate), dim(node.dim) {
  const MuGraph::Value &result = graph.getValue(node.results[0]);
  shape = result.shape;
  type = result.type;
  bool isDouble = type == ElementType::f64;
  if (node.operands.size() > 1)
    isDouble |= graph.getValue(node.operands[1]).type == ElementType::f64;
  options = getEvaluateOptions(precision, isDouble);
}

/// Calls fn with a number of the type in which the accumulator computes.
template <typename Fn> void Accumulator::withNumbers(Fn fn) {
  withNumberType(precision,
                 options.doubleArithmetic ? ElementType::f64 : ElementType::f32,
                 fn);
}

/// The partial result, which is not needed afterwards.
template <typename T> Tensor<T> Accumulator::takeNumbers() {
  if (auto *numbers = std::get_if<Tensor<T>>(&accumulator.numbers))
    return std::move(*numbers);
  Tensor<T> copy;
  getNumbers(accumulator, copy);
  return copy;
}

template <typename T>
void Accumulator::addSum(Tensor<T> &accumulator, const Tensor<T> &value) {
  Arithmetic<T> s(options);
  for (auto [to, from] : llvm::zip_equal(accumulator.data, value.data))
    to = kind == AccumulateKind::Max ? s.max(to, from) : s.addPartial(to, from);
}

template <typename T>
void Accumulator::addRescaled(Tensor<T> &accumulator, const Tensor<T> &value,
                              const TensorValue &shift) {
  Arithmetic<T> s(options);
  Tensor<T> oldCopy, newCopy;
  const Tensor<T> &newShift = getNumbers(shift, newCopy);
  Tensor<T> shifts = getNumbers(largest, oldCopy);
  std::vector<Rescaling<T>> rescalings;
  for (auto [to, from] : llvm::zip_equal(shifts.data, newShift.data)) {
    rescalings.push_back(getRescaling(to, from, s));
    to = rescalings.back().largest;
  }
  // The shift's dimensions of size one stand for any size.
  Shape at(value.shape.size(), 0);
  for (size_t i = 0; i < value.data.size(); ++i) {
    int64_t row = 0;
    for (auto [index, size] : llvm::zip(at, shifts.shape))
      row = row * size + (size == 1 ? 0 : index);
    accumulator.data[i] = mirage::addRescaled(
        accumulator.data[i], value.data[i], rescalings[row], s);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < value.shape[d])
        break;
      at[d] = 0;
    }
  }
  largest = makeValue(precision, largest.type, std::move(shifts));
}

void Accumulator::add(const TensorValue &value, const TensorValue *shift,
                      int64_t iteration) {
  withNumbers([&](auto number) {
    using T = decltype(number);
    Tensor<T> valueCopy;
    const Tensor<T> &numbers = getNumbers(value, valueCopy);
    if (kind == AccumulateKind::Concat) {
      if (iteration == 0)
        accumulator = makeValue(precision, type, Tensor<T>(shape));
      // Results have the value's type, so they are represented alike.
      auto &target = *std::get_if<Tensor<T>>(&accumulator.numbers);
      Shape offsets(shape.size(), 0);
      offsets[dim] = iteration * numbers.shape[dim];
      return copyBox(numbers.shape, numbers, Shape(shape.size(), 0), target,
                     offsets);
    }
    Tensor<T> result;
    if (iteration == 0) {
      result = numbers;
      if (shift)
        largest = *shift;
    } else {
      result = takeNumbers<T>();
      if (shift)
        addRescaled(result, numbers, *shift);
      else
        addSum(result, numbers);
    }
    // A maximum is one of the values, which are rounded.
    if (kind != AccumulateKind::Max)
      roundNumbers(precision, type, Arithmetic<T>(options), result);
    accumulator = makeValue(precision, type, std::move(result));
  });
}

TensorValue Accumulator::take() {
  if (kind == AccumulateKind::Sum)
    withNumbers([&](auto number) {
      using T = decltype(number);
      Tensor<T> result = takeNumbers<T>();
      Arithmetic<T> s(options);
      for (T &sum : result.data)
        sum = s.endSum(sum);
      accumulator = makeValue(precision, type, std::move(result));
    });
  return std::move(accumulator);
}
