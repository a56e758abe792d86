// Blocks of a cluster divide what a loop accumulated: each merges a part of it and goes on with that, also where a transpose or a
// reshape gives the divided dimension another place. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=exchanged | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=biased | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=squares | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=whole | FileCheck %s

// CHECK: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Rows are reduced, so that each of four blocks has two of eight columns, which are rows of what is stored.
// THREAD-LABEL: gpu.func @exchanged
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.push_fragment
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.store_fragment %{{.*}} to %arg2[{{.*}}] : tensor<2x64xf16
func.func @exchanged(%w: tensor<256x64xf16>, %x: tensor<16x256xf16>) -> tensor<16x64xf16> {
  %launch = mirage_kernel.launch grid(x = 2) (%wa = %w : tensor<256x64xf16>, %xa = %x : tensor<16x256xf16>) -> tensor<16x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 4>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x8xf32> {
      %a = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<32x64xf16>
      %b = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) : tensor<16x256xf16> to tensor<8x32xf16>
      %p = mirage_block.matmul %a, %b transpose_lhs transpose_rhs : (tensor<32x64xf16>, tensor<8x32xf16>) -> tensor<64x8xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x8xf32>) -> tensor<64x8xf32>
      mirage_block.yield %s : tensor<64x8xf32>
    }
    %g = mirage_block.sigmoid %sum : (tensor<64x8xf32>) -> tensor<64x8xf32>
    %r = mirage_block.reduce sum %g dim(0) keep : (tensor<64x8xf32>) -> tensor<1x8xf32>
    %one = mirage_block.constant dense<1.0> : tensor<1x8xf32>
    %d = mirage_block.add %r, %one : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %q = mirage_block.div %g, %d : (tensor<64x8xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
    %t = mirage_block.transpose %q [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
    %h = mirage_block.cast %t : tensor<8x64xf32> to tensor<8x64xf16>
    %store = mirage_block.store %h omap(x -> 0) : tensor<8x64xf16> to tensor<16x64xf16>
    mirage_block.yield %store : tensor<16x64xf16>
  }
  return %launch : tensor<16x64xf16>
}

// A bias is there as a whole, and each block takes its part of it; 11 columns are divided by nothing.
// THREAD-LABEL: gpu.func @biased
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.push_fragment
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.store_fragment %{{.*}} to %arg3[{{.*}}] : tensor<11x16xf16
func.func @biased(%w: tensor<256x64xf16>, %x: tensor<11x256xf16>, %bias: tensor<1x64xf16>) -> tensor<11x64xf16> {
  %launch = mirage_kernel.launch grid(x = 1) (%wa = %w : tensor<256x64xf16>, %xa = %x : tensor<11x256xf16>, %ba = %bias : tensor<1x64xf16>) -> tensor<11x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 4>} {
    %e = mirage_block.load %ba imap(x -> phi) : tensor<1x64xf16> to tensor<1x64xf16>
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x11xf32> {
      %a = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<32x64xf16>
      %b = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<11x256xf16> to tensor<11x32xf16>
      %p = mirage_block.matmul %a, %b transpose_lhs transpose_rhs : (tensor<32x64xf16>, tensor<11x32xf16>) -> tensor<64x11xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x11xf32>) -> tensor<64x11xf32>
      mirage_block.yield %s : tensor<64x11xf32>
    }
    %r = mirage_block.reshape %e : tensor<1x64xf16> to tensor<64x1xf16>
    %c = mirage_block.cast %r : tensor<64x1xf16> to tensor<64x1xf32>
    %d = mirage_block.add %c, %sum : (tensor<64x1xf32>, tensor<64x11xf32>) -> tensor<64x11xf32>
    %t = mirage_block.transpose %d [1, 0] : (tensor<64x11xf32>) -> tensor<11x64xf32>
    %h = mirage_block.cast %t : tensor<11x64xf32> to tensor<11x64xf16>
    %store = mirage_block.store %h omap(x -> phi) : tensor<11x64xf16> to tensor<11x64xf16>
    mirage_block.yield %store : tensor<11x64xf16>
  }
  return %launch : tensor<11x64xf16>
}

// Nothing divides 11 rows: each of eight blocks has eight columns, which begin at no access of 16 elements, also those of the bias
// and of what is added, which has all rows.
// THREAD-LABEL: gpu.func @columns
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.push_fragment
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.store_fragment %{{.*}} to %arg4[{{.*}}] : tensor<11x8xf16
func.func @columns(%x: tensor<11x256xf16>, %w: tensor<256x64xf16>, %bias: tensor<1x64xf16>, %y: tensor<11x64xf16>) -> tensor<11x64xf16> {
  %launch = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<11x256xf16>, %wa = %w : tensor<256x64xf16>, %ba = %bias : tensor<1x64xf16>, %ya = %y : tensor<11x64xf16>) -> tensor<11x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, cluster_blocks = 8>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<11x64xf32> {
      %a = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<11x256xf16> to tensor<11x32xf16>
      %b = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<32x64xf16>
      %p = mirage_block.matmul %a, %b : (tensor<11x32xf16>, tensor<32x64xf16>) -> tensor<11x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<11x64xf32>) -> tensor<11x64xf32>
      mirage_block.yield %s : tensor<11x64xf32>
    }
    %e = mirage_block.load %ba imap(x -> phi) : tensor<1x64xf16> to tensor<1x64xf16>
    %r = mirage_block.load %ya imap(x -> phi) : tensor<11x64xf16> to tensor<11x64xf16>
    %c = mirage_block.cast %e : tensor<1x64xf16> to tensor<1x64xf32>
    %d = mirage_block.add %sum, %c : (tensor<11x64xf32>, tensor<1x64xf32>) -> tensor<11x64xf32>
    %k = mirage_block.cast %r : tensor<11x64xf16> to tensor<11x64xf32>
    %f = mirage_block.add %d, %k : (tensor<11x64xf32>, tensor<11x64xf32>) -> tensor<11x64xf32>
    %h = mirage_block.cast %f : tensor<11x64xf32> to tensor<11x64xf16>
    %store = mirage_block.store %h omap(x -> phi) : tensor<11x64xf16> to tensor<11x64xf16>
    mirage_block.yield %store : tensor<11x64xf16>
  }
  return %launch : tensor<11x64xf16>
}

// What was there before the loop is stored as a whole, and used in parts along both of its dimensions, which have one size.
// THREAD-LABEL: gpu.func @squares
// THREAD-NOT: cluster_barrier
// THREAD: mirage_thread.push_fragment
func.func @squares(%w: tensor<256x64xf16>, %x: tensor<64x256xf16>, %y: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) {
  %launch:3 = mirage_kernel.launch grid(x = 1) (%wa = %w : tensor<256x64xf16>, %xa = %x : tensor<64x256xf16>, %ya = %y : tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %e = mirage_block.load %ya imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %k = mirage_block.cast %e : tensor<64x64xf16> to tensor<64x64xf32>
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %a = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<32x64xf16>
      %b = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x32xf16>
      %p = mirage_block.matmul %a, %b transpose_lhs transpose_rhs : (tensor<32x64xf16>, tensor<64x32xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %d = mirage_block.add %k, %sum : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = mirage_block.transpose %sum [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %u = mirage_block.sub %t, %k : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %f = mirage_block.abs %k : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %h0 = mirage_block.cast %d : tensor<64x64xf32> to tensor<64x64xf16>
    %h1 = mirage_block.cast %u : tensor<64x64xf32> to tensor<64x64xf16>
    %h2 = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %s0 = mirage_block.store %h0 omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %s1 = mirage_block.store %h1 omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %s2 = mirage_block.store %h2 omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %s0, %s1, %s2 : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  }
  return %launch#0, %launch#1, %launch#2 : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
}

// All columns and all rows are reduced: each block reads what the others have.
// THREAD-LABEL: gpu.func @whole
// THREAD-NOT: push_fragment
// THREAD: mirage_thread.cluster_barrier
func.func @whole(%w: tensor<256x64xf16>, %x: tensor<8x256xf16>) -> tensor<8x64xf16> {
  %launch = mirage_kernel.launch grid(x = 1) (%wa = %w : tensor<256x64xf16>, %xa = %x : tensor<8x256xf16>) -> tensor<8x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x8xf32> {
      %a = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<32x64xf16>
      %b = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<8x256xf16> to tensor<8x32xf16>
      %p = mirage_block.matmul %a, %b transpose_lhs transpose_rhs : (tensor<32x64xf16>, tensor<8x32xf16>) -> tensor<64x8xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x8xf32>) -> tensor<64x8xf32>
      mirage_block.yield %s : tensor<64x8xf32>
    }
    %rows = mirage_block.reduce sum %sum dim(0) keep : (tensor<64x8xf32>) -> tensor<1x8xf32>
    %all = mirage_block.reduce sum %rows dim(1) keep : (tensor<1x8xf32>) -> tensor<1x1xf32>
    %d = mirage_block.sub %sum, %all : (tensor<64x8xf32>, tensor<1x1xf32>) -> tensor<64x8xf32>
    %t = mirage_block.transpose %d [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
    %h = mirage_block.cast %t : tensor<8x64xf32> to tensor<8x64xf16>
    %store = mirage_block.store %h omap(x -> phi) : tensor<8x64xf16> to tensor<8x64xf16>
    mirage_block.yield %store : tensor<8x64xf16>
  }
  return %launch : tensor<8x64xf16>
}
}
