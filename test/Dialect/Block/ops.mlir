// Every operation of mirage_block that is no compute operator, with every
// attribute. The compute operators are in ../Compute/ops.mlir.

// RUN: mirage-opt %s -verify-roundtrip | mirage-opt | FileCheck %s
// RUN: mirage-opt %s -mlir-print-op-generic | mirage-opt | FileCheck %s

// imap, fmap and omap: dimensions, phi, sum and max.
// CHECK-LABEL: func @maps(
func.func @maps(%x: tensor<8x64x32xf16>) -> (tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>) {
  // CHECK: mirage_kernel.launch grid(x = 4, y = 2, z = 1) (%[[A:.*]] = %{{.*}} : tensor<8x64x32xf16>)
  %0:3 = mirage_kernel.launch grid(x = 4, y = 2, z = 1) (%a = %x : tensor<8x64x32xf16>) -> (tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>) {
    // CHECK-NEXT: %[[T:.*]] = mirage_block.load %[[A]] imap(x -> 0, y -> 1, z -> phi) : tensor<8x64x32xf16> to tensor<2x32x32xf16>
    %t = mirage_block.load %a imap(x -> 0, y -> 1, z -> phi) : tensor<8x64x32xf16> to tensor<2x32x32xf16>
    // Entries may be written in any order; they print in that of the grid.
    // CHECK-NEXT: mirage_block.load %[[A]] imap(x -> phi, y -> 2, z -> 0) : tensor<8x64x32xf16> to tensor<8x64x16xf16>
    %u = mirage_block.load %a imap(z -> 0, x -> phi, y -> 2) : tensor<8x64x32xf16> to tensor<8x64x16xf16>
    // CHECK-NEXT: mirage_block.store %[[T]] omap(x -> 0, y -> 1, z -> phi) : tensor<2x32x32xf16> to tensor<8x64x32xf16>
    %s = mirage_block.store %t omap(x -> 0, y -> 1, z -> phi) : tensor<2x32x32xf16> to tensor<8x64x32xf16>
    %r = mirage_block.reduce sum %u dim(2) : (tensor<8x64x16xf16>) -> tensor<8x64xf32>
    // CHECK: mirage_block.store %{{.*}} omap(x -> max, y -> max, z -> 0) : tensor<8x64xf32> to tensor<8x64xf32>
    %m = mirage_block.store %r omap(x -> max, y -> max, z -> 0) : tensor<8x64xf32> to tensor<8x64xf32>
    %v = mirage_block.slice %t[0, 0, 0] [1, 32, 32] [1, 1, 1] : (tensor<2x32x32xf16>) -> tensor<1x32x32xf16>
    // CHECK: mirage_block.store %{{.*}} omap(x -> 0, y -> 1, z -> sum) {note = "kept"} : tensor<1x32x32xf16> to tensor<4x64x32xf16>
    %n = mirage_block.store %v omap(x -> 0, y -> 1, z -> sum) {note = "kept"} : tensor<1x32x32xf16> to tensor<4x64x32xf16>
    mirage_block.yield %s, %m, %n : tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>
}

// Nested loops, loops one after another, every kind of accumulator.
// CHECK-LABEL: func @loops(
func.func @loops(%q: tensor<16x64xf16>, %k: tensor<128x64xf16>, %v: tensor<128x64xf16>) -> (tensor<16x64xf32>, tensor<16x128xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 1) (%q0 = %q : tensor<16x64xf16>, %k0 = %k : tensor<128x64xf16>, %v0 = %v : tensor<128x64xf16>) -> (tensor<16x64xf32>, tensor<16x128xf32>) {
    // CHECK: %[[FOR:.*]]:3 = mirage_block.for %[[I:.*]] = 0 to 8 -> (tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>) attributes {name = "keys"} {
    %f:3 = mirage_block.for %i = 0 to 8 -> (tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>) attributes {name = "keys"} {
      // CHECK-NEXT: %{{.*}} = mirage_block.load %{{.*}} imap(x -> phi) fmap(%[[I]] -> phi) : tensor<16x64xf16> to tensor<16x64xf16>
      %qt = mirage_block.load %q0 imap(x -> phi) fmap(%i -> phi) : tensor<16x64xf16> to tensor<16x64xf16>
      // CHECK-NEXT: %{{.*}} = mirage_block.load %{{.*}} imap(x -> phi) fmap(%[[I]] -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
      %kt = mirage_block.load %k0 imap(x -> phi) fmap(%i -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
      %vt = mirage_block.load %v0 imap(x -> phi) fmap(%i -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x16xf16>
      // CHECK: %[[M:.*]] = mirage_block.reduce max
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<16x16xf16>) -> tensor<16x1xf16>
      %d = mirage_block.sub %s, %m : (tensor<16x16xf16>, tensor<16x1xf16>) -> tensor<16x16xf16>
      %p = mirage_block.exp %d : (tensor<16x16xf16>) -> tensor<16x16xf16>
      // CHECK: %[[L:.*]] = mirage_block.reduce sum
      %l = mirage_block.reduce sum %p dim(1) keep : (tensor<16x16xf16>) -> tensor<16x1xf16>
      // CHECK-NEXT: %[[O:.*]] = mirage_block.matmul
      %o = mirage_block.matmul %p, %vt : (tensor<16x16xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
      // CHECK-NEXT: %[[AO:.*]] = mirage_block.accumulate rescaled_sum %[[O]] shift %[[M]] : (tensor<16x64xf16>, tensor<16x1xf16>) -> tensor<16x64xf32>
      %ao = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<16x64xf16>, tensor<16x1xf16>) -> tensor<16x64xf32>
      // CHECK-NEXT: %[[AL:.*]] = mirage_block.accumulate rescaled_sum %[[L]] shift %[[M]] : (tensor<16x1xf16>, tensor<16x1xf16>) -> tensor<16x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<16x1xf16>, tensor<16x1xf16>) -> tensor<16x1xf32>
      // CHECK-NEXT: %[[AM:.*]] = mirage_block.accumulate max %[[M]] : (tensor<16x1xf16>) -> tensor<16x1xf16>
      %am = mirage_block.accumulate max %m : (tensor<16x1xf16>) -> tensor<16x1xf16>
      // CHECK-NEXT: mirage_block.yield %[[AO]], %[[AL]], %[[AM]] : tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>
      mirage_block.yield %ao, %al, %am : tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>
    }
    // CHECK: mirage_block.div %[[FOR]]#0, %[[FOR]]#1
    %out = mirage_block.div %f#0, %f#1 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
    // CHECK: %[[CONCAT:.*]] = mirage_block.for %[[J:.*]] = 0 to 4 -> tensor<16x128xf32> {
    %c = mirage_block.for %j = 0 to 4 -> tensor<16x128xf32> {
      // CHECK-NEXT: %[[SUM:.*]] = mirage_block.for %[[L:.*]] = 0 to 2 -> tensor<16x32xf32> {
      %sum = mirage_block.for %l = 0 to 2 -> tensor<16x32xf32> {
        // CHECK-NEXT: mirage_block.load %{{.*}} imap(x -> phi) fmap(%[[J]] -> phi, %[[L]] -> 1) : tensor<16x64xf16> to tensor<16x32xf16>
        %qt = mirage_block.load %q0 imap(x -> phi) fmap(%j -> phi, %l -> 1) : tensor<16x64xf16> to tensor<16x32xf16>
        // Both loops cut the dimension, the outer one first.
        // CHECK-NEXT: mirage_block.load %{{.*}} imap(x -> phi) fmap(%[[J]] -> 0, %[[L]] -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
        %kt = mirage_block.load %k0 imap(x -> phi) fmap(%j -> 0, %l -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
        // CHECK-NEXT: mirage_block.accumulate sum %{{.*}} : (tensor<16x32xf16>) -> tensor<16x32xf32>
        %a = mirage_block.accumulate sum %qt : (tensor<16x32xf16>) -> tensor<16x32xf32>
        mirage_block.yield %a : tensor<16x32xf32>
      }
      // CHECK: mirage_block.accumulate concat %[[SUM]] dim(1) : (tensor<16x32xf32>) -> tensor<16x128xf32>
      %a = mirage_block.accumulate concat %sum dim(1) : (tensor<16x32xf32>) -> tensor<16x128xf32>
      mirage_block.yield %a : tensor<16x128xf32>
    }
    %s0 = mirage_block.store %out omap(x -> phi) : tensor<16x64xf32> to tensor<16x64xf32>
    %s1 = mirage_block.store %c omap(x -> phi) : tensor<16x128xf32> to tensor<16x128xf32>
    mirage_block.yield %s0, %s1 : tensor<16x64xf32>, tensor<16x128xf32>
  }
  return %0#0, %0#1 : tensor<16x64xf32>, tensor<16x128xf32>
}

// A thread graph, in a loop and outside of one; a loop without results.
// CHECK-LABEL: func @thread_graphs(
func.func @thread_graphs(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<32x64xf32>) -> tensor<32x64xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<32x64xf32> to tensor<16x64xf32>
    // CHECK: %[[G:.*]] = mirage_block.thread_graph threads(x = 16, y = 8) (%[[B:.*]] = %[[T:.*]] : tensor<16x64xf32>) -> tensor<16x64xf32> attributes {fused} {
    %g = mirage_block.thread_graph threads(x = 16, y = 8) (%b = %t : tensor<16x64xf32>) -> tensor<16x64xf32> attributes {fused} {
      // CHECK-NEXT: mirage_thread.load %[[B]] imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x8xf32>
      %f = mirage_thread.load %b imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x8xf32>
      %s = mirage_thread.square %f : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %r = mirage_thread.store %s omap(x -> 0, y -> 1) : tensor<1x8xf32> to tensor<16x64xf32>
      mirage_thread.yield %r : tensor<16x64xf32>
    }
    // CHECK: mirage_block.for %{{.*}} = 0 to 3 {
    mirage_block.for %i = 0 to 3 {
      // CHECK-NEXT: mirage_block.thread_graph threads(x = 1) () {
      mirage_block.thread_graph threads(x = 1) () {
        // CHECK-NEXT: mirage_thread.yield
        mirage_thread.yield
      }
      // CHECK: mirage_block.yield
      mirage_block.yield
    }
    // CHECK: mirage_block.store %[[G]]
    %s = mirage_block.store %g omap(x -> 0) : tensor<16x64xf32> to tensor<32x64xf32>
    mirage_block.yield %s : tensor<32x64xf32>
  }
  return %0 : tensor<32x64xf32>
}
