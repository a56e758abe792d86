//===- NumberRange.h - The numbers that a type holds ------------*- C++ -*-===//
//
// The range of a storage format says how fine and how large its numbers are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_NUMBERRANGE_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_NUMBERRANGE_H

#include "Mirage/Semantics/ElementType.h"

namespace mirage::equivalence {

/// The numbers that a type holds: half a unit in the last place, relative; half
/// the smallest number; the largest.
struct NumberRange {
  double unit, tiny, largest;
};
NumberRange getNumberRange(ElementType type);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_NUMBERRANGE_H
