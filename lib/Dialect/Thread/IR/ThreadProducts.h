//===- ThreadProducts.h - What verifiers of products share ------*- C++ -*-===//

#ifndef MIRAGE_LIB_DIALECT_THREAD_IR_THREADPRODUCTS_H
#define MIRAGE_LIB_DIALECT_THREAD_IR_THREADPRODUCTS_H

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"

namespace mirage::thread {

/// Returns the modes along one dimension, by ascending stride.
LayoutModes getModes(llvm::ArrayRef<LayoutMode> modes, int64_t dim);

/// Checks that a product is of a type that fragments have, and accumulates in
/// f32. `name` is that of its constraints.
llvm::LogicalResult verifyElements(mlir::Operation *op, llvm::StringRef name,
                                   mlir::ShapedType lhs, mlir::ShapedType rhs,
                                   mlir::ShapedType sum);

} // namespace mirage::thread

#endif // MIRAGE_LIB_DIALECT_THREAD_IR_THREADPRODUCTS_H
