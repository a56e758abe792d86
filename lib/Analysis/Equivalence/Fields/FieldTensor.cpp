//===- FieldTensor.cpp - Tensors of residues ------------------------------===//
//
// Products and inverses over a prime field.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// Columns that a task takes at least.
constexpr int64_t kSmallestPanel = ifma::kSliver;

/// A matrix in memory: element (i, j) at data[i * row + j * column].
struct Matrix {
  const uint64_t *data;
  int64_t row, column;
};
} // namespace

/// Rows of a matrix one after another, each contiguous.
static void pack(const Matrix &m, int64_t first, int64_t rows, int64_t depth,
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

/// Rows of a matrix side by side, kSliver of them, then the next ones; zeros
/// after the last.
static void packSlivers(const Matrix &m, int64_t first, int64_t rows,
                        int64_t depth, uint64_t *out) {
  constexpr int64_t kSliver = ifma::kSliver;
  for (int64_t i = 0; i < rows; i += kSliver, out += kSliver * depth) {
    const uint64_t *from = m.data + (first + i) * m.row;
    int64_t width = std::min(kSliver, rows - i);
    if (width < kSliver)
      std::fill_n(out, kSliver * depth, 0);
    // The inner loop goes along memory.
    if (m.row == 1) {
      for (int64_t k = 0; k < depth; ++k)
        std::memcpy(out + k * kSliver, from + k * m.column,
                    width * sizeof(uint64_t));
      continue;
    }
    for (int64_t j = 0; j < width; ++j)
      for (int64_t k = 0; k < depth; ++k)
        out[k * kSliver + j] = from[j * m.row + k * m.column];
  }
}

/// R x C dot products of `depth` terms of packed rows.
template <int R, int C>
static void multiplyTile(const PrimeField &field, const uint64_t *a,
                         const uint64_t *b, int64_t depth, uint64_t *out,
                         int64_t outRow) {
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

static void multiplyPanel(const PrimeField &field, const uint64_t *a,
                          int64_t rows, const uint64_t *b, int64_t columns,
                          int64_t depth, uint64_t *out, int64_t outRow) {
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
static int64_t getBatchOffset(int64_t batch, ShapeRef result,
                              ShapeRef strides) {
  int64_t offset = 0;
  for (size_t dim = result.size() - 2; dim-- > 0; batch /= result[dim])
    offset += batch % result[dim] * strides[dim];
  return offset;
}

FieldTensor equivalence::multiplyElements(const Execution &execution,
                                          const PrimeField &field,
                                          const FieldTensor &a,
                                          const FieldTensor &b, ShapeRef shape,
                                          FieldUnit unit) {
  if (unit == FieldUnit::IFMA)
    return zipRows(execution, a, b, shape,
                   [&](uint64_t *out, const uint64_t *x, int64_t stepX,
                       const uint64_t *y, int64_t stepY, int64_t length) {
                     ifma::multiplyElements(field, x, stepX, y, stepY, length,
                                            out);
                   });
  return zipElements(execution, a, b, shape, [field](uint64_t x, uint64_t y) {
    return field.mul(x, y);
  });
}

FieldTensor equivalence::multiply(const Execution &execution,
                                  const PrimeField &field,
                                  const FieldTensor &lhs,
                                  const FieldTensor &rhs, bool transposeLhs,
                                  bool transposeRhs, ShapeRef shape,
                                  FieldUnit unit) {
  FieldTensor result{Shape(shape)};
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t lhsRow = lhs.shape.back(), rhsRow = rhs.shape.back();
  int64_t depth = lhs.shape[getContractedDim(transposeLhs, ProductOperand::Lhs,
                                             lhs.shape.size())];
  Shape lhsStrides = getBroadcastStrides(lhs.shape),
        rhsStrides = getBroadcastStrides(rhs.shape);
  bool isVector = unit == FieldUnit::IFMA;

  // A panel's packed columns and a group of rows stay in the second-level
  // cache.
  int64_t panel = std::clamp<int64_t>((1 << 16) / depth, kSmallestPanel, 64);
  panel = panel / kSmallestPanel * kSmallestPanel;
  int64_t group = std::max<int64_t>(panel, 16);
  int64_t panels = (columns + panel - 1) / panel,
          groups = (rows + group - 1) / group,
          batches = result.size() / (rows * columns);
  execution.forEach(batches * panels, [&](int64_t task) {
    int64_t batch = task / panels, firstColumn = task % panels * panel;
    Matrix a{lhs.data.get() + getBatchOffset(batch, shape, lhsStrides),
             transposeLhs ? 1 : lhsRow, transposeLhs ? lhsRow : 1};
    // The right side is read by columns.
    Matrix b{rhs.data.get() + getBatchOffset(batch, shape, rhsStrides),
             transposeRhs ? rhsRow : 1, transposeRhs ? 1 : rhsRow};
    int64_t width = std::min(panel, columns - firstColumn);
    std::unique_ptr<uint64_t[]> packedB(
        new uint64_t[llvm::alignTo(width, ifma::kSliver) * depth]);
    if (isVector)
      packSlivers(b, firstColumn, width, depth, packedB.get());
    else
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
      uint64_t *to = out + first * columns;
      if (!isVector) {
        multiplyPanel(field, packed, height, packedB.get(), width, depth, to,
                      columns);
        continue;
      }
      for (int64_t j = 0; j < width; j += ifma::kSliver)
        ifma::multiply(field, packed, depth, height, packedB.get() + j * depth,
                       std::min(ifma::kSliver, width - j), depth, to + j,
                       columns);
    }
  });
  return result;
}

bool equivalence::invert(const Execution &execution, const PrimeField &field,
                         const FieldTensor &a, FieldTensor &result) {
  result = FieldTensor(a.shape);
  const uint64_t *x = a.data.get();
  uint64_t *out = result.data.get();
  int64_t count = a.size();
  constexpr int64_t kChunk = 1 << 12;
  std::atomic<bool> hasZero = false;
  execution.forEach((count + kChunk - 1) / kChunk, [&](int64_t chunk) {
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
