//===- FieldVectors.h - Residues eight at a time ----------------*- C++ -*-===//
//
// The loops that take the time of random tests, by the 52-bit multiplications
// of AVX-512 IFMA. Results are least nonnegative residues, and so those of
// PrimeField bit for bit. docs/performance/verification.md says what this
// gains, and why there is nothing of the kind for AVX2.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDVECTORS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDVECTORS_H

#include "Mirage/Analysis/Equivalence/Fields/FiniteField.h"

namespace mirage::equivalence {

/// The unit of the processor that computes with residues.
enum class FieldUnit : uint8_t {
  /// 64-bit multiplications; anywhere.
  Scalar,
  /// AVX-512 IFMA.
  IFMA,
};

/// The fastest that this CPU has.
FieldUnit getFieldUnit();

/// These work only where getFieldUnit() is IFMA.
namespace ifma {

/// Columns of a matrix that are multiplied together.
constexpr int64_t kSliver = 16;

/// out[i * outRow + j] = sum over k of a[i * aRow + k] b[k * kSliver + j], for
/// all i < rows and j < columns <= kSliver. `b` has kSliver columns, whatever
/// is in the last ones.
void multiply(const PrimeField &field, const uint64_t *a, int64_t aRow,
              int64_t rows, const uint64_t *b, int64_t columns, int64_t depth,
              uint64_t *out, int64_t outRow);

/// out[i] = a[i * aStep] b[i * bStep]; steps are zero or one.
void multiplyElements(const PrimeField &field, const uint64_t *a, int64_t aStep,
                      const uint64_t *b, int64_t bStep, int64_t count,
                      uint64_t *out);

/// out[i] is the product, over all windows w of `windowBits` bits, of
/// powers[w << windowBits | the bits of exponents[i] in window w].
void exponentiate(const PrimeField &field, const uint64_t *powers,
                  unsigned windowBits, unsigned windows,
                  const uint64_t *exponents, int64_t count, uint64_t *out);

} // namespace ifma
} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDVECTORS_H
