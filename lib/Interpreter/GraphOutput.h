//===- GraphOutput.h - Where points store their values ----------*- C++ -*-===//
//
// The result of one store node: points write their parts to their places,
// or leave their values to be summed or maximized.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H
#define MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H

#include "Mirage/Interpreter/TensorValue.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Values are shared between blocks and never change.
using SharedValue = std::shared_ptr<const TensorValue>;

/// The coordinates of point number `point` of a grid, x fastest.
llvm::SmallVector<int64_t, 3> getPointIndices(int64_t point,
                                              llvm::ArrayRef<int64_t> extents);

class GraphOutput {
public:
  /// `type` is the shape and element type of the result.
  GraphOutput(llvm::ArrayRef<int64_t> omap, const MuGraph::Value &type,
              llvm::ArrayRef<int64_t> extents, Precision precision);

  /// Takes one point's value. Called for each point once, in any order, also
  /// in parallel.
  void store(int64_t point, llvm::ArrayRef<int64_t> indices, SharedValue value);

  /// The result, once all points have stored; NaN where none did.
  TensorValue take();

private:
  Shape getOffsets(llvm::ArrayRef<int64_t> indices, ShapeRef tile) const;
  template <typename T> void combine(Tensor<T> &target);

  llvm::SmallVector<int64_t, 3> omap;
  llvm::SmallVector<int64_t, 3> extents;
  Precision precision;
  TensorValue result;
  /// What the points' values are combined by, if they are, and the values.
  std::optional<MapEntry> reduction;
  std::vector<SharedValue> partial;
};

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H
