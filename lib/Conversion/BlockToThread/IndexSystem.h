//===- IndexSystem.h - Index arithmetic as IR -------------------*- C++ -*-===//
//
// Emits the index arithmetic that getTileOffset asks for.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXSYSTEM_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXSYSTEM_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mirage {

struct IndexSystem {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(builder, loc, a, b);
  }
  mlir::Value mulConstant(mlir::Value a, int64_t factor) {
    return mlir::arith::MulIOp::create(builder, loc, a, index(factor));
  }
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXSYSTEM_H
