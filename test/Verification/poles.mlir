// A logarithm, a quotient and a root have poles, of which programs ask: those that
// do must not be accepted for others that don't, by proofs or by tests, also where
// what has the pole is something that both programs have. Where the same operators
// ask the same question of the same values, there is a proof.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=check-floats=false -o /dev/null | FileCheck %s

// CHECK: @log_guarded may or may not compute what @log does
func.func @log(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %log = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.add %log, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}
func.func @log_guarded(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @log} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %log = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare eq %log, %inf : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %log : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.add %guarded, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}

// CHECK: @log_guarded_twice computes what @log_guarded does: proved
func.func @log_guarded_twice(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @log_guarded} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %log = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %log2 = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare eq %log, %inf : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %log2 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %half = mirage_kernel.scale %x by 0.5 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %first = mirage_kernel.add %half, %guarded : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.add %first, %half : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}

// CHECK: @root_of_other may or may not compute what @root_guarded does
func.func @root_guarded(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %root = mirage_kernel.sqrt %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare ne %root, %root : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %root : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.add %guarded, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}
func.func @root_of_other(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @root_guarded} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %root = mirage_kernel.sqrt %y : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %own = mirage_kernel.sqrt %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare ne %root, %root : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %own : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.add %guarded, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}

// A quotient is its own equal but where both numbers are zero, in either direction.
// CHECK: @quotient may or may not compute what @quotient_guarded does
// CHECK: @quotient_guarded_again may or may not compute what @quotient does
func.func @quotient_guarded(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %q = mirage_kernel.div %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare ne %q, %q : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %q : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %guarded : tensor<8x16xf32>
}
func.func @quotient(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @quotient_guarded} {
  %q = mirage_kernel.div %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}
func.func @quotient_guarded_again(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @quotient} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %q = mirage_kernel.div %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %pole = mirage_kernel.compare ne %q, %q : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %guarded = mirage_kernel.select %pole, %zero, %q : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %guarded : tensor<8x16xf32>
}

// The quotient of a number and itself is one, but asks the same.
// CHECK: @second may or may not compute what @one_guarded does
func.func @one_guarded(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %q = mirage_kernel.div %x, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare eq %q, %q : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %y, %x : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @second(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @one_guarded} {
  return %y : tensor<8x16xf32>
}

// Roots and powers of what may be negative.
// CHECK: @second_of_three may or may not compute what @power_guarded does
func.func @power_guarded(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c3000 = mirage_kernel.constant dense<3000.0> : tensor<1x1xf32>
  %a = mirage_kernel.add %x, %c3000 : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %p = mirage_kernel.pow %a to 0.3 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare eq %p, %p : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %y, %z : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @second_of_three(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @power_guarded} {
  return %y : tensor<8x16xf32>
}

// An infinity times what may be zero.
// CHECK: @second_of_masked may or may not compute what @infinity_guarded does
func.func @infinity_guarded(%m: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %p = mirage_kernel.mul %m, %inf : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare eq %p, %p : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %y, %zero : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @second_of_masked(%m: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @infinity_guarded} {
  return %y : tensor<8x16xf32>
}

// NaN is neither less than a number nor at least that number.
// CHECK: @not_at_least may or may not compute what @less does
// CHECK: @greater computes what @less does: proved
func.func @less(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %l = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare lt %l, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @not_at_least(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @less} {
  %l = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare ge %l, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %y, %x : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @greater(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @less} {
  %l = mirage_kernel.log %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare gt %y, %l : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// The same without a pole: positive numbers have logarithms and roots, and may
// be divided by. Behind a launch, what is asked is known, too.
// CHECK: @positive_not_at_least computes what @positive_less does: proved
func.func @positive_less(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %s = mirage_kernel.sigmoid %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %sq = mirage_kernel.square %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = mirage_kernel.reduce sum %sq dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %eps = mirage_kernel.constant dense<0.125> : tensor<1x1xf32>
  %v = mirage_kernel.add %sum, %eps : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %r = mirage_kernel.rsqrt %v : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %n = mirage_kernel.mul %s, %r : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %c = mirage_kernel.compare lt %n, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %z = mirage_kernel.select %c, %x, %y : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}
func.func @positive_not_at_least(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @positive_less} {
  %0 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<8x16xf32>, %ya = %y : tensor<8x16xf32>) -> tensor<8x16xf32> {
    %a = mirage_block.load %xa imap(x -> 0) : tensor<8x16xf32> to tensor<2x16xf32>
    %b = mirage_block.load %ya imap(x -> 0) : tensor<8x16xf32> to tensor<2x16xf32>
    %s = mirage_block.sigmoid %a : (tensor<2x16xf32>) -> tensor<2x16xf32>
    %sq = mirage_block.square %a : (tensor<2x16xf32>) -> tensor<2x16xf32>
    %sum = mirage_block.reduce sum %sq dim(1) keep : (tensor<2x16xf32>) -> tensor<2x1xf32>
    %eps = mirage_block.constant dense<0.125> : tensor<1x1xf32>
    %v = mirage_block.add %sum, %eps : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %r = mirage_block.rsqrt %v : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %n = mirage_block.mul %s, %r : (tensor<2x16xf32>, tensor<2x1xf32>) -> tensor<2x16xf32>
    %c = mirage_block.compare ge %n, %b : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %z = mirage_block.select %c, %b, %a : (tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %st = mirage_block.store %z omap(x -> 0) : tensor<2x16xf32> to tensor<8x16xf32>
    mirage_block.yield %st : tensor<8x16xf32>
  }
  return %0 : tensor<8x16xf32>
}

// CHECK: @root_inside may or may not compute what @plain does
func.func @plain(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  return %y : tensor<8x16xf32>
}
func.func @root_inside(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @plain} {
  %0 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<8x16xf32>, %ya = %y : tensor<8x16xf32>) -> tensor<8x16xf32> {
    %a = mirage_block.load %xa imap(x -> 0) : tensor<8x16xf32> to tensor<2x16xf32>
    %b = mirage_block.load %ya imap(x -> 0) : tensor<8x16xf32> to tensor<2x16xf32>
    %s = mirage_block.sqrt %a : (tensor<2x16xf32>) -> tensor<2x16xf32>
    %c = mirage_block.compare eq %s, %s : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %z = mirage_block.select %c, %b, %a : (tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %st = mirage_block.store %z omap(x -> 0) : tensor<2x16xf32> to tensor<8x16xf32>
    mirage_block.yield %st : tensor<8x16xf32>
  }
  return %0 : tensor<8x16xf32>
}
