//===- SpecialInputs.h - Inputs at which operators change -------*- C++ -*-===//
//
// Arguments of a program in which some elements are a number at which an
// operator behaves otherwise than for others: -inf in a mask that is added to
// scores, zero in one that is compared or in a denominator, both sides of what
// is compared with. Random numbers don't have these, and a candidate may be no
// number for them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_SPECIALINPUTS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_SPECIALINPUTS_H

#include "Mirage/Analysis/Equivalence/Floats/Pattern.h"
#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <vector>

namespace mirage::equivalence {

/// Arguments' special elements, and what their others are.
struct Special {
  enum class Others : uint8_t { Normal, Positive, One, Zero };
  struct Elements {
    llvm::SmallVector<unsigned, 1> arguments;
    double number = 0;
    Others others = Others::Normal;

    bool operator==(const Elements &) const = default;
  };
  /// The elements are at the same places in all arguments.
  llvm::SmallVector<Elements, 1> elements;
  /// Single elements don't matter: sums are taken of them.
  bool onlyLines = false;
  /// They are far greater than all others, one in each line.
  bool isOutlier = false;
  Pattern pattern = {};

  /// Returns whether the special elements are infinities, as those of masks
  /// are.
  bool isInfinite() const {
    return llvm::any_of(elements, [](const Elements &one) {
      return one.number == HUGE_VAL || one.number == -HUGE_VAL;
    });
  }
  /// Returns what an argument holds, if it is one of them.
  const Elements *find(unsigned argument) const {
    for (const Elements &one : elements)
      if (llvm::is_contained(one.arguments, argument))
        return &one;
    return nullptr;
  }
};

struct ArgumentTraits {
  /// Special numbers, each to be tried with all patterns.
  std::vector<Special> specials;
  /// Its elements decide something, as those of a mask do.
  bool isMask = false;
  /// It is compared, or chosen by, or has a pole, together with others.
  bool isCompared = false;
  /// Its elements, times numbers, are chosen, so that others may be anything.
  bool isChosen = false;
  /// A logarithm or root of it is taken, so that it must not be negative.
  bool isPositive = false;
  /// A logarithm or root is taken of something that depends on it.
  bool isUnderRoot = false;
  /// It is added to something else.
  bool isSummand = false;
  /// It is multiplied or summed, and so no mask that is only added.
  bool isFactor = false;
  /// It is part of a quotient, which is no number where both sides are zero.
  bool isDivided = false;
};

/// Finds what elements of a program's arguments come to. It is not asked on
/// which way: where an element has to do with an exponential, a maximum, a
/// comparison or a pole, its special numbers are tried, and the original says
/// by being finite which of them mean something.
std::vector<ArgumentTraits> findArgumentTraits(const MuGraph &program);

/// Special numbers of several arguments at once: zeros of both sides of
/// quotients, and infinities of one where another hides them.
std::vector<Special> findJointSpecials(llvm::ArrayRef<ArgumentTraits> traits);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_SPECIALINPUTS_H
