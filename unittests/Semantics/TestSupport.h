//===- TestSupport.h - Tensors of tests -------------------------*- C++ -*-===//
//
// Holds what the tests of the semantics share: tensors from literals,
// pseudo-random tensors, and bit-for-bit comparison.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEMANTICS_TESTSUPPORT_H
#define MIRAGE_UNITTESTS_SEMANTICS_TESTSUPPORT_H

#include "Mirage/Semantics/ErrorBound.h"
#include "Mirage/Semantics/Evaluate.h"
#include "gtest/gtest.h"
#include <cstring>
#include <random>

namespace mirage {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <typename T>
Tensor<T> makeTensor(Shape shape, llvm::ArrayRef<double> values) {
  Tensor<T> tensor(std::move(shape));
  EXPECT_EQ(tensor.data.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i)
    tensor.data[i] = static_cast<T>(values[i]);
  return tensor;
}

/// Returns values on [low, high) that are exact in f32. mt19937 is the same
/// everywhere; std::uniform_real_distribution is not.
template <typename T>
Tensor<T> randomTensor(Shape shape, unsigned seed, double low = -2,
                       double high = 2) {
  std::mt19937 generator(seed);
  Tensor<T> tensor(std::move(shape));
  for (T &value : tensor.data)
    value = static_cast<T>(
        static_cast<float>(low + (high - low) * (generator() * 0x1p-32)));
  return tensor;
}

template <typename T>
llvm::SmallVector<Tensor<T>, 1>
evaluateAll(OpKind kind, const OpAttributes &attrs,
            const std::vector<Tensor<T>> &operands,
            const EvaluateOptions &options = {}) {
  llvm::SmallVector<const Tensor<T> *> pointers;
  for (const Tensor<T> &operand : operands)
    pointers.push_back(&operand);
  return evaluate<T>(kind, attrs, pointers, options);
}

/// Equal shapes and equal bits; NaNs are equal whatever their payload.
template <typename T> bool isSame(const Tensor<T> &a, const Tensor<T> &b) {
  auto same = [](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) ||
           std::memcmp(&x, &y, sizeof(double)) == 0;
  };
  if (a.shape != b.shape || a.data.size() != b.data.size())
    return false;
  for (size_t i = 0; i < a.data.size(); ++i) {
    if constexpr (std::is_same_v<T, Bounded>) {
      const Bounded &x = a.data[i], &y = b.data[i];
      if (!same(x.value, y.value) || !same(x.error, y.error) ||
          !same(x.magnitude, y.magnitude) || x.terms != y.terms ||
          x.rounding != y.rounding || x.overSum != y.overSum)
        return false;
    } else if (!same(a.data[i], b.data[i])) {
      return false;
    }
  }
  return true;
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SEMANTICS_TESTSUPPORT_H
