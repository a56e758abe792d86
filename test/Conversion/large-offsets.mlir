// Registers of a thread that lie 2^28 elements and more apart: constant indices of llvm.getelementptr have 29 bits, with the
// sign among them.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @main_0_launch
// CHECK-NOT: getelementptr %{{.*}}[-268435456]
// CHECK: llvm.mlir.constant(268435456 : i32)
// CHECK-NOT: getelementptr %{{.*}}[-268435456]

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @main(%a: tensor<2x16384x16384xf16>, %b: tensor<2x64x16384xf16>) -> tensor<2x64x16384xf16> {
  %0 = mirage_kernel.launch grid(x = 256) (%l = %b : tensor<2x64x16384xf16>, %r = %a : tensor<2x16384x16384xf16>) -> tensor<2x64x16384xf16> {
    %f = mirage_block.for %i = 0 to 256 -> tensor<2x64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi) fmap(%i -> 2) : tensor<2x64x16384xf16> to tensor<2x64x64xf16>
      %y = mirage_block.load %r imap(x -> 1) fmap(%i -> 2) : tensor<2x16384x16384xf16> to tensor<2x64x64xf16>
      %m = mirage_block.matmul %x, %y transpose_rhs : (tensor<2x64x64xf16>, tensor<2x64x64xf16>) -> tensor<2x64x64xf32>
      %s = mirage_block.accumulate sum %m : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
      mirage_block.yield %s : tensor<2x64x64xf32>
    }
    %c = mirage_block.cast %f : tensor<2x64x64xf32> to tensor<2x64x64xf16>
    %o = mirage_block.store %c omap(x -> 2) : tensor<2x64x64xf16> to tensor<2x64x16384xf16>
    mirage_block.yield %o : tensor<2x64x16384xf16>
  }
  return %0 : tensor<2x64x16384xf16>
}
}
