//===- SoftmaxClusters.h - What must not be cut -----------------*- C++ -*-===//
//
// Softmax written with simple operators, normalized at once or after a product
// with the values, is one unit: between exponential and quotient lie values as
// large as the scores.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_PARTITION_SOFTMAXCLUSTERS_H
#define MIRAGE_LIB_TRANSFORMS_PARTITION_SOFTMAXCLUSTERS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {

/// Returns, for every exponential of a block that some quotient normalizes, the
/// operators from the subtraction of the maximum to the quotient. A quotient
/// normalizes an exponential if both its operands are computed from it.
llvm::SmallVector<llvm::SetVector<mlir::Operation *>>
findSoftmaxClusters(mlir::Block &block);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_PARTITION_SOFTMAXCLUSTERS_H
