// Sizes come into results by attributes, and by sums of equal numbers. A
// difference at small sizes is none then.
//
// RUN: mirage-opt %s --mirage-verify-equivalence=shrink=true -o /dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=chain rhs=chain_of_other shrink=true' -o /dev/null | FileCheck %s --check-prefix=SMALL
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=clamped_norm rhs=norm_of_clamped float-work=3e7' -o /dev/null | FileCheck %s --check-prefix=FLOATS

// The factor stands for the count, which keeps its size.
// CHECK: @root_of_count computes what @scaled_attention does: proved, at small sizes
func.func @scaled_attention(%q: tensor<2x16x64xf32>, %k: tensor<2x32x64xf32>, %v: tensor<2x32x64xf32>) -> tensor<2x16x64xf32> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.125) : (tensor<2x16x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x16x64xf32>
  return %0 : tensor<2x16x64xf32>
}
func.func @root_of_count(%q: tensor<2x16x64xf32>, %k: tensor<2x32x64xf32>, %v: tensor<2x32x64xf32>) -> tensor<2x16x64xf32>
    attributes {mirage.equivalent_to = @scaled_attention} {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<2x16x64xf32>, tensor<2x32x64xf32>) -> tensor<2x16x32xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1x64xf32>
  %n = mirage_kernel.reduce sum %one dim(2) keep : (tensor<1x1x64xf32>) -> tensor<1x1x1xf32>
  %r = mirage_kernel.sqrt %n : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %t = mirage_kernel.div %s, %r : (tensor<2x16x32xf32>, tensor<1x1x1xf32>) -> tensor<2x16x32xf32>
  %p = mirage_kernel.softmax %t dim(2) : (tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %0 = mirage_kernel.matmul %p, %v : (tensor<2x16x32xf32>, tensor<2x32x64xf32>) -> tensor<2x16x64xf32>
  return %0 : tensor<2x16x64xf32>
}

// CHECK: @two_bounds computes what @one_bound does: proved, not at small sizes
func.func @one_bound(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x64xf32>
  %n = mirage_kernel.reduce sum %one dim(1) keep : (tensor<1x64xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.clamp %n lower(0.0) upper(32.0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = mirage_kernel.mul %x, %c : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
func.func @two_bounds(%x: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {mirage.equivalent_to = @one_bound} {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x64xf32>
  %n = mirage_kernel.reduce sum %one dim(1) keep : (tensor<1x64xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.clamp %n lower(0.0) upper(16.0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %d = mirage_kernel.add %c, %c : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = mirage_kernel.mul %x, %d : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// CHECK: @count_of_other computes what @mean does: proved, not at small sizes
func.func @mean(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.reduce mean %x dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}
func.func @count_of_other(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>) -> tensor<8x1xf32>
    attributes {mirage.equivalent_to = @mean} {
  %s = mirage_kernel.reduce sum %x dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<64x1xf32>
  %z = mirage_kernel.sub %w, %w : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  %o = mirage_kernel.add %z, %one : (tensor<64x4xf32>, tensor<64x1xf32>) -> tensor<64x4xf32>
  %n = mirage_kernel.reduce sum %o dim(0) keep : (tensor<64x4xf32>) -> tensor<1x4xf32>
  %n1 = mirage_kernel.reduce mean %n dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %0 = mirage_kernel.div %s, %n1 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}

// CHECK: @square_of_eight computes what @sixty_four does: proved, not at small sizes
func.func @sixty_four(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<64x1xf32>
  %z = mirage_kernel.sub %x, %x : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = mirage_kernel.add %z, %one : (tensor<64x8xf32>, tensor<64x1xf32>) -> tensor<64x8xf32>
  %m = mirage_kernel.reduce sum %o dim(0) keep : (tensor<64x8xf32>) -> tensor<1x8xf32>
  %0 = mirage_kernel.mul %x, %m : (tensor<64x8xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
func.func @square_of_eight(%x: tensor<64x8xf32>) -> tensor<64x8xf32>
    attributes {mirage.equivalent_to = @sixty_four} {
  %one = mirage_kernel.constant dense<1.0> : tensor<64x1xf32>
  %z = mirage_kernel.sub %x, %x : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %o = mirage_kernel.add %z, %one : (tensor<64x8xf32>, tensor<64x1xf32>) -> tensor<64x8xf32>
  %m = mirage_kernel.reduce sum %o dim(1) keep : (tensor<64x8xf32>) -> tensor<64x1xf32>
  %s = mirage_kernel.square %m : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %0 = mirage_kernel.mul %x, %s : (tensor<64x8xf32>, tensor<64x1xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// Nothing is counted, and no number is written: a difference is one at any size.
// SMALL: @chain_of_other does not compute what @chain does: refuted, {{.*}}, at small sizes
func.func @chain(%x: tensor<64x512xf32>, %w: tensor<512x512xf32>) -> tensor<64x512xf32> {
  %a = mirage_kernel.matmul %x, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %s = mirage_kernel.silu %a : (tensor<64x512xf32>) -> tensor<64x512xf32>
  %0 = mirage_kernel.matmul %s, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}
func.func @chain_of_other(%x: tensor<64x512xf32>, %w: tensor<512x512xf32>) -> tensor<64x512xf32> {
  %a = mirage_kernel.matmul %x, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %s = mirage_kernel.silu %a : (tensor<64x512xf32>) -> tensor<64x512xf32>
  %0 = mirage_kernel.matmul %s, %w transpose_rhs : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}

// Bounds of errors are computed with shorter sums, in which the clamped count is
// another number.
// FLOATS: @norm_of_clamped computes what @clamped_norm does: proved
// FLOATS-NOT: refused
// FLOATS-NOT: not accepted
func.func @clamped_norm(%x: tensor<8x512xf32>, %w1: tensor<512x512xf32>, %w2: tensor<512x64xf32>) -> tensor<8x64xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x512xf32>
  %n = mirage_kernel.reduce sum %one dim(1) keep : (tensor<1x512xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.clamp %n lower(0.0) upper(256.0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %h = mirage_kernel.matmul %x, %w1 : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %s = mirage_kernel.square %h : (tensor<8x512xf32>) -> tensor<8x512xf32>
  %m = mirage_kernel.reduce sum %s dim(1) keep : (tensor<8x512xf32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %d = mirage_kernel.div %h, %r : (tensor<8x512xf32>, tensor<8x1xf32>) -> tensor<8x512xf32>
  %p = mirage_kernel.matmul %d, %w2 : (tensor<8x512xf32>, tensor<512x64xf32>) -> tensor<8x64xf32>
  %0 = mirage_kernel.mul %p, %c : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
func.func @norm_of_clamped(%x: tensor<8x512xf32>, %w1: tensor<512x512xf32>, %w2: tensor<512x64xf32>) -> tensor<8x64xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x512xf32>
  %n = mirage_kernel.reduce sum %one dim(1) keep : (tensor<1x512xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.clamp %n lower(0.0) upper(128.0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %cc = mirage_kernel.add %c, %c : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %h = mirage_kernel.matmul %x, %w1 : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %s = mirage_kernel.square %h : (tensor<8x512xf32>) -> tensor<8x512xf32>
  %m = mirage_kernel.reduce sum %s dim(1) keep : (tensor<8x512xf32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %q = mirage_kernel.matmul %h, %w2 : (tensor<8x512xf32>, tensor<512x64xf32>) -> tensor<8x64xf32>
  %p = mirage_kernel.div %q, %r : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %0 = mirage_kernel.mul %p, %cc : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
