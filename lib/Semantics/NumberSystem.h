//===- NumberSystem.h - Element.h's systems of numbers ----------*- C++ -*-===//
//
// What the systems that compute with numbers of type T have in common: indices
// are integers, conditions are known, and loops run. A system adds read and
// element.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H
#define MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H

#include "Mirage/Semantics/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"

namespace mirage::detail {

/// Position of an element in row-major order.
inline int64_t linearize(ShapeRef shape, llvm::ArrayRef<int64_t> at) {
  int64_t linear = 0;
  for (auto [size, index] : llvm::zip(shape, at))
    linear = linear * size + index;
  return linear;
}

/// The inverse.
inline llvm::SmallVector<int64_t, 4> delinearize(ShapeRef shape,
                                                 int64_t linear) {
  llvm::SmallVector<int64_t, 4> at(shape.size());
  for (size_t dim = at.size(); dim-- > 0; linear /= shape[dim])
    at[dim] = linear % shape[dim];
  return at;
}

template <typename T> struct NumberSystem : Arithmetic<T> {
  using Index = int64_t;
  using Condition = bool;

  explicit NumberSystem(const EvaluateOptions &options)
      : Arithmetic<T>(options) {}

  using Arithmetic<T>::add;
  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t addConstant(int64_t a, int64_t c) { return a + c; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
  int64_t divConstant(int64_t a, int64_t c) { return a / c; }
  int64_t remConstant(int64_t a, int64_t c) { return a % c; }
  bool inRange(int64_t i, int64_t lower, int64_t upper) {
    return lower <= i && i < upper;
  }
  bool both(bool a, bool b) { return a && b; }
  template <typename Then, typename Else>
  T select(bool condition, Then then, Else otherwise) {
    return condition ? then() : otherwise();
  }

  template <typename Body>
  T reduce(llvm::ArrayRef<int64_t> extents, T initial, Body body) {
    T accumulator = this->beginSum(initial);
    llvm::SmallVector<int64_t, 3> at(extents.size(), 0);
    while (true) {
      accumulator = body(llvm::ArrayRef<int64_t>(at), accumulator);
      size_t dim = extents.size();
      while (dim > 0 && ++at[dim - 1] == extents[dim - 1])
        at[--dim] = 0;
      if (dim == 0)
        return this->endSum(accumulator);
    }
  }
};

} // namespace mirage::detail

#endif // MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H
