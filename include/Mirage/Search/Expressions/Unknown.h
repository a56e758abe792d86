//===- Unknown.h - A number that the search has not chosen yet --*- C++ -*-===//
//
// The unknown positive integers of symbolic extents, in three families:
//
//  - what the first launch, or the only one, divides an axis into:
//    axis = tile * blocks * iterations;
//  - the same for a second launch, which divides the axes in its own way;
//  - quotients of extents, which the comparison with a goal introduces.
//
// This is the only place that knows how unknowns are numbered.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_UNKNOWN_H
#define MIRAGE_SEARCH_EXPRESSIONS_UNKNOWN_H

#include "llvm/ADT/DenseMapInfo.h"
#include <cassert>
#include <compare>
#include <cstdint>
#include <string>

namespace mirage::search {

class Unknown {
public:
  /// The elements of an axis in one tile.
  static constexpr Unknown getTile(unsigned axis) {
    return Unknown(Family::FirstLaunch, kTile, axis);
  }
  /// The blocks of the grid along an axis.
  static constexpr Unknown getBlocks(unsigned axis) {
    return Unknown(Family::FirstLaunch, kBlocks, axis);
  }
  /// The iterations of the loop along an axis.
  static constexpr Unknown getIterations(unsigned axis) {
    return Unknown(Family::FirstLaunch, kIterations, axis);
  }
  /// A quotient of two extents. The numbers of quotients start from zero.
  static constexpr Unknown getQuotient(unsigned number) {
    return Unknown(Family::Quotient, kTile, number);
  }

  /// The same part of the same axis in the second launch.
  constexpr Unknown inSecondLaunch() const {
    assert(getFamily() == Family::FirstLaunch);
    return Unknown(Family::SecondLaunch, bits & kPartMask, getNumber());
  }

  constexpr bool isQuotient() const { return getFamily() == Family::Quotient; }
  /// The axis that the unknown is a part of.
  constexpr unsigned getAxis() const {
    assert(!isQuotient());
    return getNumber();
  }

  /// Unknowns are ordered by families: quotients come last.
  constexpr auto operator<=>(const Unknown &other) const = default;

  /// "tile3", "blocks3" and "iterations3" for axis 3, with a prime in the
  /// second launch, or "quotient3".
  std::string toString() const;

  /// The unknown as a number, for tables: one for each unknown, in their order,
  /// less than the two greatest numbers of 32 bits.
  constexpr uint32_t getBits() const { return bits; }
  static constexpr Unknown fromBits(uint32_t bits) { return Unknown(bits); }

private:
  enum class Family : uint32_t { FirstLaunch, SecondLaunch, Quotient };
  /// The parts of an axis.
  enum : uint32_t { kTile, kBlocks, kIterations };

  // The bits are the family, the number of the axis or quotient, and the part,
  // from the highest bits to the lowest.
  static constexpr uint32_t kPartBits = 2, kPartMask = (1u << kPartBits) - 1,
                            kFamilyShift = 30,
                            kNumberMask =
                                (1u << (kFamilyShift - kPartBits)) - 1;

  constexpr Unknown(Family family, uint32_t part, unsigned number)
      : bits(static_cast<uint32_t>(family) << kFamilyShift |
             number << kPartBits | part) {
    assert(number < kNumberMask);
  }
  constexpr Family getFamily() const {
    return static_cast<Family>(bits >> kFamilyShift);
  }
  constexpr unsigned getNumber() const {
    return bits >> kPartBits & kNumberMask;
  }

  explicit constexpr Unknown(uint32_t bits) : bits(bits) {}

  uint32_t bits;
};

} // namespace mirage::search

template <> struct llvm::DenseMapInfo<mirage::search::Unknown> {
  using Unknown = mirage::search::Unknown;
  static Unknown getEmptyKey() {
    return Unknown::fromBits(DenseMapInfo<uint32_t>::getEmptyKey());
  }
  static Unknown getTombstoneKey() {
    return Unknown::fromBits(DenseMapInfo<uint32_t>::getTombstoneKey());
  }
  static unsigned getHashValue(Unknown unknown) {
    return DenseMapInfo<uint32_t>::getHashValue(unknown.getBits());
  }
  static bool isEqual(Unknown a, Unknown b) { return a == b; }
};

#endif // MIRAGE_SEARCH_EXPRESSIONS_UNKNOWN_H
