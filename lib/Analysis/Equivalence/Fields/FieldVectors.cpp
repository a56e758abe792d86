//===- FieldVectors.cpp - Residues eight at a time ------------------------===//
//
// A residue has two limbs, of 52 bits and of the rest, and the instructions
// multiply the lower 52 bits of what they are given: seven of them make a
// product, lo and hi of three products of limbs and lo of the highest. Sums of
// products are kept as three numbers of 64 bits, and reduced once for 1024
// terms.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldVectors.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::equivalence;

#if defined(__x86_64__)

#include <immintrin.h>

// Compiled for these instructions whatever the rest is compiled for.
#define MIRAGE_IFMA __attribute__((target("avx512f,avx512ifma")))
#define MIRAGE_IFMA_INLINE                                                     \
  __attribute__((target("avx512f,avx512ifma"), always_inline)) inline

FieldUnit equivalence::getFieldUnit() {
  static const bool hasIFMA =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
  return hasIFMA ? FieldUnit::IFMA : FieldUnit::Scalar;
}

namespace {

constexpr uint64_t kLimbMask = (uint64_t(1) << 52) - 1;

/// sum[0] + 2^52 sum[1] + 2^104 sum[2], in each of eight lanes.
struct Sum {
  __m512i low, middle, high;
};

MIRAGE_IFMA_INLINE Sum makeZero() {
  return {_mm512_setzero_si512(), _mm512_setzero_si512(),
          _mm512_setzero_si512()};
}

/// Adds x y, of residues with the upper limbs x1 and y1. `middle` grows by less
/// than 3 * 2^52: 1365 products fit.
MIRAGE_IFMA_INLINE void addProduct(Sum &sum, __m512i x, __m512i x1, __m512i y,
                                   __m512i y1) {
  sum.low = _mm512_madd52lo_epu64(sum.low, x, y);
  sum.middle = _mm512_madd52hi_epu64(sum.middle, x, y);
  sum.high = _mm512_madd52hi_epu64(sum.high, x, y1);
  sum.middle = _mm512_madd52lo_epu64(sum.middle, x, y1);
  sum.high = _mm512_madd52hi_epu64(sum.high, x1, y);
  sum.middle = _mm512_madd52lo_epu64(sum.middle, x1, y);
  sum.high = _mm512_madd52lo_epu64(sum.high, x1, y1);
}

MIRAGE_IFMA_INLINE __m512i getUpperLimb(__m512i x) {
  return _mm512_srli_epi64(x, 52);
}

/// A field's numbers, in all lanes.
class Reduction {
public:
  MIRAGE_IFMA_INLINE explicit Reduction(const PrimeField &field) {
    uint64_t p = field.getModulus(), bits = field.getBits();
    uint64_t power = field.reduce(UInt128(1) << 104);
    modulus = _mm512_set1_epi64(p);
    twice = _mm512_set1_epi64(2 * p);
    offset = _mm512_set1_epi64((uint64_t(1) << bits) - p);
    highPower = _mm512_set1_epi64(power);
    highPower1 = _mm512_set1_epi64(power >> 52);
    limb = _mm512_set1_epi64(kLimbMask);
    rest = _mm512_set1_epi64((uint64_t(1) << (bits - 52)) - 1);
    restBits = _mm_cvtsi64_si128(bits - 52);
  }

  /// The residue of a sum of at most 1024 products.
  MIRAGE_IFMA_INLINE __m512i operator()(Sum sum) const {
    // Numbers of 52 bits, but for `high`, which is below 2^30.
    sum.middle = _mm512_add_epi64(sum.middle, _mm512_srli_epi64(sum.low, 52));
    sum.low = _mm512_and_si512(sum.low, limb);
    sum.high = _mm512_add_epi64(sum.high, _mm512_srli_epi64(sum.middle, 52));
    sum.middle = _mm512_and_si512(sum.middle, limb);
    // 2^104 by its residue: what remains is below 2^106.
    sum.low = _mm512_madd52lo_epu64(sum.low, sum.high, highPower);
    sum.middle = _mm512_madd52hi_epu64(sum.middle, sum.high, highPower);
    sum.middle = _mm512_madd52lo_epu64(sum.middle, sum.high, highPower1);
    sum.middle = _mm512_add_epi64(sum.middle, _mm512_srli_epi64(sum.low, 52));
    sum.low = _mm512_and_si512(sum.low, limb);
    // 2^bits by the offset: factors below 2^46 and 2^16, so less than
    // 2^61 + 2^62 + 2^52, which is below four times the modulus for bits = 61,
    // and for 60 with an offset below 2^15.
    __m512i quotient = _mm512_srl_epi64(sum.middle, restBits);
    __m512i result = _mm512_or_si512(
        sum.low, _mm512_slli_epi64(_mm512_and_si512(sum.middle, rest), 52));
    result = _mm512_madd52lo_epu64(result, quotient, offset);
    result = _mm512_add_epi64(
        result, _mm512_slli_epi64(_mm512_madd52hi_epu64(_mm512_setzero_si512(),
                                                        quotient, offset),
                                  52));
    result = _mm512_min_epu64(result, _mm512_sub_epi64(result, twice));
    return _mm512_min_epu64(result, _mm512_sub_epi64(result, modulus));
  }

  MIRAGE_IFMA_INLINE __m512i add(__m512i x, __m512i y) const {
    x = _mm512_add_epi64(x, y);
    return _mm512_min_epu64(x, _mm512_sub_epi64(x, modulus));
  }

  MIRAGE_IFMA_INLINE __m512i multiply(__m512i x, __m512i y) const {
    Sum sum = makeZero();
    addProduct(sum, x, getUpperLimb(x), y, getUpperLimb(y));
    return (*this)(sum);
  }

private:
  __m512i modulus, twice, offset, highPower, highPower1, limb, rest;
  __m128i restBits;
};

/// The first lanes, at most eight.
MIRAGE_IFMA_INLINE __mmask8 getMask(int64_t lanes) {
  return static_cast<__mmask8>((1u << std::clamp<int64_t>(lanes, 0, 8)) - 1);
}

template <int rows, int vectors>
MIRAGE_IFMA void multiplyTile(const PrimeField &field, const uint64_t *a,
                              int64_t aRow, const uint64_t *b, int64_t columns,
                              int64_t depth, uint64_t *out, int64_t outRow) {
  constexpr int64_t kTerms = 1024;
  Reduction reduce(field);
  for (int64_t begin = 0; begin < depth; begin += kTerms) {
    int64_t end = std::min(depth, begin + kTerms);
    Sum sum[rows][vectors];
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < vectors; ++j)
        sum[i][j] = makeZero();
    for (int64_t k = begin; k < end; ++k) {
      __m512i y[vectors], y1[vectors];
#pragma GCC unroll 8
      for (int j = 0; j < vectors; ++j) {
        y[j] = _mm512_loadu_si512(b + k * ifma::kSliver + 8 * j);
        y1[j] = getUpperLimb(y[j]);
      }
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) {
        __m512i x = _mm512_set1_epi64(a[i * aRow + k]), x1 = getUpperLimb(x);
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j)
          addProduct(sum[i][j], x, x1, y[j], y1[j]);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < vectors; ++j) {
        uint64_t *to = out + i * outRow + 8 * j;
        __mmask8 mask = getMask(columns - 8 * j);
        __m512i value = reduce(sum[i][j]);
        if (begin)
          value = reduce.add(value, _mm512_maskz_loadu_epi64(mask, to));
        _mm512_mask_storeu_epi64(to, mask, value);
      }
  }
}

template <int vectors>
void multiplySliver(const PrimeField &field, const uint64_t *a, int64_t aRow,
                    int64_t rows, const uint64_t *b, int64_t columns,
                    int64_t depth, uint64_t *out, int64_t outRow) {
  // Four rows by two vectors, 24 sums, are what registers hold.
  for (; rows >= 4; rows -= 4, a += 4 * aRow, out += 4 * outRow)
    multiplyTile<4, vectors>(field, a, aRow, b, columns, depth, out, outRow);
  for (; rows > 0; --rows, a += aRow, out += outRow)
    multiplyTile<1, vectors>(field, a, aRow, b, columns, depth, out, outRow);
}

} // namespace

void ifma::multiply(const PrimeField &field, const uint64_t *a, int64_t aRow,
                    int64_t rows, const uint64_t *b, int64_t columns,
                    int64_t depth, uint64_t *out, int64_t outRow) {
  if (columns > 8)
    multiplySliver<2>(field, a, aRow, rows, b, columns, depth, out, outRow);
  else
    multiplySliver<1>(field, a, aRow, rows, b, columns, depth, out, outRow);
}

MIRAGE_IFMA void ifma::multiplyElements(const PrimeField &field,
                                        const uint64_t *a, int64_t aStep,
                                        const uint64_t *b, int64_t bStep,
                                        int64_t count, uint64_t *out) {
  Reduction reduce(field);
  for (int64_t i = 0; i < count; i += 8) {
    __mmask8 mask = getMask(count - i);
    _mm512_mask_storeu_epi64(
        out + i, mask,
        reduce.multiply(aStep ? _mm512_maskz_loadu_epi64(mask, a + i)
                              : _mm512_set1_epi64(*a),
                        bStep ? _mm512_maskz_loadu_epi64(mask, b + i)
                              : _mm512_set1_epi64(*b)));
  }
}

MIRAGE_IFMA void ifma::exponentiate(const PrimeField &field,
                                    const uint64_t *powers, unsigned windowBits,
                                    unsigned windows, const uint64_t *exponents,
                                    int64_t count, uint64_t *out) {
  Reduction reduce(field);
  __m512i window = _mm512_set1_epi64((uint64_t(1) << windowBits) - 1);
  __m128i shift = _mm_cvtsi64_si128(windowBits);
  for (int64_t i = 0; i < count; i += 8) {
    __mmask8 mask = getMask(count - i);
    __m512i x = _mm512_maskz_loadu_epi64(mask, exponents + i);
    __m512i result =
        _mm512_i64gather_epi64(_mm512_and_si512(x, window), powers, 8);
    for (unsigned w = 1; w < windows; ++w) {
      x = _mm512_srl_epi64(x, shift);
      result = reduce.multiply(
          result, _mm512_i64gather_epi64(_mm512_and_si512(x, window),
                                         powers + (w << windowBits), 8));
    }
    _mm512_mask_storeu_epi64(out + i, mask, result);
  }
}

#else

FieldUnit equivalence::getFieldUnit() { return FieldUnit::Scalar; }

void ifma::multiply(const PrimeField &, const uint64_t *, int64_t, int64_t,
                    const uint64_t *, int64_t, int64_t, uint64_t *, int64_t) {
  llvm_unreachable("no such unit");
}

void ifma::multiplyElements(const PrimeField &, const uint64_t *, int64_t,
                            const uint64_t *, int64_t, int64_t, uint64_t *) {
  llvm_unreachable("no such unit");
}

void ifma::exponentiate(const PrimeField &, const uint64_t *, unsigned,
                        unsigned, const uint64_t *, int64_t, uint64_t *) {
  llvm_unreachable("no such unit");
}

#endif
