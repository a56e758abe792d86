//===- KernelInterpreter.h - Executing kernels on the CPU -------*- C++ -*-===//
//
// Runs kernels of mirage_thread operations, as convert-mirage-block-to-thread
// leaves them: all blocks of a grid, all threads of a block, with registers by
// the layouts of tiles, shared memory at its offsets, and asynchronous copies
// that arrive where they are waited for. What a GPU need not execute in this
// order is an error at the operation.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_IR_KERNELINTERPRETER_H
#define MIRAGE_INTERPRETER_IR_KERNELINTERPRETER_H

#include "Mirage/Interpreter/TensorValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// A tensor's element type and shape.
struct BufferType {
  ElementType type = ElementType::f32;
  Shape shape;
};

/// What a host function takes: the buffers of inputs, then those of outputs.
struct HostSignature {
  llvm::SmallVector<BufferType> inputs, outputs;
};

/// Returns the signature of a host function that launches kernels, with an
/// error at it where it is none.
mlir::FailureOr<HostSignature> getHostSignature(mlir::func::FuncOp host);

/// Returns the outputs of a host function, in f64, for `inputs`, one for each
/// input and of its shape. What the interpreter does not execute, and what
/// kernels do wrong, is an error at the operation.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
interpretKernels(mlir::func::FuncOp host, llvm::ArrayRef<TensorValue> inputs);

} // namespace mirage

#endif // MIRAGE_INTERPRETER_IR_KERNELINTERPRETER_H
