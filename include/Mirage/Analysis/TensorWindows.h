//===- TensorWindows.h - Windows of a tensor, side by side ------*- C++ -*-===//
//
// Recognizes concatenations of equal windows of one tensor that move through it
// by equal steps, as a convolution reads its input. Launches can read such a
// concatenation in the tensor that the windows are of: no kernel writes it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TENSORWINDOWS_H
#define MIRAGE_ANALYSIS_TENSORWINDOWS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/ShapeRules.h"

namespace mirage {

/// Says where the elements of a concatenation of windows lie in the tensor that
/// the windows are of. All numbers are in elements.
struct TensorWindows {
  /// One digit of the number of a window.
  struct Digit {
    /// The digit is less than this.
    int64_t count = 1;
    /// The window moves by so much along each dimension where the digit grows
    /// by one.
    Shape steps;

    bool operator==(const Digit &) const = default;
  };

  /// The windows follow each other along this dimension, and each has so many
  /// indices of it.
  int64_t dim = 0, size = 0;
  /// The number of a window in digits, the most significant one first.
  llvm::SmallVector<Digit, 0> digits;
  /// Where the first window begins. It is negative where zeros stand before the
  /// tensor.
  Shape first;
  /// The distance in the tensor of two neighbours of a window.
  Shape strides;

  bool operator==(const TensorWindows &) const = default;

  /// Returns the least and the largest index of a dimension of the tensor that
  /// windows read, where the concatenation has `extent` indices of it.
  std::pair<int64_t, int64_t> getRange(size_t of, int64_t extent) const;
  /// Returns true if windows of a concatenation of this shape read beside the
  /// tensor, along a dimension of which that has `sourceSize` indices.
  bool readsBeside(size_t of, int64_t extent, int64_t sourceSize) const {
    auto [least, largest] = getRange(of, extent);
    return least < 0 || largest >= sourceSize;
  }
};

/// How a tensor's buffer is read for windows: where neighbours of a window lie
/// a distance of s apart, dimension d is read as [s, size / s]. The parts of
/// size s stand in front of all other dimensions.
struct WindowBuffer {
  Shape shape, strides;
  /// The dimensions that have a part in front, in this order.
  llvm::SmallVector<size_t, 2> split;
};
WindowBuffer getWindowBuffer(const TensorWindows &windows, ShapeRef source);

/// A concatenation of windows in the IR.
struct WindowOperators {
  TensorWindows windows;
  /// The tensor that the windows are of.
  mlir::Value source;
  /// What makes the concatenation of it: the pad, where there is one, the
  /// slices, and the concatenation itself.
  llvm::SmallVector<mlir::Operation *> operators;
};

/// Returns what a concatenation is made of, if it is one of windows: of slices
/// of one tensor that have one shape, and of which the innermost dimension is
/// neither padded nor taken in steps. Zeros around the tensor belong to it.
std::optional<WindowOperators> findWindows(mlir::Operation *concat);

/// Returns the windows that a launch reads by an argument, where that is a
/// concatenation of windows, perhaps with zeros at the ends of dimensions.
std::optional<WindowOperators> findWindows(mlir::BlockArgument argument);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_TENSORWINDOWS_H
