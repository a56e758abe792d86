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
  auto getMembers = [](const OpAttributes &attributes) {
    // The pattern lists all members, so that a new one cannot be forgotten.
    const auto &[transposeLhs, transposeRhs, tf32, dim, group, keep, reduceKind,
                 parts, compareKind, geluForm, scalar, lower, upper,
                 permutation, repeats, offsets, sizes, strides, convStrides,
                 convPadding, convDilations, convGroups, convLayout,
                 resultShape, resultType, values, groups, hasWeight, hasBias] =
        attributes;
    return std::tie(transposeLhs, transposeRhs, tf32, dim, group, keep,
                    reduceKind, parts, compareKind, geluForm, scalar, lower,
                    upper, permutation, repeats, offsets, sizes, strides,
                    convStrides, convPadding, convDilations, convGroups,
                    convLayout, resultShape, resultType, groups, hasWeight,
                    hasBias);
  };
  if (!(getMembers(*this) == getMembers(other)) || !values != !other.values)
    return false;
  return values == other.values || *values == *other.values;
}
