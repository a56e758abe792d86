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
#include "Pattern.h"

namespace mirage::equivalence {

/// Arguments' special elements, and what their others are.
struct Special {
  enum class Others : uint8_t { Normal, Positive, One, Zero };
  /// As bits.
  uint64_t arguments = 0;
  double number = 0;
  Others others = Others::Normal;
  /// Single elements don't matter: sums are taken of them.
  bool onlyLines = false;
  Pattern pattern = {};

  bool isIn(size_t argument) const {
    return argument < 64 && arguments >> argument & 1;
  }
};

struct ArgumentTraits {
  /// Special numbers, each to be tried with all patterns.
  std::vector<Special> specials;
  /// It is compared, or chosen by, together with others.
  bool isCompared = false;
  /// A logarithm or root of it is taken, so that it must not be negative.
  bool isPositive = false;
  /// A logarithm or root is taken of something that depends on it.
  bool isUnderRoot = false;
  /// It is part of a quotient, which is no number where both sides are zero.
  bool isDivided = false;
};

/// What elements of a program's arguments come to. It is not asked on which
/// way: where an element has to do with an exponential, a maximum, a comparison
/// or a pole, its special numbers are tried, and the original says by being
/// finite which of them mean something.
llvm::SmallVector<ArgumentTraits> findArgumentTraits(const MuGraph &program);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_SPECIALINPUTS_H
