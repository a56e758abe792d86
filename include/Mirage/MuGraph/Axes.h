//===- Axes.h - The index space of a program --------------------*- C++ -*-===//
//
// Which dimensions of a program run over the same indices. An axis is a
// dimension of the program as a whole: batch, rows, keys. Dimensions that an
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

Axes computeAxes(const MuGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_AXES_H
