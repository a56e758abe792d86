//===- SymbolicExtent.h - Sizes known and unknown -----------------------*- C++
//-*-===//
//
// A symbolic extent says how many elements a reduction adds up: it is a product
// of primes and of unknowns (Unknown.h). Positive integers are free on the
// primes, so that products never overflow, division is exact, and unknowns are
// nothing special.
//
// ExtentConstraints says what is known about the unknowns.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_SYMBOLICEXTENT_H
#define MIRAGE_SEARCH_EXPRESSIONS_SYMBOLICEXTENT_H

#include "Mirage/Search/Expressions/Unknown.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mirage::search {

class SymbolicExtent {
public:
  /// A prime or an unknown. Unknowns are greater than primes.
  class Generator {
  public:
    explicit Generator(uint64_t prime) : bits(prime) {}
    explicit Generator(Unknown unknown) : bits(kUnknown | unknown.getBits()) {}

    bool isUnknown() const { return bits & kUnknown; }
    uint64_t getPrime() const {
      assert(!isUnknown());
      return bits;
    }
    Unknown getUnknown() const {
      assert(isUnknown());
      return Unknown::fromBits(static_cast<uint32_t>(bits));
    }

    auto operator<=>(const Generator &other) const = default;
    friend llvm::hash_code hash_value(const Generator &generator) {
      return llvm::hash_value(generator.bits);
    }

  private:
    static constexpr uint64_t kUnknown = uint64_t(1) << 63;
    uint64_t bits;
  };

  /// The default is one.
  SymbolicExtent() = default;
  /// A positive integer.
  static SymbolicExtent get(int64_t size);
  static SymbolicExtent get(Unknown unknown);
  static SymbolicExtent get(Generator generator);

  bool isOne() const { return powers.empty(); }
  bool hasUnknowns() const {
    return !powers.empty() && powers.back().first.isUnknown();
  }
  /// The integer, if there are no unknowns and it fits 63 bits.
  std::optional<int64_t> getSize() const;

  SymbolicExtent operator*(const SymbolicExtent &other) const;
  /// The quotient, if `other` divides this whatever the unknowns are.
  std::optional<SymbolicExtent> divide(const SymbolicExtent &other) const;

  bool operator==(const SymbolicExtent &other) const {
    return powers == other.powers;
  }
  /// An order that multiplication keeps: a < b implies a c < b c. It is not
  /// that of the integers.
  bool operator<(const SymbolicExtent &other) const;

  /// Generators and their exponents, ascending; exponents are positive.
  llvm::ArrayRef<std::pair<Generator, unsigned>> getPowers() const {
    return powers;
  }

  /// "4096", or "64*tile2" with an unknown.
  std::string toString() const;

private:
  llvm::SmallVector<std::pair<Generator, unsigned>, 2> powers;
};

/// What holds for the unknowns of some extents. Every unknown is at least one.
struct ExtentConstraints {
  struct Equation {
    SymbolicExtent lhs, rhs;
  };
  /// The sum of factor * extent is at most `bound`, for instance the bytes of
  /// tiles in shared memory.
  struct Limit {
    std::vector<std::pair<int64_t, SymbolicExtent>> terms;
    int64_t bound = 0;
  };

  /// Each of these says lhs = rhs: tile * blocks * iterations = size.
  std::vector<Equation> products;
  /// Each of these says that lhs divides rhs.
  std::vector<Equation> divisors;
  std::vector<Limit> limits;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_SYMBOLICEXTENT_H
