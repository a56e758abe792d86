//===- ShrinkPair.h - The same programs at smaller extents ------*- C++ -*-===//
//
// Most wrong candidates are wrong at any size. Two graphs with the same inputs
// are made small together: every size is a product of extents, those of its
// grid dimensions, loops, tiles, groups; sizes that must be equal share them.
// Then each extent alone can be made smaller, and whatever divided before still
// does.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_SHRINKPAIR_H
#define MIRAGE_MUGRAPH_SHRINKPAIR_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

struct ShrinkOptions {
  /// Leave extents over which is summed or maximized as they are, so that
  /// rounding errors stay what they are.
  bool keepReductions = false;
  /// Extents are not made smaller than this. With 1, a size that is a product
  /// of several extents, each the quotient of two tiles of some launch, becomes
  /// as small as 2, and extents are 1 where no size is theirs alone.
  int64_t smallest = 2;
  /// Different extents stay different: no two dimensions become alike that were
  /// not. In programs of many launches this keeps sizes in the hundreds.
  bool keepDifferent = true;
  /// Leave the extents of constants with an element for each index as they are,
  /// so that every element counts.
  bool keepConstants = false;
  /// Sizes over which a mean is taken change although a constant stands for
  /// them, and the constant changes with them. What the constant stands for is
  /// a guess, so that a difference of such programs refutes nothing.
  bool rewriteCounts = false;
};

struct ShrunkPair {
  MuGraph lhs, rhs;
  /// Graphs that are equal may differ at these extents: an extent over which is
  /// summed was changed, and it may come into results as a number, since not
  /// all terms depend on the index, or one graph alone has a number that may be
  /// what it is because of the extent. Numbers are constants and attributes. 0,
  /// 1, -1 and infinities are not; nor are those that stand for sizes that were
  /// kept (see shrinkPair); others may be anything (1024 of a product with 4 is
  /// 4096).
  bool mayDependOnSizes = false;
};

/// The graphs must have inputs and results of the same shapes. A constant with
/// an element for each index that both graphs have keeps those of some indices,
/// the same ones along each extent wherever it stands, so that both graphs are
/// restricted to these indices; where it is summed or maximized alone, it keeps
/// all. What slices and concatenations cut keeps its size, unless all parts are
/// equal; then it keeps their number. Where a slice takes the beginning of a
/// dimension, or zeros are added behind one, and the whole is divided, one
/// element is behind the others, and a constant that tells those from these does
/// so there. Images of which convolutions leave other parts than quotients by
/// their strides keep their sizes, and so does a dimension over which a mean is
/// taken or equal numbers are summed, if a constant of a program is the size, its
/// inverse, or the square root of either, or one of these rounded to f16.
ShrunkPair shrinkPair(const MuGraph &lhs, const MuGraph &rhs,
                      const ShrinkOptions &options = {});

} // namespace mirage

#endif // MIRAGE_MUGRAPH_SHRINKPAIR_H
