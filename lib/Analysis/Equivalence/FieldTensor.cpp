//===- FieldTensor.cpp - Tensors of residues ------------------------------===//
//
// Matrix products and inverses over a prime field.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FieldTensor.h"
#include <atomic>

using namespace mirage;

namespace {

/// A matrix in memory: element (i, j) at data[i * row + j * column].
struct Matrix {
  const uint64_t *data;
  int64_t row, column;
};

/// Rows of a matrix one after another, each contiguous.
void pack(const Matrix &m, int64_t first, int64_t rows, int64_t depth,
          uint64_t *out) {
  // The inner loop goes along memory.
  if (m.column == 1) {
    for (int64_t i = 0; i < rows; ++i)
      std::memcpy(out + i * depth, m.data + (first + i) * m.row,
                  depth * sizeof(uint64_t));
    return;
  }
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t i = 0; i < rows; ++i)
      out[i * depth + k] = m.data[(first + i) * m.row + k * m.column];
}

/// R x C dot products of `depth` terms of packed rows.
template <int R, int C>
void multiplyTile(const PrimeField &field, const uint64_t *a, const uint64_t *b,
                  int64_t depth, uint64_t *out, int64_t outRow) {
  // A product is below 2^122; 32 of them and a residue are below 2^128.
  constexpr int64_t kTerms = 32;
  uint64_t total[R][C] = {};
  for (int64_t begin = 0; begin < depth; begin += kTerms) {
    int64_t end = std::min(depth, begin + kTerms);
    UInt128 sum[R][C];
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j)
        sum[i][j] = total[i][j];
    for (int64_t k = begin; k < end; ++k)
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < C; ++j)
          sum[i][j] += UInt128(a[i * depth + k]) * b[j * depth + k];
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j)
        total[i][j] = field.reduce(sum[i][j]);
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      out[i * outRow + j] = total[i][j];
}

void multiplyPanel(const PrimeField &field, const uint64_t *a, int64_t rows,
                   const uint64_t *b, int64_t columns, int64_t depth,
                   uint64_t *out, int64_t outRow) {
  for (int64_t i = 0; i < rows;) {
    bool twoRows = i + 1 < rows;
    for (int64_t j = 0; j < columns;) {
      bool twoColumns = j + 1 < columns;
      const uint64_t *x = a + i * depth, *y = b + j * depth;
      uint64_t *to = out + i * outRow + j;
      if (twoRows && twoColumns)
        multiplyTile<2, 2>(field, x, y, depth, to, outRow);
      else if (twoRows)
        multiplyTile<2, 1>(field, x, y, depth, to, outRow);
      else if (twoColumns)
        multiplyTile<1, 2>(field, x, y, depth, to, outRow);
      else
        multiplyTile<1, 1>(field, x, y, depth, to, outRow);
      j += 1 + twoColumns;
    }
    i += 1 + twoRows;
  }
}

/// Offset of batch number `batch` of `result` in an operand of `strides`.
int64_t getBatchOffset(int64_t batch, ShapeRef result, ShapeRef strides) {
  int64_t offset = 0;
  for (size_t dim = result.size() - 2; dim-- > 0; batch /= result[dim])
    offset += batch % result[dim] * strides[dim];
  return offset;
}

} // namespace

FieldTensor mirage::multiply(WorkerPool &pool, const PrimeField &field,
                             const FieldTensor &lhs, const FieldTensor &rhs,
                             bool transposeLhs, bool transposeRhs,
                             ShapeRef shape) {
  FieldTensor result{Shape(shape)};
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t lhsRow = lhs.shape.back(), rhsRow = rhs.shape.back();
  int64_t depth = transposeLhs ? lhs.shape[lhs.shape.size() - 2] : lhsRow;
  Shape lhsStrides = getBroadcastStrides(lhs.shape),
        rhsStrides = getBroadcastStrides(rhs.shape);

  // A panel's packed columns and a group of rows stay in the second-level
  // cache.
  int64_t panel = std::clamp<int64_t>((1 << 16) / depth, 8, 64);
  int64_t group = std::max<int64_t>(panel, 16);
  int64_t panels = (columns + panel - 1) / panel,
          groups = (rows + group - 1) / group,
          batches = result.size() / (rows * columns);
  pool.forEach(batches * panels, [&](int64_t task) {
    int64_t batch = task / panels, firstColumn = task % panels * panel;
    Matrix a{lhs.data.get() + getBatchOffset(batch, shape, lhsStrides),
             transposeLhs ? 1 : lhsRow, transposeLhs ? lhsRow : 1};
    // By columns.
    Matrix b{rhs.data.get() + getBatchOffset(batch, shape, rhsStrides),
             transposeRhs ? rhsRow : 1, transposeRhs ? 1 : rhsRow};
    int64_t width = std::min(panel, columns - firstColumn);
    std::unique_ptr<uint64_t[]> packedB(new uint64_t[width * depth]);
    pack(b, firstColumn, width, depth, packedB.get());
    std::unique_ptr<uint64_t[]> packedA;
    if (transposeLhs)
      packedA.reset(new uint64_t[std::min(group, rows) * depth]);
    uint64_t *out = result.data.get() + batch * rows * columns + firstColumn;
    for (int64_t g = 0; g < groups; ++g) {
      int64_t first = g * group, height = std::min(group, rows - first);
      const uint64_t *packed = a.data + first * depth;
      if (transposeLhs) {
        pack(a, first, height, depth, packedA.get());
        packed = packedA.get();
      }
      multiplyPanel(field, packed, height, packedB.get(), width, depth,
                    out + first * columns, columns);
    }
  });
  return result;
}

bool mirage::invert(WorkerPool &pool, const PrimeField &field,
                    const FieldTensor &a, FieldTensor &result) {
  result = FieldTensor(a.shape);
  const uint64_t *x = a.data.get();
  uint64_t *out = result.data.get();
  int64_t count = a.size();
  constexpr int64_t kChunk = 1 << 12;
  std::atomic<bool> hasZero = false;
  pool.forEach((count + kChunk - 1) / kChunk, [&](int64_t chunk) {
    int64_t begin = chunk * kChunk, end = std::min(count, begin + kChunk);
    // out[i] is the product of the elements before i.
    uint64_t product = 1;
    for (int64_t i = begin; i < end; ++i) {
      out[i] = product;
      product = field.mul(product, x[i]);
    }
    if (!product) {
      hasZero = true;
      return;
    }
    uint64_t inverse = field.invert(product);
    for (int64_t i = end; i-- > begin;) {
      out[i] = field.mul(out[i], inverse);
      inverse = field.mul(inverse, x[i]);
    }
  });
  return !hasZero;
}
