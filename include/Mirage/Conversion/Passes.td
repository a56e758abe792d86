//===- Passes.td - Passes between dialects -----------------*- tablegen -*-===//
//
// Declares the passes that leave one dialect for another.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_PASSES
#define MIRAGE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertMirageToThread
    : Pass<"convert-mirage-block-to-thread", "::mlir::ModuleOp"> {
  let summary = "Kernel and block graphs to kernels with explicit memory";
  let description = [{
    Turns every function of `mirage_kernel` operations into a host function on
    memrefs and one `gpu.func` per kernel. The host function takes the inputs and
    then the outputs, allocates scratch buffers and launches the kernels in
    order. A launch's block graph becomes `mirage_thread` operations on buffers
    in shared memory, each followed by a barrier where another thread reads what
    it wrote; a pre-defined operator becomes one `mirage_thread.compute` over the
    whole grid.

    Composite operators and reduced stores must be gone
    (`mirage-decompose-composites`, `mirage-expand-reduced-stores`). Functions
    without `mirage_kernel` operations stay as they are; one that mixes them with
    other operations is an error.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "256",
           "Threads of every block: a multiple of 32, at most 1024">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mirage::thread::ThreadDialect"
  ];
}

def ConvertThreadToNVVM
    : Pass<"convert-mirage-thread-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Kernels with explicit memory to llvm.func kernels";
  let description = [{
    Lowers the `gpu.func` kernels of `convert-mirage-block-to-thread` to
    `llvm.func` kernels of scf, arith, math, llvm and nvvm operations. Elements
    are computed as the table of semantics says (`Mirage/Semantics/Element.h`),
    f8, f16 and bf16 in f32. Exponentials and logarithms are the approximate ones
    of the special-function units for f32 and series for f64.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // MIRAGE_CONVERSION_PASSES
