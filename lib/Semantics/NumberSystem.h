//===- NumberSystem.h - Element.h's systems of numbers ----------*- C++ -*-===//
//
// Implements what the systems that compute with numbers of type T have in
// common: indices are integers, conditions are known, and loops run. A system
// adds read and element.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H
#define MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H

#include "Mirage/Semantics/Arithmetic.h"
#include "Mirage/Semantics/IntegerIndices.h"
#include "llvm/ADT/STLExtras.h"

namespace mirage::detail {

/// Returns the position of an element in row-major order.
inline int64_t linearize(ShapeRef shape, llvm::ArrayRef<int64_t> at) {
  int64_t linear = 0;
  for (auto [size, index] : llvm::zip(shape, at))
    linear = linear * size + index;
  return linear;
}

/// Returns the inverse: the indices of the element at a position.
inline llvm::SmallVector<int64_t, 4> delinearize(ShapeRef shape,
                                                 int64_t linear) {
  llvm::SmallVector<int64_t, 4> at(shape.size());
  for (size_t dim = at.size(); dim-- > 0; linear /= shape[dim])
    at[dim] = linear % shape[dim];
  return at;
}

template <typename T> struct NumberSystem : Arithmetic<T>, IntegerIndices<T> {
  explicit NumberSystem(const EvaluateOptions &options)
      : Arithmetic<T>(options) {}

  using Arithmetic<T>::add;
  using IntegerIndices<T>::add;

  template <typename Body>
  T reduce(llvm::ArrayRef<int64_t> extents, T initial, Body body) {
    return this->endSum(
        IntegerIndices<T>::reduce(extents, this->beginSum(initial), body));
  }
};

} // namespace mirage::detail

#endif // MIRAGE_LIB_SEMANTICS_NUMBERSYSTEM_H
