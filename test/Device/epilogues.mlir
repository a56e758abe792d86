// What follows a product in its launch, as layers of models have it.
// With a GPU, scripts/test-device.sh runs each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=residual --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=small --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=gate --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Each of the four blocks of a cluster merges 32 rows and goes on with these, although the residual has a
// dimension more.
// CHECK-LABEL: gpu.func @residual_0_launch
// CHECK: mirage_thread.inbox_await
// CHECK: mirage_thread.load_fragment %{{.*}} to tensor<4x1x32x64xf32
// CHECK: mirage_thread.load_fragment {{.*}} to tensor<1x1x32x64xf16
// CHECK: mirage_thread.store_fragment %{{.*}} to %arg4{{.*}} tensor<1x32x64xf16
func.func @residual(%x: tensor<197x3072xf16>, %w: tensor<768x3072xf16>, %b: tensor<768xf16>, %r: tensor<1x197x768xf16>) -> tensor<1x197x768xf16> {
  %0 = mirage_kernel.matmul %x, %w transpose_rhs : (tensor<197x3072xf16>, tensor<768x3072xf16>) -> tensor<197x768xf32>
  %1 = mirage_kernel.cast %0 : tensor<197x768xf32> to tensor<197x768xf16>
  %2 = mirage_kernel.reshape %b : tensor<768xf16> to tensor<1x768xf16>
  %3 = mirage_kernel.add %2, %1 : (tensor<1x768xf16>, tensor<197x768xf16>) -> tensor<197x768xf16>
  %4 = mirage_kernel.reshape %3 : tensor<197x768xf16> to tensor<1x197x768xf16>
  %5 = mirage_kernel.add %r, %4 : (tensor<1x197x768xf16>, tensor<1x197x768xf16>) -> tensor<1x197x768xf16>
  return %5 : tensor<1x197x768xf16>
}

// No part of 100 rows is one of eight blocks: each has two of 16 columns.
// CHECK-LABEL: gpu.func @small_0_launch
// CHECK: mirage_thread.push_fragment
// CHECK: mirage_thread.load_fragment {{.*}} to tensor<8x1x100x2xf32
func.func @small(%x: tensor<100x1024xf16>, %w: tensor<64x1024xf16>, %b: tensor<64xf16>, %r: tensor<1x100x64xf16>) -> tensor<1x100x64xf16> {
  %0 = mirage_kernel.matmul %x, %w transpose_rhs : (tensor<100x1024xf16>, tensor<64x1024xf16>) -> tensor<100x64xf32>
  %1 = mirage_kernel.cast %0 : tensor<100x64xf32> to tensor<100x64xf16>
  %2 = mirage_kernel.reshape %b : tensor<64xf16> to tensor<1x64xf16>
  %3 = mirage_kernel.add %2, %1 : (tensor<1x64xf16>, tensor<100x64xf16>) -> tensor<100x64xf16>
  %4 = mirage_kernel.reshape %3 : tensor<100x64xf16> to tensor<1x100x64xf16>
  %5 = mirage_kernel.add %r, %4 : (tensor<1x100x64xf16>, tensor<1x100x64xf16>) -> tensor<1x100x64xf16>
  return %5 : tensor<1x100x64xf16>
}

// wgmma takes columns in steps of eight: the last two of 88 lie beyond the end of the tile. Its rows in shared
// memory are as many.
// CHECK-LABEL: gpu.func @gate_0_launch
// CHECK: mirage_thread.shared_buffer {{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}x88x64xf16
// CHECK: mirage_thread.copy async %arg1{{.*}} sizes [86, 64]
// CHECK: mirage_thread.warpgroup_mma {{.*}} tensor<1x128x86xf32
func.func @gate(%x: tensor<128x512xf16>, %w: tensor<172x512xf16>, %v: tensor<172x512xf16>) -> tensor<128x172xf16> {
  %r = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<128x512xf16>, %b = %w : tensor<172x512xf16>, %c = %v : tensor<172x512xf16>) -> tensor<128x172xf16> {
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<128x86xf32>, tensor<128x86xf32>) {
      %l = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<128x64xf16>
      %m = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<172x512xf16> to tensor<86x64xf16>
      %n = mirage_block.load %c imap(x -> 0) fmap(%i -> 1) : tensor<172x512xf16> to tensor<86x64xf16>
      %p = mirage_block.matmul %l, %m transpose_rhs : (tensor<128x64xf16>, tensor<86x64xf16>) -> tensor<128x86xf32>
      %q = mirage_block.matmul %l, %n transpose_rhs : (tensor<128x64xf16>, tensor<86x64xf16>) -> tensor<128x86xf32>
      %s = mirage_block.accumulate sum %p : (tensor<128x86xf32>) -> tensor<128x86xf32>
      %t = mirage_block.accumulate sum %q : (tensor<128x86xf32>) -> tensor<128x86xf32>
      mirage_block.yield %s, %t : tensor<128x86xf32>, tensor<128x86xf32>
    }
    %silu = mirage_block.silu %f#0 : (tensor<128x86xf32>) -> tensor<128x86xf32>
    %mul = mirage_block.mul %f#1, %silu : (tensor<128x86xf32>, tensor<128x86xf32>) -> tensor<128x86xf32>
    %cast = mirage_block.cast %mul : tensor<128x86xf32> to tensor<128x86xf16>
    %store = mirage_block.store %cast omap(x -> 1) : tensor<128x86xf16> to tensor<128x172xf16>
    mirage_block.yield %store : tensor<128x172xf16>
  }
  return %r : tensor<128x172xf16>
}

}
