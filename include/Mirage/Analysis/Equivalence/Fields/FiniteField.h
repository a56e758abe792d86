//===- FiniteField.h - Arithmetic modulo primes near 2^61 -------*- C++ -*-===//
//
// The fields in which random tests of equivalence compute (Mirage, section 5).
// Values outside of exponentials are residues modulo p, those inside modulo q,
// where q divides p - 1: then Z_p has an element omega of order q, and
// x -> omega^x is a homomorphism from (Z_q, +) to (Z_p, *), as exp is from the
// reals to the positive reals.
//
// Moduli are 2^bits - c with small c: x * 2^bits = x * c, so a product is
// reduced by two multiplications by c, which takes the place of Montgomery's
// reduction. A dot product is reduced once every 32 terms, and costs one
// 64x64-bit multiplication a term. FieldVectors.h computes the same, eight
// numbers at a time, where the CPU can.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FINITEFIELD_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FINITEFIELD_H

#include <cassert>
#include <cstdint>

namespace mirage::equivalence {

using UInt128 = unsigned __int128;

/// Integers modulo the prime 2^bits - offset, each represented by its least
/// nonnegative residue. bits is at most 61, offset below 2^20.
class PrimeField {
public:
  constexpr PrimeField(unsigned bits, uint64_t offset)
      : modulus((uint64_t(1) << bits) - offset), offset(offset), bits(bits) {}

  constexpr uint64_t getModulus() const { return modulus; }
  constexpr unsigned getBits() const { return bits; }

  constexpr uint64_t add(uint64_t a, uint64_t b) const {
    uint64_t sum = a + b;
    return sum >= modulus ? sum - modulus : sum;
  }
  constexpr uint64_t sub(uint64_t a, uint64_t b) const {
    return a >= b ? a - b : a + (modulus - b);
  }
  constexpr uint64_t negate(uint64_t a) const { return a ? modulus - a : 0; }
  constexpr uint64_t mul(uint64_t a, uint64_t b) const {
    // This is what reduce does, for numbers below 2^(2 bits): quotients fit
    // into 64 bits, and the second step leaves less than twice the modulus.
    uint64_t mask = (uint64_t(1) << bits) - 1;
    UInt128 x = UInt128(a) * b;
    x = UInt128(divide(x)) * offset + (uint64_t(x) & mask);
    uint64_t result = divide(x) * offset + (uint64_t(x) & mask);
    return result >= modulus ? result - modulus : result;
  }

  /// The residue of any 128-bit number.
  constexpr uint64_t reduce(UInt128 x) const {
    // Each step replaces x = high * 2^bits + low by high * offset + low. With
    // bits >= 60: x < 2^128, then 2^89, then 2^61 + 2^49.
    uint64_t mask = (uint64_t(1) << bits) - 1;
    x = (x >> bits) * offset + (uint64_t(x) & mask);
    x = (x >> bits) * offset + (uint64_t(x) & mask);
    uint64_t result = static_cast<uint64_t>(x);
    // Below 3 * modulus.
    if (result >= modulus)
      result -= modulus;
    return result >= modulus ? result - modulus : result;
  }

  constexpr uint64_t pow(uint64_t base, uint64_t exponent) const {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
      if (exponent & 1)
        result = mul(result, base);
      base = mul(base, base);
    }
    return result;
  }
  /// Returns the inverse of a, which must not be zero.
  constexpr uint64_t invert(uint64_t a) const { return pow(a, modulus - 2); }

  /// The residue of a signed number.
  constexpr uint64_t fromSigned(int64_t value) const {
    uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value)
                                   : static_cast<uint64_t>(value);
    uint64_t residue = reduce(magnitude);
    return value < 0 ? negate(residue) : residue;
  }

private:
  /// Returns x >> bits, where that is below 2^64. (Shifts of 128-bit numbers
  /// are slow.)
  constexpr uint64_t divide(UInt128 x) const {
    return uint64_t(x >> 64) << (64 - bits) | uint64_t(x) >> bits;
  }

  uint64_t modulus;
  uint64_t offset;
  unsigned bits;
};

/// Returns whether n is prime: Miller and Rabin's test with the first twelve
/// primes as bases, which decides every n below 3.3 * 10^24 (Sorenson and
/// Webster 2015).
constexpr bool isPrime(uint64_t n) {
  constexpr uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (uint64_t base : bases)
    if (n % base == 0)
      return n == base;
  if (n < 2)
    return false;
  auto mul = [n](uint64_t a, uint64_t b) -> uint64_t {
    return UInt128(a) * b % n;
  };
  uint64_t odd = n - 1;
  unsigned twos = 0;
  for (; odd % 2 == 0; odd /= 2)
    ++twos;
  for (uint64_t base : bases) {
    uint64_t x = 1, square = base;
    for (uint64_t e = odd; e; e >>= 1) {
      if (e & 1)
        x = mul(x, square);
      square = mul(square, square);
    }
    bool passes = x == 1 || x == n - 1;
    for (unsigned i = 1; i < twos && !passes; ++i) {
      x = mul(x, x);
      passes = x == n - 1;
    }
    if (!passes)
      return false;
  }
  return true;
}

/// Z_p and Z_q with p = 2 q + 1.
struct FieldPair {
  PrimeField p, q;
};

namespace detail {
/// Makes the fields for q = 2^60 - c and p = 2 q + 1 = 2^61 - (2 c - 1).
constexpr FieldPair makeFieldPair(uint64_t c) {
  return {PrimeField(61, 2 * c - 1), PrimeField(60, c)};
}
constexpr bool isFieldPair(const FieldPair &pair) {
  uint64_t p = pair.p.getModulus(), q = pair.q.getModulus();
  // Modulo 8 both are 7, so that 2 has a square root in both fields.
  return isPrime(p) && isPrime(q) && (p - 1) % q == 0 && p % 8 == 7 &&
         q % 8 == 7;
}
} // namespace detail

/// The four largest pairs of their form. Tests take them in turn, so that no
/// property of one modulus decides an answer.
inline constexpr FieldPair kFieldPairs[] = {
    detail::makeFieldPair(1577), detail::makeFieldPair(4865),
    detail::makeFieldPair(11105), detail::makeFieldPair(17825)};
inline constexpr unsigned kNumFieldPairs = 4;

static_assert(detail::isFieldPair(kFieldPairs[0]));
static_assert(detail::isFieldPair(kFieldPairs[1]));
static_assert(detail::isFieldPair(kFieldPairs[2]));
static_assert(detail::isFieldPair(kFieldPairs[3]));

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FINITEFIELD_H
