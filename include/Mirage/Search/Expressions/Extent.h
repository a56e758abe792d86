//===- Extent.h - Sizes known and unknown -----------------------*- C++ -*-===//
//
// How many elements a reduction adds up: a product of primes and of unknowns.
// Grid, loop and tile extents that a search has not chosen yet are unknowns.
// Positive integers are free on the primes, so that products never overflow,
// division is exact, and unknowns are nothing special.
//
// ExtentConstraints says what is known about the unknowns.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_EXTENT_H
#define MIRAGE_SEARCH_EXPRESSIONS_EXTENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mirage::search {

class Extent {
public:
  /// A prime, or an unknown: kUnknown plus its number.
  using Generator = uint64_t;
  static constexpr Generator kUnknown = uint64_t(1) << 63;

  /// One.
  Extent() = default;
  /// A positive integer.
  static Extent get(int64_t size);
  static Extent getUnknown(unsigned number);

  bool isOne() const { return powers.empty(); }
  bool hasUnknowns() const {
    return !powers.empty() && powers.back().first >= kUnknown;
  }
  /// The integer, if there are no unknowns and it fits 63 bits.
  std::optional<int64_t> getSize() const;

  Extent operator*(const Extent &other) const;
  /// The quotient, if `other` divides this whatever the unknowns are.
  std::optional<Extent> divide(const Extent &other) const;

  bool operator==(const Extent &other) const { return powers == other.powers; }
  /// An order that multiplication keeps: a < b implies a c < b c. It is not
  /// that of the integers.
  bool operator<(const Extent &other) const;

  /// Generators and their exponents, ascending; exponents are positive.
  llvm::ArrayRef<std::pair<Generator, unsigned>> getPowers() const {
    return powers;
  }

  /// "4096", or "64*n2" with unknown number 2.
  std::string toString() const;

private:
  llvm::SmallVector<std::pair<Generator, unsigned>, 2> powers;
};

/// What holds for the unknowns of some extents. Every unknown is at least one.
struct ExtentConstraints {
  struct Equation {
    Extent lhs, rhs;
  };
  /// The sum of factor * extent is at most `bound`, for instance the bytes of
  /// tiles in shared memory.
  struct Limit {
    std::vector<std::pair<int64_t, Extent>> terms;
    int64_t bound = 0;
  };

  /// lhs = rhs: tile extent * loop extent * grid extent = size.
  std::vector<Equation> products;
  /// lhs divides rhs.
  std::vector<Equation> divisors;
  std::vector<Limit> limits;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_EXTENT_H
