//===- KernelFunction.h - What functions can be lowered ---------*- C++ -*-===//
//
// A function is lowered to kernels and a host function that launches them if it
// holds kernel operations and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mirage {

/// Returns whether an operation is one of the dialect mirage_kernel.
bool isKernelOp(mlir::Operation *op);

/// Fails, with an error at the operation, argument or result that is the
/// reason, unless the function holds kernel operations alone, in one block, and
/// takes and returns ranked tensors.
mlir::LogicalResult checkKernelFunction(mlir::func::FuncOp function);

/// Says which functions of a module are kernel graphs: those of one block on
/// ranked tensors of static shape that hold kernel operations, custom
/// operators, calls of kernel graphs and a return, and nothing else. The
/// answers are kept, so functions must not change.
class KernelGraphs {
public:
  explicit KernelGraphs(mlir::ModuleOp module) : symbols(module) {}

  /// Returns whether a function is a kernel graph; one that calls itself is
  /// none.
  bool isKernelGraph(mlir::func::FuncOp function);

  /// Returns the kernel graph that an operation calls, or null; also where the
  /// call must not be inlined.
  mlir::func::FuncOp getCallee(mlir::Operation *op);

private:
  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::func::FuncOp, bool> known;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H
