//===- SizeGrid.h - The sizes that arguments are tried with -----*- C++ -*-===//
//
// Powers of two from 2^-24 to 2^15, or those of them that an argument's type
// can hold. Estimates go over all of them (Suspicions.cpp), runs over every
// second one, with structures (GridRuns.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_SIZEGRID_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_SIZEGRID_H

#include "../NumberRange.h"
#include <algorithm>
#include <cmath>

namespace mirage::equivalence {

inline constexpr int kLeastPower = -24, kGreatestPower = 15, kPowerStep = 3;

/// Normal numbers of a deviation of one have elements of up to some four. An
/// original must hold these, and sums a little above what is expected.
inline constexpr double kOriginalHeadroom = 8;

/// Returns this power of two, or the nearest of which a type has four bits and
/// room for sums above it. Arguments are exact, however few digits their type
/// has for numbers of that size, so that a program may lose nothing of them; of
/// smaller ones, whatever made them has left nothing.
inline double getSizeAlone(ElementType type, int power) {
  NumberRange range = getNumberRange(type);
  return std::clamp(std::ldexp(1.0, power), 32 * range.tiny, range.largest / 8);
}

/// Returns this power of two, or the nearest for which a type has all digits of
/// products of so many numbers, and room above one. Which of its products comes
/// first decides what a narrow type has of smaller ones.
inline double getSizeTogether(ElementType type, int power, unsigned factors) {
  NumberRange range = getNumberRange(type);
  double lowest = 2 * range.tiny / range.unit;
  return std::clamp(std::ldexp(1.0, power), std::pow(lowest, 1.0 / factors),
                    range.largest / 8);
}

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_SIZEGRID_H
