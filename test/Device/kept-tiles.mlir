// Tiles that stay in shared memory, where later loops load them again. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=norm | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=softmax | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0


// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Each of two blocks of a cluster has four trips, in each of which two groups of warps have a tile of their own. All stay,
// so that two of the three loops wait for nothing.
// THREAD-LABEL: gpu.func @norm_0_launch
// THREAD: %[[KEPT:.*]] = mirage_thread.shared_buffer {{.*}} : memref<4x2x1x256xf16
// THREAD: scf.for
// THREAD: mirage_thread.copy async
// THREAD: mirage_thread.load_fragment %[[KEPT]]
// THREAD: scf.for
// THREAD-NOT: mirage_thread.copy
// THREAD-NOT: mirage_thread.async_wait
// THREAD: mirage_thread.load_fragment %[[KEPT]]
// THREAD: scf.for
// THREAD-NOT: mirage_thread.copy
// THREAD-NOT: mirage_thread.async_wait
// THREAD: mirage_thread.load_fragment %[[KEPT]]
func.func @norm(%x: tensor<4x4096xf16>) -> tensor<4x4096xf16> {
  %0 = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<4x4096xf16>) -> tensor<4x4096xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 2, stages = 3, cluster_blocks = 2, kept_tiles = true>} {
    %sum = mirage_block.for %i = 0 to 16 -> tensor<1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<4x4096xf16> to tensor<1x256xf16>
      %w = mirage_block.cast %t : tensor<1x256xf16> to tensor<1x256xf32>
      %r = mirage_block.reduce sum %w dim(1) keep : (tensor<1x256xf32>) -> tensor<1x1xf32>
      %s = mirage_block.accumulate sum %r : (tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %s : tensor<1x1xf32>
    }
    %mean = mirage_block.scale %sum by 2.44140625E-4 : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %squares = mirage_block.for %i = 0 to 16 -> tensor<1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<4x4096xf16> to tensor<1x256xf16>
      %w = mirage_block.cast %t : tensor<1x256xf16> to tensor<1x256xf32>
      %d = mirage_block.sub %w, %mean : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
      %q = mirage_block.square %d : (tensor<1x256xf32>) -> tensor<1x256xf32>
      %r = mirage_block.reduce sum %q dim(1) keep : (tensor<1x256xf32>) -> tensor<1x1xf32>
      %s = mirage_block.accumulate sum %r : (tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %s : tensor<1x1xf32>
    }
    %variance = mirage_block.scale %squares by 2.44140625E-4 : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %epsilon = mirage_block.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %above = mirage_block.add %variance, %epsilon : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %factor = mirage_block.rsqrt %above : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %rows = mirage_block.for %i = 0 to 16 -> tensor<1x4096xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<4x4096xf16> to tensor<1x256xf16>
      %w = mirage_block.cast %t : tensor<1x256xf16> to tensor<1x256xf32>
      %d = mirage_block.sub %w, %mean : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
      %m = mirage_block.mul %d, %factor : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
      %h = mirage_block.cast %m : tensor<1x256xf32> to tensor<1x256xf16>
      %j = mirage_block.accumulate concat %h dim(1) : (tensor<1x256xf16>) -> tensor<1x4096xf16>
      mirage_block.yield %j : tensor<1x4096xf16>
    }
    %store = mirage_block.store %rows omap(x -> 0) : tensor<1x4096xf16> to tensor<4x4096xf16>
    mirage_block.yield %store : tensor<4x4096xf16>
  }
  return %0 : tensor<4x4096xf16>
}

// The second loop loads a mask beside what stays, in stages as other loops do.
// THREAD-LABEL: gpu.func @softmax_0_launch
// THREAD-DAG: mirage_thread.shared_buffer {{.*}} : memref<8x1x2x128xf16
// THREAD-DAG: mirage_thread.shared_buffer {{.*}} : memref<2x1x2x128xf16
// THREAD: scf.for
// THREAD: scf.for
// THREAD: mirage_thread.async_wait
func.func @softmax(%x: tensor<8x1024xf16>, %y: tensor<8x1024xf16>) -> tensor<8x1024xf16> {
  %0 = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x1024xf16>, %b = %y : tensor<8x1024xf16>) -> tensor<8x1024xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, kept_tiles = true>} {
    %sums:2 = mirage_block.for %i = 0 to 8 -> (tensor<2x1xf32>, tensor<2x1xf32>) {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x1024xf16> to tensor<2x128xf16>
      %w = mirage_block.cast %t : tensor<2x128xf16> to tensor<2x128xf32>
      %m = mirage_block.reduce max %w dim(1) keep : (tensor<2x128xf32>) -> tensor<2x1xf32>
      %d = mirage_block.sub %w, %m : (tensor<2x128xf32>, tensor<2x1xf32>) -> tensor<2x128xf32>
      %e = mirage_block.exp %d : (tensor<2x128xf32>) -> tensor<2x128xf32>
      %r = mirage_block.reduce sum %e dim(1) keep : (tensor<2x128xf32>) -> tensor<2x1xf32>
      %p = mirage_block.accumulate max %m : (tensor<2x1xf32>) -> tensor<2x1xf32>
      %s = mirage_block.accumulate rescaled_sum %r shift %m : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
      mirage_block.yield %p, %s : tensor<2x1xf32>, tensor<2x1xf32>
    }
    %rows = mirage_block.for %i = 0 to 8 -> tensor<2x1024xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x1024xf16> to tensor<2x128xf16>
      %u = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<8x1024xf16> to tensor<2x128xf16>
      %w = mirage_block.cast %t : tensor<2x128xf16> to tensor<2x128xf32>
      %d = mirage_block.sub %w, %sums#0 : (tensor<2x128xf32>, tensor<2x1xf32>) -> tensor<2x128xf32>
      %e = mirage_block.exp %d : (tensor<2x128xf32>) -> tensor<2x128xf32>
      %q = mirage_block.div %e, %sums#1 : (tensor<2x128xf32>, tensor<2x1xf32>) -> tensor<2x128xf32>
      %v = mirage_block.cast %u : tensor<2x128xf16> to tensor<2x128xf32>
      %m = mirage_block.mul %q, %v : (tensor<2x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
      %h = mirage_block.cast %m : tensor<2x128xf32> to tensor<2x128xf16>
      %j = mirage_block.accumulate concat %h dim(1) : (tensor<2x128xf16>) -> tensor<2x1024xf16>
      mirage_block.yield %j : tensor<2x1024xf16>
    }
    %store = mirage_block.store %rows omap(x -> 0) : tensor<2x1024xf16> to tensor<8x1024xf16>
    mirage_block.yield %store : tensor<8x1024xf16>
  }
  return %0 : tensor<8x1024xf16>
}

// Columns: iterations have rows, and the first loop's sums are of columns.
// THREAD-LABEL: gpu.func @columns_0_launch
// THREAD: mirage_thread.shared_buffer {{.*}} : memref<4x2x16x64xf32
func.func @columns(%x: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<128x128xf32>) -> tensor<128x128xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 2, stages = 2, kept_tiles = true>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<1x64xf32> {
      %t = mirage_block.load %a imap(x -> 1) fmap(%i -> 0) : tensor<128x128xf32> to tensor<16x64xf32>
      %r = mirage_block.reduce sum %t dim(0) keep : (tensor<16x64xf32>) -> tensor<1x64xf32>
      %s = mirage_block.accumulate sum %r : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_block.yield %s : tensor<1x64xf32>
    }
    %mean = mirage_block.scale %sum by 7.8125E-3 : (tensor<1x64xf32>) -> tensor<1x64xf32>
    %rows = mirage_block.for %i = 0 to 8 -> tensor<128x64xf32> {
      %t = mirage_block.load %a imap(x -> 1) fmap(%i -> 0) : tensor<128x128xf32> to tensor<16x64xf32>
      %d = mirage_block.sub %t, %mean : (tensor<16x64xf32>, tensor<1x64xf32>) -> tensor<16x64xf32>
      %j = mirage_block.accumulate concat %d dim(0) : (tensor<16x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %j : tensor<128x64xf32>
    }
    %store = mirage_block.store %rows omap(x -> 1) : tensor<128x64xf32> to tensor<128x128xf32>
    mirage_block.yield %store : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}
}
