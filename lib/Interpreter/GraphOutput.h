//===- GraphOutput.h - Where points store their values ----------*- C++ -*-===//
//
// The result of one store operation: points write their parts to their places,
// or leave their values to be summed or maximized.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H
#define MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H

#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interpreter/TensorValue.h"

namespace mirage {

/// The coordinates of point number `point` of a grid, x fastest.
llvm::SmallVector<int64_t, 3> getPointIndices(int64_t point,
                                              llvm::ArrayRef<int64_t> extents);

class GraphOutput {
public:
  /// `store` is a mirage_block.store or mirage_thread.store.
  GraphOutput(mlir::Operation *store, llvm::ArrayRef<int64_t> extents,
              Precision precision);

  /// Takes one point's value. Called for each point once, in any order, also
  /// in parallel.
  void store(int64_t point, llvm::ArrayRef<int64_t> indices,
             std::shared_ptr<const TensorValue> value);

  /// The result, once all points have stored; NaN where none did.
  TensorValue take();

private:
  Shape getOffsets(llvm::ArrayRef<int64_t> indices, ShapeRef tile) const;
  template <typename T> void combine(Tensor<T> &target);

  llvm::SmallVector<int64_t, 3> extents;
  llvm::SmallVector<int64_t, 3> omap;
  Precision precision;
  TensorValue result;
  /// What the points' values are combined by, if they are, and the values.
  std::optional<MapEntry> reduction;
  std::vector<std::shared_ptr<const TensorValue>> partial;
};

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_GRAPHOUTPUT_H
