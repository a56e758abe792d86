//===- FieldTensor.h - Tensors of residues ----------------------*- C++ -*-===//
//
// Tensors over a prime field and the loops over them. Elements are shared
// between tensors and never change once a tensor is made.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDTENSOR_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDTENSOR_H

#include "Mirage/Analysis/Equivalence/Fields/FieldVectors.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Support/Execution.h"
#include <cstring>

namespace mirage::equivalence {

/// Elements in row-major order, not initialized when made.
using ResidueBuffer = std::shared_ptr<uint64_t[]>;

inline ResidueBuffer makeBuffer(int64_t count) {
  return ResidueBuffer(new uint64_t[count]);
}

struct FieldTensor {
  Shape shape;
  ResidueBuffer data;

  FieldTensor() = default;
  explicit FieldTensor(Shape shape)
      : shape(std::move(shape)), data(makeBuffer(elementCount(this->shape))) {}

  int64_t size() const { return elementCount(shape); }
};

/// Distances between elements along each dimension of a tensor of `shape`, zero
/// along dimensions of size one, which so broadcast.
inline Shape getBroadcastStrides(ShapeRef shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    strides[dim] = shape[dim] == 1 ? 0 : stride;
  return strides;
}

/// Calls row(out, a, b, n) for each innermost row of `shape`, of n elements:
/// the positions of its first element in a row-major result, and in operands
/// with the strides given (along the row, too). In parallel for large shapes.
template <typename Row>
void forEachRow(const Execution &execution, ShapeRef shape, ShapeRef stridesA,
                ShapeRef stridesB, Row row) {
  if (shape.empty())
    return row(int64_t(0), int64_t(0), int64_t(0), int64_t(1));
  int64_t length = shape.back(), rows = elementCount(shape) / length;
  constexpr int64_t kGrain = 1 << 14;
  int64_t rowsPerChunk = std::max<int64_t>(1, kGrain / length);
  int64_t chunks = (rows + rowsPerChunk - 1) / rowsPerChunk;
  size_t outer = shape.size() - 1;
  execution.forEach(chunks, [&](int64_t chunk) {
    int64_t first = chunk * rowsPerChunk,
            last = std::min(rows, first + rowsPerChunk);
    Shape at(outer);
    int64_t a = 0, b = 0, rest = first;
    for (size_t dim = outer; dim-- > 0; rest /= shape[dim]) {
      at[dim] = rest % shape[dim];
      a += at[dim] * stridesA[dim];
      b += at[dim] * stridesB[dim];
    }
    for (int64_t r = first; r < last; ++r) {
      row(r * length, a, b, length);
      for (size_t dim = outer; dim-- > 0;) {
        a += stridesA[dim];
        b += stridesB[dim];
        if (++at[dim] < shape[dim])
          break;
        a -= stridesA[dim] * shape[dim];
        b -= stridesB[dim] * shape[dim];
        at[dim] = 0;
      }
    }
  });
}

/// row(out, a, stepA, b, stepB, n) for all rows of two tensors that broadcast
/// to `shape`; steps between a row's elements are zero or one.
template <typename Row>
FieldTensor zipRows(const Execution &execution, const FieldTensor &a,
                    const FieldTensor &b, ShapeRef shape, Row row) {
  FieldTensor result{Shape(shape)};
  Shape stridesA = getBroadcastStrides(a.shape),
        stridesB = getBroadcastStrides(b.shape);
  int64_t stepA = shape.empty() ? 0 : stridesA.back(),
          stepB = shape.empty() ? 0 : stridesB.back();
  uint64_t *out = result.data.get();
  const uint64_t *x = a.data.get(), *y = b.data.get();
  forEachRow(execution, shape, stridesA, stridesB,
             [=](int64_t to, int64_t i, int64_t j, int64_t length) {
               row(out + to, x + i, stepA, y + j, stepB, length);
             });
  return result;
}

/// f(a, b) for all elements of two tensors that broadcast to `shape`.
template <typename Fn>
FieldTensor zipElements(const Execution &execution, const FieldTensor &a,
                        const FieldTensor &b, ShapeRef shape, Fn f) {
  return zipRows(execution, a, b, shape,
                 [=](uint64_t *out, const uint64_t *x, int64_t stepX,
                     const uint64_t *y, int64_t stepY, int64_t length) {
                   for (int64_t k = 0; k < length; ++k)
                     out[k] = f(x[k * stepX], y[k * stepY]);
                 });
}

/// chunk(in, out, n) for all elements, n of them at a time.
template <typename Chunk>
FieldTensor mapChunks(const Execution &execution, const FieldTensor &a,
                      Chunk chunk) {
  FieldTensor result(a.shape);
  uint64_t *out = result.data.get();
  const uint64_t *x = a.data.get();
  int64_t count = a.size();
  constexpr int64_t kGrain = 1 << 13;
  execution.forEach((count + kGrain - 1) / kGrain, [=](int64_t number) {
    int64_t first = number * kGrain;
    chunk(x + first, out + first, std::min(kGrain, count - first));
  });
  return result;
}

/// f(a) for all elements.
template <typename Fn>
FieldTensor mapElements(const Execution &execution, const FieldTensor &a,
                        Fn f) {
  return mapChunks(execution, a,
                   [=](const uint64_t *in, uint64_t *out, int64_t n) {
                     for (int64_t i = 0; i < n; ++i)
                       out[i] = f(in[i]);
                   });
}

/// The tensor whose element at an index of `shape` is element
/// `offset` + index * strides of `a`.
inline FieldTensor view(const Execution &execution, const FieldTensor &a,
                        ShapeRef shape, ShapeRef strides, int64_t offset) {
  FieldTensor result{Shape(shape)};
  int64_t step = shape.empty() ? 0 : strides.back();
  uint64_t *out = result.data.get();
  const uint64_t *x = a.data.get() + offset;
  forEachRow(execution, shape, strides, strides,
             [=](int64_t to, int64_t i, int64_t, int64_t length) {
               if (step == 1)
                 std::memcpy(out + to, x + i, length * sizeof(uint64_t));
               else
                 for (int64_t k = 0; k < length; ++k)
                   out[to + k] = x[i + k * step];
             });
  return result;
}

/// Writes `tile` into the box of `target` (of shape `shape`) that starts at
/// element `offset`, by combine(old, new).
template <typename Fn>
void update(uint64_t *target, ShapeRef shape, int64_t offset,
            const FieldTensor &tile, Fn combine) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    strides[dim] = stride;
  Execution alone;
  const uint64_t *x = tile.data.get();
  forEachRow(alone, tile.shape, strides, strides,
             [=](int64_t from, int64_t to, int64_t, int64_t length) {
               uint64_t *out = target + offset + to;
               for (int64_t k = 0; k < length; ++k)
                 out[k] = combine(out[k], x[from + k]);
             });
}

/// Products of all elements of two tensors that broadcast to `shape`.
FieldTensor multiplyElements(const Execution &execution,
                             const PrimeField &field, const FieldTensor &a,
                             const FieldTensor &b, ShapeRef shape,
                             FieldUnit unit = getFieldUnit());

/// Sums of products over the innermost dimension of `lhs` ([.., m, k], or
/// [.., k, m] if transposed) and that before it of `rhs`; batch dimensions of
/// size one broadcast.
FieldTensor multiply(const Execution &execution, const PrimeField &field,
                     const FieldTensor &lhs, const FieldTensor &rhs,
                     bool transposeLhs, bool transposeRhs, ShapeRef shape,
                     FieldUnit unit = getFieldUnit());

/// The convolution of images by a filter, as OpKind::Conv2d says, of the shape
/// that it infers.
FieldTensor convolve(const Execution &execution, const PrimeField &field,
                     const OpAttributes &attributes, const FieldTensor &input,
                     const FieldTensor &filter, ShapeRef shape,
                     FieldUnit unit = getFieldUnit());

/// Inverses of all elements; false where one is zero. One inversion for each
/// chunk of elements (Montgomery's trick).
bool invert(const Execution &execution, const PrimeField &field,
            const FieldTensor &a, FieldTensor &result);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDTENSOR_H
