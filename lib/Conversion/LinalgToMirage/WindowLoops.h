//===- WindowLoops.h - Loops of operations that read windows ----*- C++ -*-===//
//
// Classifies the loops of a linalg operation that reads its first operand at
// output index times stride plus window index times dilation: convolutions,
// whose second operand is a filter, and pooling, whose second operand only says
// how large windows are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_WINDOWLOOPS_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_WINDOWLOOPS_H

#include "Importer.h"

namespace mirage {

/// Describes one spatial dimension: input index = stride * output + dilation *
/// tap.
struct Spatial {
  unsigned output, tap;
  int64_t stride, dilation;
};

/// Holds the loops of an operation by what they run over.
struct WindowLoops {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<int64_t> ranges;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<Spatial, 2> spatial;
  /// The loops that are not spatial. Those of `batch` index the input and the
  /// output alone; pooling has no others.
  Labels batch, groups, inputChannels, outputChannels;
  /// The loops by the tensors' dimensions; spatial ones of the input by
  /// `output`.
  Labels input, filter, output;
  bool channelsFirst = false;

  explicit WindowLoops(mlir::linalg::LinalgOp op)
      : op(op), ranges(op.getStaticLoopRanges()),
        iterators(op.getIteratorTypesArray()) {}

  bool isReduction(unsigned dim) const {
    return iterators[dim] == mlir::utils::IteratorType::reduction;
  }

  /// Fills the members. Returns true if every loop is one of a convolution's or
  /// of pooling's, and used as such.
  bool match();

  /// Returns true if nothing but the size of the second operand is used.
  bool isPooling() const {
    return groups.empty() && inputChannels.empty() && outputChannels.empty();
  }

  /// Returns how many elements of a spatial dimension are read, from the first
  /// one on.
  int64_t getReadSize(const Spatial &s) const {
    return (ranges[s.output] - 1) * s.stride +
           (ranges[s.tap] - 1) * s.dilation + 1;
  }

private:
  bool matchInput(mlir::AffineMap map);
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_WINDOWLOOPS_H
