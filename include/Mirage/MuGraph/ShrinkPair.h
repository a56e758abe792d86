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
  /// Extents are not made smaller than this.
  int64_t smallest = 2;
};

struct ShrunkPair {
  MuGraph lhs, rhs;
};

/// The graphs must have inputs and results of the same shapes. Different
/// extents stay different: no two dimensions become alike that were not. What
/// slices, concatenations, padding and convolutions cut keeps its size, and so
/// does a dimension whose size is also a constant of a program, or such a
/// constant's inverse, while a mean is taken over it.
ShrunkPair shrinkPair(const MuGraph &lhs, const MuGraph &rhs,
                      const ShrinkOptions &options = {});

} // namespace mirage

#endif // MIRAGE_MUGRAPH_SHRINKPAIR_H
