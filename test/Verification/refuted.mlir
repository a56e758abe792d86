// Wrong programs, among them those that a published verifier accepts: every
// pair is refuted, floats show it, and the pass fails.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s

// Row sums of Q multiply K: K is cut along the contracted dimension, Q is not.
// CHECK: @contraction_split does not compute what @scores does: refuted, result 0 differs at [0, 0]: {{[0-9]+}}, where @scores has {{[0-9]+}}, modulo 2305843009213{{[0-9]+}} (seed 0, test 0); in float64, on normal inputs, result 0 at [{{[0-9]+, [0-9]+}}] is {{.*}}, where @scores has
func.func @scores(%q: tensor<8x16xf32>, %k: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %p = mirage_kernel.softmax %s dim(1) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %p : tensor<8x32xf32>
}
func.func @contraction_split(%q: tensor<8x16xf32>, %k: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {mirage.equivalent_to = @scores} {
  %0 = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<8x16xf32>, %ka = %k : tensor<16x32xf32>)
      -> (tensor<8x32xf32>) {
    %s = mirage_block.for %i = 0 to 16 -> tensor<4x32xf32> {
      %qt = mirage_block.load %qa imap(x -> 0) fmap(%i -> phi)
          : tensor<8x16xf32> to tensor<4x16xf32>
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0)
          : tensor<16x32xf32> to tensor<1x32xf32>
      %qs = mirage_block.reduce sum %qt dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %p = mirage_block.matmul %qs, %kt
          : (tensor<4x1xf32>, tensor<1x32xf32>) -> tensor<4x32xf32>
      %a = mirage_block.accumulate sum %p : (tensor<4x32xf32>) -> tensor<4x32xf32>
      mirage_block.yield %a : tensor<4x32xf32>
    }
    %t = mirage_block.softmax %s dim(1) : (tensor<4x32xf32>) -> tensor<4x32xf32>
    %o = mirage_block.store %t omap(x -> 0) : tensor<4x32xf32> to tensor<8x32xf32>
    mirage_block.yield %o : tensor<8x32xf32>
  }
  return %0 : tensor<8x32xf32>
}

// Neighbours are summed instead of elements half the row apart.
// CHECK: @adjacent does not compute what @strided does: refuted, result 0 differs at [0, 0]
func.func @strided(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %r = mirage_kernel.reshape %x : tensor<4x16xf32> to tensor<4x2x8xf32>
  %0 = mirage_kernel.reduce sum %r dim(1) : (tensor<4x2x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @adjacent(%x: tensor<4x16xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @strided} {
  %r = mirage_kernel.reshape %x : tensor<4x16xf32> to tensor<4x8x2xf32>
  %0 = mirage_kernel.reduce sum %r dim(2) : (tensor<4x8x2xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The blocks' results stand in another order.
// CHECK: @permuted does not compute what @rows does: refuted, result 0 differs at [1, 0]
func.func @rows(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.square %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func @permuted(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {mirage.equivalent_to = @rows} {
  %0 = mirage_kernel.launch grid(x = 2, y = 4) (%xa = %x : tensor<8x4xf32>) -> (tensor<4x2x4xf32>) {
    %t = mirage_block.load %xa imap(x -> 0, y -> 1) : tensor<8x4xf32> to tensor<4x1xf32>
    %s = mirage_block.square %t : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %r = mirage_block.reshape %s : tensor<4x1xf32> to tensor<4x1x1xf32>
    %o = mirage_block.store %r omap(x -> 1, y -> 2) : tensor<4x1x1xf32> to tensor<4x2x4xf32>
    mirage_block.yield %o : tensor<4x2x4xf32>
  }
  %1 = mirage_kernel.reshape %0 : tensor<4x2x4xf32> to tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Two results, exchanged.
// CHECK: @exchanged does not compute what @halves does: refuted, result 0 differs at [0]
func.func @halves(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = mirage_kernel.split %x dim(0) parts(2) : (tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func @exchanged(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {mirage.equivalent_to = @halves} {
  %0:2 = mirage_kernel.split %x dim(0) parts(2) : (tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1, %0#0 : tensor<4xf32>, tensor<4xf32>
}

// One coefficient is one unit in the last place off, which floats show, too.
// CHECK: @coefficient does not compute what @scaled does: refuted, result 0 differs at [0]
// CHECK-SAME: in float64
func.func @scaled(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.scale %x by 1.000000e-01 : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @coefficient(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {mirage.equivalent_to = @scaled} {
  %0 = mirage_kernel.scale %x by 1.00000001e-01 : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
