//===- BoundedProduct.cpp - Products of bounded numbers -------------------===//
//
// The right operand is packed into groups of columns, whose values and errors
// stand beside each other. A row of the left operand goes through one group
// after another; sums stay in registers. Each column does what
// Arithmetic<Bounded>::mul and addTerm do, in the same order. The coarsest
// rounding of a sum's terms depends on no order, so that it is found for rows
// and columns alone.
//
//===----------------------------------------------------------------------===//

#include "BoundedProduct.h"

using namespace mirage;
using namespace mirage::detail;

namespace {

constexpr int64_t kColumns = 4;

using Numbers = double __attribute__((vector_size(kColumns * sizeof(double))));
using Bits = int64_t __attribute__((vector_size(kColumns * sizeof(int64_t))));

/// One row of a group of columns.
struct Terms {
  Numbers values, errors;
};

/// The sums of a group of columns.
struct Sums {
  Numbers values, errors, magnitudes;
};

/// A matrix in groups of columns, of which the last one ends with zeros.
struct PackedMatrix {
  PackedMatrix(const Bounded *matrix, int64_t depth, int64_t columns)
      : roundings(columns) {
    groups.resize((columns + kColumns - 1) / kColumns * depth);
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j, ++matrix) {
        Terms &terms = groups[j / kColumns * depth + k];
        terms.values[j % kColumns] = matrix->value;
        terms.errors[j % kColumns] = matrix->error;
        roundings[j] = std::max(roundings[j], matrix->rounding);
      }
  }

  /// The rows of the first group, those of the second one, and so on.
  std::vector<Terms> groups;
  /// The coarsest rounding in each column.
  std::vector<float> roundings;
};

#define MIRAGE_INLINE __attribute__((always_inline)) inline

MIRAGE_INLINE Numbers repeat(double number) {
  return Numbers{number, number, number, number};
}

MIRAGE_INLINE Numbers getMagnitudes(Numbers numbers) {
  constexpr int64_t magnitude = std::numeric_limits<int64_t>::max();
  return (Numbers)((Bits)numbers &
                   Bits{magnitude, magnitude, magnitude, magnitude});
}

/// Adds the products of a row of the left operand and a group of columns.
MIRAGE_INLINE void addTerms(const Bounded *row, const Terms *group,
                            int64_t depth, const DeviceErrors &device,
                            Sums &result) {
  const Numbers unit = repeat(device.unit), largest = repeat(device.largest),
                smallest = repeat(device.smallestNormal),
                infinity = repeat(std::numeric_limits<double>::infinity());
  Sums sums = result;
  for (int64_t k = 0; k < depth; ++k) {
    Numbers a = repeat(row[k].value), aError = repeat(row[k].error);
    Numbers b = group[k].values, bError = group[k].errors;
    Numbers value = a * b;
    Numbers error =
        getMagnitudes(a) * bError + getMagnitudes(b) * aError + aError * bError;
    Numbers magnitude = getMagnitudes(value);
    error += unit * (magnitude + error) + smallest;
    Bits isBounded = magnitude + error <= largest;
    error =
        (Numbers)(((Bits)error & isBounded) | ((Bits)infinity & ~isBounded));
    sums.values += value;
    sums.errors += error;
    sums.magnitudes += magnitude + error;
  }
  result = sums;
}

using AddTerms = void (*)(const Bounded *, const Terms *, int64_t,
                          const DeviceErrors &, Sums &);

void addTermsAnywhere(const Bounded *row, const Terms *group, int64_t depth,
                      const DeviceErrors &device, Sums &sums) {
  addTerms(row, group, depth, device, sums);
}

#if defined(__x86_64__)
/// Without fused multiplications, which round differently.
__attribute__((target("avx2"))) void
addTermsAVX2(const Bounded *row, const Terms *group, int64_t depth,
             const DeviceErrors &device, Sums &sums) {
  addTerms(row, group, depth, device, sums);
}

AddTerms getAddTerms() {
  static const bool hasAVX2 = __builtin_cpu_supports("avx2");
  return hasAVX2 ? addTermsAVX2 : addTermsAnywhere;
}
#else
AddTerms getAddTerms() { return addTermsAnywhere; }
#endif

/// Adds a row of the left operand times a matrix to a row of the result.
void addRow(const Bounded *row, const PackedMatrix &matrix, int64_t depth,
            AddTerms add, TensorSystem<Bounded> &s, Bounded *result) {
  float rounding = 0;
  for (int64_t k = 0; k < depth; ++k)
    rounding = std::max(rounding, row[k].rounding);
  int64_t columns = matrix.roundings.size();
  for (int64_t first = 0; first < columns; first += kColumns) {
    int64_t count = std::min(kColumns, columns - first);
    Sums sums{};
    for (int64_t j = 0; j < count; ++j) {
      sums.values[j] = result[first + j].value;
      sums.errors[j] = result[first + j].error;
      sums.magnitudes[j] = result[first + j].magnitude;
    }
    add(row, &matrix.groups[first / kColumns * depth], depth, s.device, sums);
    for (int64_t j = 0; j < count; ++j) {
      Bounded &sum = result[first + j];
      sum.value = sums.values[j];
      sum.error = sums.errors[j];
      sum.magnitude = sums.magnitudes[j];
      sum.terms += depth;
      sum.rounding =
          std::max({sum.rounding, rounding, matrix.roundings[first + j]});
      sum = s.endSum(sum);
    }
  }
}

} // namespace

template <>
void detail::accumulateProduct(const Tensor<Bounded> &lhs,
                               const Tensor<Bounded> &rhs,
                               TensorSystem<Bounded> system,
                               Tensor<Bounded> &result) {
  int64_t rows = result.shape.rbegin()[1], columns = result.shape.back(),
          depth = lhs.shape.back();
  std::vector<PackedMatrix> matrices;
  for (size_t start = 0; start < rhs.data.size(); start += depth * columns)
    matrices.emplace_back(&rhs.data[start], depth, columns);
  forChunks(system.options, result.data.size() / columns, columns * depth,
            [&, add = getAddTerms()](int64_t begin, int64_t end) {
              TensorSystem<Bounded> s = system;
              for (int64_t row = begin; row < end; ++row) {
                int64_t batch = row / rows;
                int64_t left = getBatch(batch, result.shape, lhs.shape);
                int64_t right = getBatch(batch, result.shape, rhs.shape);
                addRow(&lhs.data[(left * rows + row % rows) * depth],
                       matrices[right], depth, add, s,
                       &result.data[row * columns]);
              }
            });
}
