//===- ReshapedWindows.h - Windows on both sides of a reshape ---*- C++ -*-===//
//
// A reshape joins and divides dimensions. Where a window of its result has the
// elements of a window of its operand, and where a border in its operand is one
// in its result, is decided here.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEM_RESHAPEDWINDOWS_H
#define MIRAGE_LIB_SEARCH_PROBLEM_RESHAPEDWINDOWS_H

#include "Mirage/Search/Problem/ProgramViews.h"
#include <optional>

namespace mirage::search {

/// Consecutive dimensions of a reshape's operand and result that have the same
/// elements, [first, last) each.
struct ReshapeGroup {
  size_t firstFrom = 0, lastFrom = 0, firstTo = 0, lastTo = 0;
};

/// Divides the dimensions of two shapes of as many elements into the smallest
/// groups that have the same elements.
llvm::SmallVector<ReshapeGroup, 4> getReshapeGroups(ShapeRef from, ShapeRef to);

/// Writes into `window` the elements [low, high), in row-major order, of the
/// dimensions from `first` to before `last`. Returns false if they are no box.
bool setRange(ShapeRef shape, size_t first, size_t last, int64_t low,
              int64_t high, TensorWindow &window);

/// Returns the elements [low, high), in row-major order, of the dimensions from
/// `first` to before `last` that a window has; nothing if they are no such
/// range.
std::optional<std::pair<int64_t, int64_t>>
getRange(ShapeRef shape, size_t first, size_t last, const TensorWindow &window);

/// Returns the window of a reshape's operand that has the elements of a window
/// of its result; nothing if these are no window there.
std::optional<TensorWindow> reshapeWindow(ShapeRef from, ShapeRef to,
                                          const TensorWindow &window);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_PROBLEM_RESHAPEDWINDOWS_H
