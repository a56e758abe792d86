//===- Importer.h - linalg, tensor and arith to mirage_kernel ---*- C++ -*-===//
//
// Converts the operations below a root one by one. The original program stays
// intact while it is read: every converted value is recorded beside it, and
// only at the end do originals go. An operation is converted whole or left
// alone with the reason why.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORTER_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORTER_H

#include "TensorBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mirage {

/// The options of the pass.
struct ImporterOptions {
  /// Emit a remark at each operation that stays, and at each assertion that is
  /// dropped.
  bool remarks;
  /// Take it for granted that assertions in bodies hold.
  bool assumeAssertions;
};

class Importer {
public:
  Importer(mlir::Operation *root, ImporterOptions options)
      : root(root), options(options) {}

  /// Converts what can be converted and removes the originals. True if the
  /// program changed.
  bool run();

  /// Notes why the operation at hand stays, and always returns failure.
  llvm::LogicalResult refuse(const llvm::Twine &why) {
    reason = why.str();
    return llvm::failure();
  }

  /// Checks that a value has, or will have, a form that mirage_kernel takes: a
  /// ranked tensor of static shape and a floating-point type. Tensors of i1
  /// have one if they were converted, of zeros and ones in some float type.
  llvm::LogicalResult checkOperand(mlir::Value value);
  /// Returns the element type of that form.
  mlir::FloatType getFloatType(mlir::Value value);
  /// Returns that form. Only values that checkOperand accepts have one.
  mlir::Value lookup(mlir::Value original);
  void map(mlir::Value original, mlir::Value form) {
    converted[original] = form;
  }

  /// Returns the one value of all elements of a tensor, if that is known.
  std::optional<double> getSplat(mlir::Value tensor);
  /// Returns the value of a scalar of a floating-point type or, as one or zero,
  /// of i1.
  std::optional<double> getNumber(mlir::Value scalar);

  /// Returns the elements, of any type, of a tensor that is known at compile
  /// time, or null if it is not. Operations of constants are evaluated.
  mlir::DenseElementsAttr getConstant(mlir::Value tensor);

private:
  mlir::DenseElementsAttr findConstant(mlir::Value tensor);
  llvm::LogicalResult convert(mlir::Operation *op);
  /// Checks that the body of an operation does nothing but compute what it
  /// yields, apart from assertions. Unless these may be assumed, the operation
  /// is noted as one that stays for them.
  llvm::LogicalResult checkEffects(mlir::Operation *op);
  bool finish();
  void eraseUnused(llvm::SmallVector<mlir::Operation *> &candidates);

  mlir::Operation *root;
  ImporterOptions options;
  llvm::DenseMap<mlir::Value, mlir::Value> converted;
  llvm::DenseMap<mlir::Value, mlir::DenseElementsAttr> constants;
  llvm::SmallVector<mlir::Operation *> convertedOps;
  /// Operations whose bodies assert conditions. They stay for that alone where
  /// their results are converted.
  llvm::SmallPtrSet<mlir::Operation *, 4> assertingOps;
  llvm::SmallVector<std::pair<mlir::Operation *, std::string>> left;
  std::string reason;
};

/// Explains why mirage_kernel does not take a type, or returns nothing if it
/// does: it takes tensor types that are static, positive, supported and plain.
/// Tensors of i1 are taken `orCondition`.
std::optional<std::string> explainUnsupported(mlir::Type type,
                                              bool orCondition = false);

/// Each of these converts one family. They check everything before they create
/// anything, and record the results in the importer.
llvm::LogicalResult convertStructured(Importer &importer,
                                      mlir::linalg::LinalgOp op);
/// Returns true if the maps are those of a convolution with an image that is
/// filtered, or of pooling.
bool readsWindows(mlir::linalg::LinalgOp op);
/// Converts an operation that reads windows: by `convertPooling` where windows
/// have no filter, and by `convertConvolution` elsewhere.
llvm::LogicalResult convertWindows(Importer &importer,
                                   mlir::linalg::LinalgOp op);
llvm::LogicalResult convertConvolution(Importer &importer,
                                       mlir::linalg::LinalgOp op);
llvm::LogicalResult convertPooling(Importer &importer,
                                   mlir::linalg::LinalgOp op);
llvm::LogicalResult convertElementwise(Importer &importer, mlir::Operation *op);
llvm::LogicalResult convertSoftmax(Importer &importer,
                                   mlir::linalg::SoftmaxOp op);
llvm::LogicalResult convertConstant(Importer &importer, mlir::Operation *op);
llvm::LogicalResult convertInsertSlice(Importer &importer,
                                       mlir::tensor::InsertSliceOp op);
llvm::LogicalResult convertTensorOp(Importer &importer, mlir::Operation *op);

/// Combines and cleans the mirage_kernel operators below `root`, and touches
/// nothing else.
void simplifyConverted(mlir::Operation *root);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORTER_H
