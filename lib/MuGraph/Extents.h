//===- Extents.h - Sizes as products of extents -----------------*- C++ -*-===//
//
// An extent is a number that may change; a size is a sequence of extents,
// outermost first, whose product it is. Making two sizes equal splits extents
// where the other size is divided, and unites what corresponds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_EXTENTS_H
#define MIRAGE_LIB_MUGRAPH_EXTENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace mirage {

using ExtentId = unsigned;
using Size = llvm::SmallVector<ExtentId, 3>;

class Extents {
public:
  /// How the divisions of two equal sizes are refined.
  enum class Refinement : uint8_t {
    /// Extents keep their places: 6 * 4 and 3 * 8 are both 3 * 2 * 4. 16 * 48
    /// and 12 * 64 have no common refinement.
    InOrder,
    /// Extents are factors, whose order does not matter: 16 * 48 is
    /// (4 * 4) * (3 * 16), and 12 * 64 is (4 * 3) * (4 * 16). That is enough
    /// where only the sizes must stay equal when extents change.
    AnyOrder
  };
  /// Says what becomes of a size of one: it has no extent and stays one, or it
  /// has an extent, which may become larger.
  enum class Ones : uint8_t { AreNone, AreExtents };
  explicit Extents(Refinement refinement = Refinement::InOrder,
                   Ones ones = Ones::AreNone)
      : refinement(refinement), ones(ones) {}

  /// A new extent.
  Size add(int64_t value);
  bool haveOnes() const { return ones == Ones::AreExtents; }

  /// Makes two sizes of equal value the same. Where their divisions have no
  /// common refinement, what is left of both is fixed.
  void unite(llvm::ArrayRef<ExtentId> a, llvm::ArrayRef<ExtentId> b);

  /// Keeps the size what it is.
  void fix(llvm::ArrayRef<ExtentId> size);

  /// The undivided extents that a size is the product of, outermost first.
  Size resolve(llvm::ArrayRef<ExtentId> size) const;

  int64_t getValue(ExtentId extent) const { return entries[extent].value; }
  bool isFixed(ExtentId extent) const { return entries[extent].fixed; }
  /// Returns whether the extent has another place in one size than in an equal
  /// one, so that it is a factor of both but not the same digit of their
  /// indices.
  bool isExchanged(ExtentId extent) const { return entries[extent].exchanged; }

private:
  struct Entry {
    int64_t value;
    bool fixed = false;
    bool exchanged = false;
    /// The extents that replace it: an equal one, or an outer and an inner one.
    llvm::SmallVector<ExtentId, 2> parts;
  };

  /// Adds what is left of an extent that is divided.
  Size addPart(int64_t value, const Entry &whole);
  void uniteOnes(Size &left, Size &right);
  void uniteFactors(Size left, Size right);
  void uniteCommonFactor(ExtentId x, ExtentId y);

  Refinement refinement;
  Ones ones;
  std::vector<Entry> entries;
};

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_EXTENTS_H
