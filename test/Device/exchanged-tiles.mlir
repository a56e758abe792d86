// What warps exchange through shared memory, and what they do not, as random launches of
// scripts/check-kernels.py have it.

// With a GPU, scripts/test-device.sh runs each function and compares it with the
// interpreter.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s
// RUN: mirage-run %s --entry=prepared_reduction --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=shared_maximum --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The loader prepares keys, whose columns it divides by their means: its warps exchange sums,
// after all of them have read those of the tile before.
// CHECK-LABEL: gpu.func @prepared_reduction_
// CHECK: mirage_thread.loader
// CHECK: ring_receive
// CHECK: mirage_thread.barrier
// CHECK: mirage_thread.store_fragment {{.*}} memref<1x1x4x1x64xf32
// CHECK-NEXT: mirage_thread.barrier
func.func @prepared_reduction(%x: tensor<128x64xf16>, %k: tensor<96x64xf16>, %v: tensor<96x128xf16>) -> tensor<128x128xf32> {
  %r = mirage_kernel.launch grid(x = 1) (%a0 = %x : tensor<128x64xf16>, %a1 = %k : tensor<96x64xf16>, %a2 = %v : tensor<96x128xf16>) -> tensor<128x128xf32> {
    %q = mirage_block.load %a0 imap(x -> 0) : tensor<128x64xf16> to tensor<128x64xf16>
    %for:2 = mirage_block.for %i = 0 to 6 -> (tensor<128x1xf32>, tensor<128x128xf32>) {
      %l = mirage_block.load %a1 imap(x -> phi) fmap(%i -> 0) : tensor<96x64xf16> to tensor<16x64xf16>
      %c = mirage_block.cast %l : tensor<16x64xf16> to tensor<16x64xf32>
      %abs = mirage_block.abs %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %mean = mirage_block.reduce mean %abs dim(0) keep : (tensor<16x64xf32>) -> tensor<1x64xf32>
      %scaled = mirage_block.mul %c, %mean : (tensor<16x64xf32>, tensor<1x64xf32>) -> tensor<16x64xf32>
      %keys = mirage_block.cast %scaled : tensor<16x64xf32> to tensor<16x64xf16>
      %m = mirage_block.matmul %q, %keys transpose_rhs : (tensor<128x64xf16>, tensor<16x64xf16>) -> tensor<128x16xf32>
      %s = mirage_block.scale %m by 0.25 : (tensor<128x16xf32>) -> tensor<128x16xf32>
      %max = mirage_block.reduce max %s dim(1) keep : (tensor<128x16xf32>) -> tensor<128x1xf32>
      %d = mirage_block.sub %s, %max : (tensor<128x16xf32>, tensor<128x1xf32>) -> tensor<128x16xf32>
      %e = mirage_block.exp %d : (tensor<128x16xf32>) -> tensor<128x16xf32>
      %sum = mirage_block.reduce sum %e dim(1) keep : (tensor<128x16xf32>) -> tensor<128x1xf32>
      %values = mirage_block.load %a2 imap(x -> phi) fmap(%i -> 0) : tensor<96x128xf16> to tensor<16x128xf16>
      %p = mirage_block.cast %e : tensor<128x16xf32> to tensor<128x16xf16>
      %o = mirage_block.matmul %p, %values : (tensor<128x16xf16>, tensor<16x128xf16>) -> tensor<128x128xf32>
      %sums = mirage_block.accumulate rescaled_sum %sum shift %max : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xf32>
      %all = mirage_block.accumulate rescaled_sum %o shift %max : (tensor<128x128xf32>, tensor<128x1xf32>) -> tensor<128x128xf32>
      mirage_block.yield %sums, %all : tensor<128x1xf32>, tensor<128x128xf32>
    }
    %div = mirage_block.div %for#1, %for#0 : (tensor<128x128xf32>, tensor<128x1xf32>) -> tensor<128x128xf32>
    %store = mirage_block.store %div omap(x -> phi) : tensor<128x128xf32> to tensor<128x128xf32>
    mirage_block.yield %store : tensor<128x128xf32>
  }
  return %r : tensor<128x128xf32>
}

// The blocks of a cluster merge sums and divide them; the maximum of what no iteration changes
// is whole in each of them, and one stores it.
// CHECK-LABEL: gpu.func @shared_maximum_
// CHECK-SAME: known_cluster_size = array<i32: 8, 1, 1>
// CHECK: mirage_thread.store_fragment {{.*}} tensor<16x32xf32
// CHECK: scf.if
// CHECK-NEXT: mirage_thread.store_fragment {{.*}} tensor<128x32xf16
func.func @shared_maximum(%x: tensor<128x32xf16>, %y: tensor<128x256xf16>, %z: tensor<32x256xf16>) -> (tensor<128x32xf32>, tensor<128x32xf16>) {
  %r:2 = mirage_kernel.launch grid(x = 1) (%a0 = %x : tensor<128x32xf16>, %a1 = %y : tensor<128x256xf16>, %a2 = %z : tensor<32x256xf16>) -> (tensor<128x32xf32>, tensor<128x32xf16>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 8, wgmma = true>} {
    %same = mirage_block.load %a0 imap(x -> 0) : tensor<128x32xf16> to tensor<128x32xf16>
    %for:2 = mirage_block.for %i = 0 to 8 -> (tensor<128x32xf32>, tensor<128x32xf16>) {
      %a = mirage_block.load %a1 imap(x -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x32xf16>
      %b = mirage_block.load %a2 imap(x -> phi) fmap(%i -> 1) : tensor<32x256xf16> to tensor<32x32xf16>
      %m = mirage_block.matmul %a, %b transpose_rhs : (tensor<128x32xf16>, tensor<32x32xf16>) -> tensor<128x32xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<128x32xf32>) -> tensor<128x32xf32>
      %max = mirage_block.accumulate max %same : (tensor<128x32xf16>) -> tensor<128x32xf16>
      mirage_block.yield %sum, %max : tensor<128x32xf32>, tensor<128x32xf16>
    }
    %s0 = mirage_block.store %for#0 omap(x -> phi) : tensor<128x32xf32> to tensor<128x32xf32>
    %s1 = mirage_block.store %for#1 omap(x -> phi) : tensor<128x32xf16> to tensor<128x32xf16>
    mirage_block.yield %s0, %s1 : tensor<128x32xf32>, tensor<128x32xf16>
  }
  return %r#0, %r#1 : tensor<128x32xf32>, tensor<128x32xf16>
}
}
