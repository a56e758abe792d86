// The warps that load also normalize the values of attention, and iterations are as large as in attention of values that
// are loaded so.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-schedule-launches=prepare=false | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --mirage-schedule-launches=bulk-copies=false | FileCheck %s --check-prefix=COPIES
// RUN: mirage-opt %s --mirage-schedule-launches=bulk-copies=false --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=WHY

// Two groups of warps have two tiles to prepare in each trip, and no time for products in flight.
// CHECK-LABEL: func.func @values
// CHECK: loop_groups = 2
// CHECK-SAME: wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, worker_registers = 208>
// CHECK: mirage_block.for %{{.*}} = 0 to 32
// OFF: loader_warps = 1, bulk_copies = true>
// OFF: mirage_block.for %{{.*}} = 0 to 32
// COPIES: wgmma = true, loader_warps = 4, loader_prepares = true>
// WHY: loader_warps = 4: two warpgroups compute products of products; operands depend on nothing but what was loaded for one iteration, which the copy engine brings

// Blocks of a cluster of eight have four iterations each, too few for two groups to defer products. One warpgroup has
// enough of them, and tiles of three on their way.
// CHECK-LABEL: func.func @few_iterations
// CHECK: row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, cluster_blocks = 8,
// CHECK-SAME: loader_warps = 4, loader_prepares = true, bulk_copies = true, deferred_products = true, product_sums = true>
// WHY: loader_warps = 4: warps bring tiles that one warpgroup multiplies a trip behind; operands depend on nothing

// 128 rows share one tile.
// CHECK-LABEL: func.func @rows
// CHECK: row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4,
// CHECK-SAME: loader_warps = 4, loader_prepares = true, bulk_copies = true, worker_registers = 208, deferred_products = true, product_sums = true>

// THREAD: mirage_thread.loader warps(4)
// THREAD: mirage_thread.async_wait
// THREAD: mirage_thread.barrier
// THREAD: mirage_thread.load_fragment
// THREAD: mirage_thread.rsqrt
// THREAD: mirage_thread.store_fragment
// THREAD: mirage_thread.ring_publish
// THREAD: mirage_thread.ring_acquire
// THREAD: mirage_thread.copy async
// THREAD: mirage_thread.ring_await
// THREAD-NOT: mirage_thread.rsqrt
// THREAD: mirage_thread.warpgroup_mma
// THREAD: mirage_thread.ring_release

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @values(%q: tensor<16x256x64xf16>, %k: tensor<16x64x4096xf16>, %v: tensor<16x4096x64xf16>) -> tensor<16x256x64xf16> {
  %o = mirage_kernel.launch grid(x = 16, y = 4) (%qa = %q : tensor<16x256x64xf16>, %ka = %k : tensor<16x64x4096xf16>,
      %va = %v : tensor<16x4096x64xf16>) -> tensor<16x256x64xf16> {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<16x256x64xf16> to tensor<1x64x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 64 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %y = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<16x64x4096xf16> to tensor<1x64x64xf16>
      %z = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<16x4096x64xf16> to tensor<1x64x64xf16>
      %zw = mirage_block.cast %z : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %z2 = mirage_block.square %zw : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %zm = mirage_block.reduce mean %z2 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %zh = mirage_block.cast %zn : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %x, %y : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %d : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %zh : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %r = mirage_block.div %out, %sum : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h = mirage_block.cast %r : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<16x256x64xf16>
    mirage_block.yield %w : tensor<16x256x64xf16>
  }
  return %o : tensor<16x256x64xf16>
}

func.func @few_iterations(%q: tensor<2x256x64xf16>, %k: tensor<2x64x4096xf16>, %v: tensor<2x4096x64xf16>) -> tensor<2x256x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 4) (%qa = %q : tensor<2x256x64xf16>, %ka = %k : tensor<2x64x4096xf16>,
      %va = %v : tensor<2x4096x64xf16>) -> tensor<2x256x64xf16> {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 64 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %y = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<2x64x4096xf16> to tensor<1x64x64xf16>
      %z = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x4096x64xf16> to tensor<1x64x64xf16>
      %zw = mirage_block.cast %z : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %z2 = mirage_block.square %zw : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %zm = mirage_block.reduce mean %z2 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %zh = mirage_block.cast %zn : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %x, %y : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %d : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %zh : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %r = mirage_block.div %out, %sum : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h = mirage_block.cast %r : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x256x64xf16>
    mirage_block.yield %w : tensor<2x256x64xf16>
  }
  return %o : tensor<2x256x64xf16>
}

func.func @rows(%q: tensor<32x256x64xf16>, %k: tensor<32x64x4096xf16>, %v: tensor<32x4096x64xf16>) -> tensor<32x256x64xf16> {
  %o = mirage_kernel.launch grid(x = 32, y = 2) (%qa = %q : tensor<32x256x64xf16>, %ka = %k : tensor<32x64x4096xf16>,
      %va = %v : tensor<32x4096x64xf16>) -> tensor<32x256x64xf16> {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<32x256x64xf16> to tensor<1x128x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 64 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %y = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<32x64x4096xf16> to tensor<1x64x64xf16>
      %z = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<32x4096x64xf16> to tensor<1x64x64xf16>
      %zw = mirage_block.cast %z : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %z2 = mirage_block.square %zw : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %zm = mirage_block.reduce mean %z2 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %zh = mirage_block.cast %zn : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %x, %y : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %e = mirage_block.exp %d : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %t = mirage_block.reduce sum %e dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %eh = mirage_block.cast %e : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %p = mirage_block.matmul %eh, %zh : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x128x1xf32>, tensor<1x128x64xf32>
    }
    %r = mirage_block.div %out, %sum : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %h = mirage_block.cast %r : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<32x256x64xf16>
    mirage_block.yield %w : tensor<32x256x64xf16>
  }
  return %o : tensor<32x256x64xf16>
}
}
