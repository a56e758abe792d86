//===- Accumulator.h - State of one accumulate node -------------*- C++ -*-===//
//
// Takes the value of each iteration of a loop in order and gives the result
// after the last.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_ACCUMULATOR_H
#define MIRAGE_LIB_INTERPRETER_ACCUMULATOR_H

#include "Mirage/Interpreter/TensorValue.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

class Accumulator {
public:
  Accumulator(const MuGraph &graph, const MuNode &node, Precision precision);

  /// Adds the value of iteration number `iteration`; `shift` is null where the
  /// node has none.
  void add(const TensorValue &value, const TensorValue *shift,
           int64_t iteration);

  /// The result; nothing is left.
  TensorValue take();

private:
  template <typename T>
  void addSum(Tensor<T> &accumulator, const Tensor<T> &value);
  template <typename T>
  void addRescaled(Tensor<T> &accumulator, const Tensor<T> &value,
                   const TensorValue &shift);
  template <typename T> Tensor<T> takeNumbers();
  template <typename Fn> void withNumbers(Fn fn);

  Precision precision;
  AccumulateKind kind;
  int64_t dim = 0;
  Shape shape;
  /// Element type of the result; whether arithmetic is in f64.
  ElementType type;
  EvaluateOptions options;
  /// Partial result, and the largest shift so far; empty before iteration 0.
  TensorValue accumulator, largest;
};

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_ACCUMULATOR_H
