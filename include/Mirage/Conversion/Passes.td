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

def ConvertMirageToLinalg
    : Pass<"convert-mirage-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Kernel, block and thread graphs to upstream dialects";
  let description = [{
    Turns every operation of Mirage's graphs into operations of linalg, tensor,
    scf, arith and math on the same tensors, so that any MLIR compiler can go on
    from there, and so that upstream's passes can run every graph on a CPU.

    * An operator becomes the named operation of linalg that says the same, or a
      `linalg.generic`. Floats narrower than f32 are storage: results are
      computed in f32 and rounded once, sums are accumulated in f32. Composite
      operators become the operators that define them. `conv2d` pads its input
      with zeros, so that an infinite or NaN weight reaches the border.
    * `mirage_kernel.launch` becomes an `scf.forall` over its grid and
      `mirage_block.thread_graph` one over its threads; `load` becomes an
      extraction of a slice, `store` a parallel insertion. Stores that reduce
      over blocks go through `mirage-expand-reduced-stores` first.
    * `mirage_block.for` becomes an `scf.for` and its accumulators iteration
      arguments; a rescaled sum carries the largest shift so far.

    ```mlir
    func.func @rows(%x: tensor<64x32xf32>) -> tensor<64xf32> {
      %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf32>)
          -> tensor<64xf32> {
        %t = mirage_block.load %a imap(x -> 0)
            : tensor<64x32xf32> to tensor<16x32xf32>
        %r = mirage_block.reduce sum %t dim(1)
            : (tensor<16x32xf32>) -> tensor<16xf32>
        %s = mirage_block.store %r omap(x -> 0)
            : tensor<16xf32> to tensor<64xf32>
        mirage_block.yield %s : tensor<64xf32>
      }
      return %y : tensor<64xf32>
    }
    ```

    becomes

    ```mlir
    func.func @rows(%x: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = tensor.empty() : tensor<64xf32>
      %1 = scf.forall (%i) in (4) shared_outs(%o = %0) -> (tensor<64xf32>) {
        %c16 = arith.constant 16 : index
        %2 = arith.muli %i, %c16 : index
        %t = tensor.extract_slice %x[%2, 0] [16, 32] [1, 1]
            : tensor<64x32xf32> to tensor<16x32xf32>
        %zero = arith.constant 0.0 : f32
        %3 = tensor.empty() : tensor<16xf32>
        %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<16xf32>)
            -> tensor<16xf32>
        %r = linalg.reduce { arith.addf } ins(%t : tensor<16x32xf32>)
            outs(%4 : tensor<16xf32>) dimensions = [1]
        %5 = arith.muli %i, %c16 : index
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %r into %o[%5] [16] [1]
              : tensor<16xf32> into tensor<64xf32>
        }
      }
      return %1 : tensor<64xf32>
    }
    ```

    Operations around graphs stay. Attributes of the dialect `mirage`, such as
    the module's target, are dropped: a stock `mlir-opt` parses the result. What
    `convert-mirage-block-to-thread` makes works on buffers and is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // MIRAGE_CONVERSION_PASSES
