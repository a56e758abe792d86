// RUN: mirage-opt %s --cse --mirage-lower-to-nvvm=fuse=false -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-translate --mirage-to-ptx %t.mlir -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json

// Names that PTX does not have; the manifest keeps the user's.
// PTX-COUNT-1: .version
// PTX-NOT: .version
// PTX-DAG: .visible .entry my_func_v2_0_exp(
// PTX-DAG: .visible .entry kernel_1st_0_exp(
// MANIFEST-DAG: "name": "my-func.v2"
// MANIFEST-DAG: "name": "1st"
func.func @"my-func.v2"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @"1st"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A function that returns its argument is lowered to a copy.
// MANIFEST-DAG: "name": "identity"
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Two accumulators of one value stay two.
// CHECK-LABEL: func.func @twice(
// PTX-DAG: .visible .entry twice_0_launch(
func.func @twice(%x: tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %o:2 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x8xf32>)
      -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %l:2 = mirage_block.for %i = 0 to 2 -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1)
          : tensor<4x8xf32> to tensor<4x4xf32>
      %b = mirage_block.accumulate sum %t : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %c = mirage_block.accumulate sum %t : (tensor<4x4xf32>) -> tensor<4x4xf32>
      mirage_block.yield %b, %c : tensor<4x4xf32>, tensor<4x4xf32>
    }
    %s = mirage_block.store %l#0 omap(x -> 0) : tensor<4x4xf32> to tensor<4x4xf32>
    %u = mirage_block.store %l#1 omap(x -> 0) : tensor<4x4xf32> to tensor<4x4xf32>
    mirage_block.yield %s, %u : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %o#0, %o#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A GPU module of the user's is not part of the PTX.
gpu.module @others {
  llvm.func @other() attributes {gpu.kernel, nvvm.kernel} { llvm.return }
}

// Other dialects may stand beside.
func.func @reference(%x: tensor<4x2xf32>) -> tensor<8xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
