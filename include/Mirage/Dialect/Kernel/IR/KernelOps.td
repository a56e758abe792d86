//===- KernelOps.td - Operations of kernel graphs ----------*- tablegen -*-===//
//
// Defines the dialect mirage_kernel: pre-defined kernel operators and the
// graph-defined operator `launch`.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_KERNEL_IR_KERNELOPS
#define MIRAGE_DIALECT_KERNEL_IR_KERNELOPS

include "Mirage/Dialect/Mirage/IR/GraphOps.td"

def Kernel_Dialect : Dialect {
  let name = "mirage_kernel";
  let cppNamespace = "::mirage::kernel";
  let summary = "Kernel graphs: tensors in device memory";
  let description = [{
    A function of `mirage_kernel` operations is a kernel graph: each operation is
    one GPU kernel, its operands and results are tensors in device memory. Most
    are pre-defined kernel operators; `mirage_kernel.launch` is the graph-defined
    one, whose meaning is a block graph.
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = "void registerOperations();";
}

defm Kernel : MirageComputeOps<Kernel_Dialect>;

def Kernel_LaunchOp : Mirage_GraphOp<Kernel_Dialect, "launch"> {
  let summary = "a kernel defined by a block graph";
  let description = [{
    Runs a block graph once for every thread block of a grid of up to three
    dimensions. The body's arguments are the operands, whole, in device memory;
    `mirage_block.load` reads a block's part of them into shared memory,
    `mirage_block.store` puts the blocks' values together to the results, which
    `mirage_block.yield` lists. The body sees nothing of the surrounding
    function.

    ```mlir
    %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf16>)
        -> tensor<64x32xf16> {
      %t = mirage_block.load %a imap(x -> 0)
          : tensor<64x32xf16> to tensor<16x32xf16>
      %e = mirage_block.exp %t : (tensor<16x32xf16>) -> tensor<16x32xf16>
      %s = mirage_block.store %e omap(x -> 0)
          : tensor<16x32xf16> to tensor<64x32xf16>
      mirage_block.yield %s : tensor<64x32xf16>
    }
    ```

    Constraints:
    * (launch_c1) the grid has one to three positive extents, x at most
      2147483647, y and z at most 65535 (CUDA C++ Programming Guide, technical
      specifications per compute capability);
    * (launch_c2) body arguments have the types of the operands;
    * (launch_c3) the body yields results of its `store` operations, one for
      each result of the launch and of its type;
    * (launch_c4) body arguments are read by `load` only, and a `store` is used
      by the terminator only;
    * (launch_c5) the body holds operations of `mirage_block` only;
    * (launch_c6) the block tensors alive at one time fit into the shared memory
      of the target, where the module names one (see target_c2). A launch with
      a `mirage.schedule` has other tiles in shared memory; the lowering checks
      these.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$inputs,
                       DenseI64ArrayAttr:$grid);
  let hasRegionVerifier = 1;
}

#endif // MIRAGE_DIALECT_KERNEL_IR_KERNELOPS
