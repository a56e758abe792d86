//===- Tiles.h - Copies between tensors and their parts ---------*- C++ -*-===//
//
// Row by row access to a box of elements that lies in two tensors at different
// offsets: what loads, stores and concatenating accumulators do.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_TILES_H
#define MIRAGE_LIB_INTERPRETER_TILES_H

#include "Mirage/Interpreter/TensorValue.h"

namespace mirage {

/// Calls body(from, to, length) for each row of a box of shape `sizes`, with
/// the row's first element in a tensor of shape `source` at `sourceOffsets`
/// and in one of shape `target` at `targetOffsets`.
template <typename Body>
void forEachRow(ShapeRef sizes, ShapeRef source, ShapeRef sourceOffsets,
                ShapeRef target, ShapeRef targetOffsets, Body body) {
  if (sizes.empty())
    return body(int64_t(0), int64_t(0), int64_t(1));
  int64_t length = sizes.back(), rows = elementCount(sizes) / length;
  Shape at(sizes.size(), 0);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t from = 0, to = 0;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      from = from * source[dim] + sourceOffsets[dim] + at[dim];
      to = to * target[dim] + targetOffsets[dim] + at[dim];
    }
    body(from, to, length);
    for (size_t dim = sizes.size() - 1; dim-- > 0;) {
      if (++at[dim] < sizes[dim])
        break;
      at[dim] = 0;
    }
  }
}

/// Copies the box of shape `sizes` from `source` to `target`.
template <typename T>
void copyBox(ShapeRef sizes, const Tensor<T> &source, ShapeRef sourceOffsets,
             Tensor<T> &target, ShapeRef targetOffsets) {
  forEachRow(sizes, source.shape, sourceOffsets, target.shape, targetOffsets,
             [&](int64_t from, int64_t to, int64_t length) {
               std::copy_n(source.data.begin() + from, length,
                           target.data.begin() + to);
             });
}

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_TILES_H
