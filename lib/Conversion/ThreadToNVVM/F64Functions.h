//===- F64Functions.h - Transcendental functions of f64 ---------*- C++ -*-===//
//
// The device has no instructions for exp, log, erf and tanh of f64, and no
// library is linked: they are emitted as arithmetic. Each keeps 2^-48, relative
// to the larger of its result and one (see kF64Errors in ErrorBound.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_F64FUNCTIONS_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_F64FUNCTIONS_H

#include "IRSystem.h"

namespace mirage {

mlir::Value emitExp(mlir::Value x, IRSystem &s);
mlir::Value emitExp2(mlir::Value x, IRSystem &s);
mlir::Value emitLog(mlir::Value x, IRSystem &s);
mlir::Value emitErf(mlir::Value x, IRSystem &s);
mlir::Value emitTanh(mlir::Value x, IRSystem &s);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_F64FUNCTIONS_H
