// A constant that is cast is the rounded constant, wherever the cast is: of a
// slice or of the opposite, and in a launch. Both halves know it.
//
// RUN: mirage-opt %s --mirage-verify-equivalence=fail-on-refusal=false -o /dev/null | FileCheck %s

func.func @rounded(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c = mirage_kernel.constant dense<1.0e-1> : tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// CHECK: @plain computes what @rounded does: proved
// CHECK-NOT: refused
func.func @plain(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @rounded} {
  %c0 = mirage_kernel.constant dense<1.0e-1> : tensor<1x1xf32>
  %c = mirage_kernel.cast %c0 : tensor<1x1xf32> to tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// CHECK: @sliced computes what @rounded does: proved
// CHECK-NOT: refused
func.func @sliced(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @rounded} {
  %c0 = mirage_kernel.constant dense<[[1.0e-1], [3.0]]> : tensor<2x1xf32>
  %c1 = mirage_kernel.slice %c0[0, 0] [1, 1] [1, 1] : (tensor<2x1xf32>) -> tensor<1x1xf32>
  %c2 = mirage_kernel.broadcast %c1 : tensor<1x1xf32> to tensor<4x8xf32>
  %c = mirage_kernel.cast %c2 : tensor<4x8xf32> to tensor<4x8xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// CHECK: @negated computes what @rounded does: proved
// CHECK-NOT: refused
func.func @negated(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @rounded} {
  %c0 = mirage_kernel.constant dense<-1.0e-1> : tensor<1x1xf32>
  %c1 = mirage_kernel.abs %c0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.cast %c1 : tensor<1x1xf32> to tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// Another one is another one.
// CHECK: @doubled does not compute what @rounded does: refuted
func.func @doubled(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @rounded} {
  %c0 = mirage_kernel.constant dense<-2.0e-1> : tensor<1x1xf32>
  %c1 = mirage_kernel.scale %c0 by -1.0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.cast %c1 : tensor<1x1xf32> to tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// Different numbers, loaded and cast by a launch's loop.
func.func @columns(%x: tensor<4x8xf16>) -> tensor<4x1xf16> {
  %c = mirage_kernel.constant dense<[[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]]> : tensor<1x8xf16>
  %m = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x8xf16>) -> tensor<4x8xf16>
  %r = mirage_kernel.reduce sum %m dim(1) keep : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return %r : tensor<4x1xf16>
}

// CHECK: @columns_loaded computes what @columns does: proved
// CHECK-NOT: refused
func.func @columns_loaded(%x: tensor<4x8xf16>) -> tensor<4x1xf16> attributes {mirage.equivalent_to = @columns} {
  %c0 = mirage_kernel.constant dense<[[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]]> : tensor<8x1xf32>
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<4x8xf16>, %ca = %c0 : tensor<8x1xf32>) -> tensor<4x1xf16> {
    %1 = mirage_block.for %i = 0 to 4 -> (tensor<2x1xf16>) {
      %a = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) : tensor<4x8xf16> to tensor<2x2xf16>
      %b = mirage_block.load %ca imap(x -> phi) fmap(%i -> 0) : tensor<8x1xf32> to tensor<2x1xf32>
      %t = mirage_block.transpose %b [1, 0] : (tensor<2x1xf32>) -> tensor<1x2xf32>
      %bc = mirage_block.cast %t : tensor<1x2xf32> to tensor<1x2xf16>
      %m = mirage_block.mul %a, %bc : (tensor<2x2xf16>, tensor<1x2xf16>) -> tensor<2x2xf16>
      %s = mirage_block.reduce sum %m dim(1) keep : (tensor<2x2xf16>) -> tensor<2x1xf16>
      %acc = mirage_block.accumulate sum %s : (tensor<2x1xf16>) -> tensor<2x1xf16>
      mirage_block.yield %acc : tensor<2x1xf16>
    }
    %st = mirage_block.store %1 omap(x -> 0) : tensor<2x1xf16> to tensor<4x1xf16>
    mirage_block.yield %st : tensor<4x1xf16>
  }
  return %0 : tensor<4x1xf16>
}

// What is computed is not rounded before it is cast: no refutation.
// CHECK: @squared may or may not compute what @rounded_square does: unknown, the results differ, which may be due to how a cast rounds what is made of constants
func.func @rounded_square(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c = mirage_kernel.constant dense<1.0e-2> : tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}
func.func @squared(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @rounded_square} {
  %c0 = mirage_kernel.constant dense<1.0e-1> : tensor<1x1xf32>
  %c1 = mirage_kernel.square %c0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.cast %c1 : tensor<1x1xf32> to tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// An operator in f16 and one in f32 between casts compute the same.
// CHECK: @wide_product computes what @narrow_product does: proved
func.func @narrow_product(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c0 = mirage_kernel.constant dense<1.0e-1> : tensor<1x1xf16>
  %c = mirage_kernel.scale %c0 by 0.70703125 : (tensor<1x1xf16>) -> tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}
func.func @wide_product(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.equivalent_to = @narrow_product} {
  %c0 = mirage_kernel.constant dense<1.0e-1> : tensor<1x1xf16>
  %c1 = mirage_kernel.cast %c0 : tensor<1x1xf16> to tensor<1x1xf32>
  %c2 = mirage_kernel.scale %c1 by 0.70703125 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = mirage_kernel.cast %c2 : tensor<1x1xf32> to tensor<1x1xf16>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf16>, tensor<1x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// The opposite of what is rounded, in a launch.
// CHECK: @columns_computed computes what @columns does: equivalent
// CHECK-NOT: refused
func.func @columns_computed(%x: tensor<4x8xf16>) -> tensor<4x1xf16> attributes {mirage.equivalent_to = @columns} {
  %c0 = mirage_kernel.constant dense<[[-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8]]> : tensor<1x8xf32>
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<4x8xf16>, %ca = %c0 : tensor<1x8xf32>) -> tensor<4x1xf16> {
    %a = mirage_block.load %xa imap(x -> 0) : tensor<4x8xf16> to tensor<2x8xf16>
    %b = mirage_block.load %ca imap(x -> phi) : tensor<1x8xf32> to tensor<1x8xf32>
    %n = mirage_block.scale %b by -1.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %bc = mirage_block.cast %n : tensor<1x8xf32> to tensor<1x8xf16>
    %m = mirage_block.mul %a, %bc : (tensor<2x8xf16>, tensor<1x8xf16>) -> tensor<2x8xf16>
    %s = mirage_block.reduce sum %m dim(1) keep : (tensor<2x8xf16>) -> tensor<2x1xf16>
    %st = mirage_block.store %s omap(x -> 0) : tensor<2x1xf16> to tensor<4x1xf16>
    mirage_block.yield %st : tensor<4x1xf16>
  }
  return %0 : tensor<4x1xf16>
}

// An attribute has more digits than its operator computes with; the other
// program may hold what is left. With other digits it is another program.
// CHECK: @factor may or may not compute what @constant does: unknown, the results differ by an attribute that the type of its operator does not hold; rounded to it they don't
// CHECK: @other_factor does not compute what @constant does: refuted
func.func @constant(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = mirage_kernel.constant dense<3.0e-1> : tensor<1x1xf32>
  %r = mirage_kernel.mul %x, %c : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @factor(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @constant} {
  %r = mirage_kernel.scale %x by 0.3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @other_factor(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @constant} {
  %r = mirage_kernel.scale %x by 0.3000001 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
