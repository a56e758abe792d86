//===- OpAttributes.cpp - Attributes of an operator without IR ------------===//
//
// Compares attributes, which are equal if all members are, also those that the
// operator does not read.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/OpAttributes.h"
#include <tuple>

using namespace mirage;

bool OpAttributes::operator==(const OpAttributes &other) const {
  auto tie = [](const OpAttributes &a) {
    return std::tie(a.transposeLhs, a.transposeRhs, a.tf32, a.dim, a.group,
                    a.keep, a.reduceKind, a.parts, a.compareKind, a.geluForm,
                    a.scalar, a.lower, a.upper, a.permutation, a.repeats,
                    a.offsets, a.sizes, a.strides, a.convStrides, a.convPadding,
                    a.convDilations, a.convGroups, a.convLayout, a.resultShape,
                    a.resultType, a.groups, a.hasWeight, a.hasBias);
  };
  if (!(tie(*this) == tie(other)) || !values != !other.values)
    return false;
  return values == other.values || *values == *other.values;
}
