//===- AxisLayout.h - Axes that tensors of a computation share --*- C++ -*-===//
//
// Transposes and reshapes between two products say nothing but which loop a
// dimension belongs to. An axis is such a loop. A dimension is made of axes,
// the outermost first: of several where a reshape has merged them, of none
// where its size is one. A reshape that cuts through an axis splits it, for all
// tensors at once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_AXISLAYOUT_H
#define MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_AXISLAYOUT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mirage {

using Axis = unsigned;
using AxisDim = llvm::SmallVector<Axis, 2>;
using AxisLayout = llvm::SmallVector<AxisDim, 6>;

/// A tensor and the axes of its dimensions.
struct AxisView {
  mlir::Value value;
  AxisLayout layout;
};

class AxisTable {
public:
  /// Makes a dimension with an axis of its own.
  AxisDim add(int64_t size);

  /// Returns the axes that are not split, in order.
  AxisDim expand(llvm::ArrayRef<Axis> dim) const;
  AxisDim expandAll(llvm::ArrayRef<AxisDim> layout) const;
  bool isSame(llvm::ArrayRef<Axis> a, llvm::ArrayRef<Axis> b) const {
    return expand(a) == expand(b);
  }
  /// Returns true if `dim` has an axis in common with one of `layout`.
  bool meets(llvm::ArrayRef<Axis> dim, llvm::ArrayRef<AxisDim> layout) const;
  int64_t getSize(llvm::ArrayRef<Axis> dim) const;

  /// Returns the layout of the same elements in another shape, on either side
  /// of a reshape, or nothing if borders of axes and dimensions do not meet, or
  /// do so only if an axis is split and that is not allowed.
  std::optional<AxisLayout> reshape(llvm::ArrayRef<AxisDim> layout,
                                    llvm::ArrayRef<int64_t> shape,
                                    bool maySplit);

  /// Takes a layout of the result of a reshape or a transpose to its operand.
  bool goBack(AxisView &view, bool maySplit);
  /// Takes a layout of the operand of `op`, a reshape or transpose, to its
  /// result.
  bool goForward(AxisView &view, mlir::Operation *op, bool maySplit);

  /// Creates transposes and reshapes that give the tensor the dimensions of
  /// `target`. The tensor has all axes of such a dimension or none, and then a
  /// size of one.
  mlir::Value arrange(mlir::OpBuilder &builder, mlir::Location loc,
                      AxisView view, llvm::ArrayRef<AxisDim> target) const;
  bool canArrange(const AxisView &view, llvm::ArrayRef<AxisDim> target) const;

private:
  struct Entry {
    int64_t size;
    /// The axes that the axis was split into.
    AxisDim parts;
  };
  llvm::SmallVector<Entry> axes;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_AXISLAYOUT_H
