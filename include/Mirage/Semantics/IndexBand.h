//===- IndexBand.h - Constants of two numbers made of indices ---*- C++ -*-===//
//
// Recognizes constants like the masks of causal attention and of sliding
// windows: one number stands where a column is in a range that moves along
// with the row, and another one everywhere else. The elements of such a
// constant follow from their indices, so that nobody has to load them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_INDEXBAND_H
#define MIRAGE_SEMANTICS_INDEXBAND_H

#include "Mirage/Semantics/OpAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mirage {

/// A tensor's element is `inside` where lower <= sum of its indices times
/// `coefficients` < upper, and otherwise `outside`.
struct IndexBand {
  /// One for the dimension of the columns, -1 for that of the rows if there is
  /// one, and otherwise zero.
  llvm::SmallVector<int64_t, 4> coefficients;
  int64_t lower = 0, upper = 0;
  double inside = 0, outside = 0;
  /// The least and the largest sum that an element of the whole tensor has.
  int64_t least = 0, largest = 0;

  /// Exchanges inside and outside. Returns false where outside is not one range
  /// either.
  bool exchangeSides();
};

/// Returns the band that a tensor is, if it is one. `bytes` are its elements in
/// row-major order, of so many bytes each, which are compared bit by bit;
/// `getElement` returns the number at a position among them.
std::optional<IndexBand>
findIndexBand(ShapeRef shape, llvm::ArrayRef<char> bytes, size_t elementBytes,
              llvm::function_ref<double(int64_t)> getElement);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_INDEXBAND_H
