//===- SpecialInputs.h - Inputs at which operators change -------*- C++ -*-===//
//
// Arguments of a program in which some elements are a number at which an
// operator behaves otherwise than for others: -inf in a mask that is added to
// scores, zero in one that is compared or in a denominator, both sides of what
// is compared with. Random numbers don't have these, and a candidate may be no
// number for them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_SPECIALINPUTS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_SPECIALINPUTS_H

#include "Mirage/MuGraph/MuGraph.h"
#include <optional>

namespace mirage::equivalence {

/// Which elements of a tensor are special.
struct Pattern {
  enum class Kind : uint8_t {
    /// One half of every row, either half in turn along all other dimensions,
    /// and one in eight of the others: parts of rows and columns have nothing
    /// else, and every row has other elements.
    Halves,
    /// Of lines along a dimension, all elements but one, or few: so is each of
    /// several tiles of a line, however they are laid out, but one.
    Lines,
    /// The same, and the whole of some lines.
    WholeLines,
  };
  Kind kind = Kind::Halves;
  unsigned dim = 0;

  /// `random`: 64 bits for each element, or line, of a stream.
  using Random = llvm::function_ref<uint64_t(int64_t number, uint64_t stream)>;
  bool contains(ShapeRef shape, int64_t element, Random random) const;
  std::string getName() const;
};

/// One argument's special elements, and what its others are.
struct Special {
  enum class Others : uint8_t { Normal, Positive, One };
  unsigned argument = 0;
  double number = 0;
  Others others = Others::Normal;
  /// Elements along other dimensions than the last don't matter.
  bool isPole = false;
  Pattern pattern = {};
};

struct ArgumentTraits {
  /// Special numbers, each with the first pattern.
  llvm::SmallVector<Special, 4> specials;
  /// It is compared with another argument.
  bool isCompared = false;
  /// A logarithm or root of it is taken, so that it must not be negative.
  bool isPositive = false;
};

/// What a program's arguments are used for: by elements alone, not behind
/// products of matrices, where no element of an argument is left.
llvm::SmallVector<ArgumentTraits> findArgumentTraits(const MuGraph &program);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_SPECIALINPUTS_H
