//===- Pattern.h - Which elements of a tensor are special -------*- C++ -*-===//
//
// What a candidate makes of special numbers depends on where they are: a tile
// that has nothing else is what goes wrong. So patterns leave nothing to chance
// that decides which tiles these are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_PATTERN_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_PATTERN_H

#include "Mirage/Semantics/OpAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace mirage::equivalence {

/// A pattern says which elements of a tensor are special.
struct Pattern {
  enum class Kind : uint8_t {
    All,
    /// All elements but one of lines along a dimension are special: so are all
    /// of each of several tiles of a line, however they are laid out, but one.
    AllButOne,
    /// One element of each line along a dimension is special.
    One,
    /// Every element of every second line along a dimension, or of all but one.
    Lines,
    AllLinesButOne,
    /// All but every fourth element along a dimension are special.
    AllButFourths,
    /// One half of every row, either half in turn along all other dimensions,
    /// and one in eight of the others.
    Halves,
    /// The other halves are special in the same way.
    OtherHalves,
  };
  Kind kind = Kind::All;
  unsigned dim = 0;
  /// Lines are of so many consecutive elements, which divide the dimension;
  /// zero for all of it. A reshape may make a dimension of them.
  int64_t block = 0;

  /// `random`: 64 bits for each element, or line, of a stream.
  using Random = llvm::function_ref<uint64_t(int64_t number, uint64_t stream)>;
  bool contains(ShapeRef shape, int64_t element, Random random) const;
  std::string getName() const;
};

/// Patterns that differ for a tensor of this shape. `sizes` are those that
/// lines may have besides whole dimensions; `onlyLines`: those in which only
/// whole lines are special.
llvm::SmallVector<Pattern>
getPatterns(ShapeRef shape, llvm::ArrayRef<int64_t> sizes, bool onlyLines);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_PATTERN_H
