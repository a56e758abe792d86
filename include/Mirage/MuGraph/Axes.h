//===- Axes.h - The index space of a program --------------------*- C++ -*-===//
//
// The index space says which dimensions of a program run over the same indices.
// An axis is a dimension of the program as a whole: batch, rows, keys. Dimensions that an
// operator needs to be equal are the same axes; reshapes that merge dimensions
// make dimensions of several axes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_AXES_H
#define MIRAGE_MUGRAPH_AXES_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

struct Axes {
  /// Elements along each axis.
  std::vector<int64_t> sizes;
  /// The axes of each value and dimension, outermost first. A dimension of size
  /// one has none.
  std::vector<llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4>> dims;
};

/// Dimensions of values that run over the same indices without an operator that
/// says so: each is so many times `unit` elements, of which those of one unit
/// are the same axes.
struct AlikeDims {
  /// The most units of a dimension: a tile has them all.
  static constexpr int64_t kMostUnits = 8;

  llvm::SmallVector<std::pair<MuValue, unsigned>, 2> dims;
  int64_t unit = 1;
};

Axes computeAxes(const MuGraph &graph, llvm::ArrayRef<AlikeDims> alike = {});

} // namespace mirage

#endif // MIRAGE_MUGRAPH_AXES_H
