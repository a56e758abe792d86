//===- ImageOrder.h - Images with channels innermost ------------*- C++ -*-===//
//
// Computes what stands between convolutions on images [n, h, w, c] in the place
// of images [n, c, h, w].
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_EXPANDCONVOLUTIONS_IMAGEORDER_H
#define MIRAGE_LIB_TRANSFORMS_EXPANDCONVOLUTIONS_IMAGEORDER_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

namespace mirage {

/// The dimensions of [n, c, h, w] in the order [n, h, w, c], and back.
inline constexpr int64_t toLast[] = {0, 2, 3, 1}, toFirst[] = {0, 3, 1, 2};

inline llvm::ArrayRef<int64_t> getShapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// Builds operators, and knows which images are computed with channels
/// innermost.
class ImageOrder {
protected:
  explicit ImageOrder(mlir::MLIRContext *context) : builder(context) {}

  mlir::Value create(OpKind kind, const OpAttributes &attributes,
                     mlir::ValueRange operands, mlir::Type element);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// Adds zeros before and after what there is of each dimension.
  mlir::Value pad(mlir::Value value, llvm::ArrayRef<int64_t> before,
                  llvm::ArrayRef<int64_t> after);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides);

  /// Returns a value [n, c, h, w] as [n, h, w, c].
  mlir::Value getChannelsLast(mlir::Value value);
  /// Replaces the result of an operator by a value that has channels last.
  void replace(mlir::Operation *op, mlir::Value moved);
  /// Computes an operator on [n, h, w, c] if it has images that are computed
  /// so, and if it can be.
  void move(mlir::Operation *op);

  mlir::OpBuilder builder;
  mlir::Location loc = builder.getUnknownLoc();

private:
  bool isElementwise(mlir::Operation *op);
  void moveChannels(ComputeOpInterface op);
  void moveBeforeReshape(mlir::Operation *op);
  bool isPartOfImages(mlir::Operation *op);
  void moveParts(ComputeOpInterface op);
  void moveNorm(kernel::InstanceNormOp op);
  void moveRepeated(kernel::ReshapeOp op);
  void moveFlattened(kernel::TransposeOp op);
  void moveTransposed(kernel::TransposeOp op);

  /// Values [n, c, h, w] that were computed as [n, h, w, c].
  llvm::DenseMap<mlir::Value, mlir::Value> channelsLast;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_EXPANDCONVOLUTIONS_IMAGEORDER_H
