// Functions that are beyond proofs and tests as wholes are compared between values
// that both of them compute.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false fail-on-refusal=false' -split-input-file -o /dev/null 2>/dev/null | FileCheck %s
// RUN: mirage-opt %s --mirage-verify-equivalence=fail-on-refusal=false -split-input-file -o /dev/null 2>/dev/null | FileCheck %s --check-prefix=PROOF

// One exponential follows another. After the first one, the functions differ in
// how they write a softmax: %b is a common value, and so are the results. The error
// of both parts together is no more than what was asked for.
// CHECK: @again computes what @softmaxes does: equivalent with error at most 2^-4{{[0-9.]+}} ({{[0-9]+}} tests, seed 0, whatever max is), in parts between 2 common values
// PROOF: @again computes what @softmaxes does: proved;
func.func @softmaxes(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %a = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = mirage_kernel.matmul %a, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.softmax %b dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @again(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @softmaxes} {
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %e = mirage_kernel.exp %d : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %p = mirage_kernel.matmul %e, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %b = mirage_kernel.div %p, %t : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %n = mirage_kernel.reduce max %b dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %f = mirage_kernel.sub %b, %n : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %g = mirage_kernel.exp %f : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %u = mirage_kernel.reduce sum %g dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.div %g, %u : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// What comes before is equal, and the last part is not.
// CHECK: @other may or may not compute what @chain does: unknown, outside Lax
// PROOF: @other may or may not compute what @chain does: unknown, outside Lax
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.exp %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @other(%x: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @chain} {
  %a = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = mirage_kernel.square %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.exp %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A logarithm may have no value, which comparisons can tell, and is no common
// value then: of numbers both comparisons are false.
// CHECK: @less may or may not compute what @unequal does: unknown
// PROOF: @less may or may not compute what @unequal does: unknown
func.func @unequal(%x: tensor<8xf32>) -> tensor<8xf32> {
  %l = mirage_kernel.log %x : (tensor<8xf32>) -> tensor<8xf32>
  %c = mirage_kernel.compare ne %l, %l : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %f = mirage_kernel.exp %e : (tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.add %c, %f : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @less(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @unequal} {
  %l = mirage_kernel.log %x : (tensor<8xf32>) -> tensor<8xf32>
  %c = mirage_kernel.compare lt %l, %l : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %f = mirage_kernel.exp %e : (tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.add %c, %f : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The literal constants are equal; as a whole, 1.4140625 in f16 may stand for the
// root of two, which exp2 asks for.
// PROOF: @wide computes what @narrow does: proved, in parts between 2 common values
func.func @narrow(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf16>
  %e = mirage_kernel.exp2 %x : (tensor<4xf16>) -> tensor<4xf16>
  %0 = mirage_kernel.div %e, %c : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
func.func @wide(%x: tensor<4xf16>) -> tensor<4xf16> attributes {mirage.equivalent_to = @narrow} {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf32>
  %e = mirage_kernel.exp2 %x : (tensor<4xf16>) -> tensor<4xf16>
  %a = mirage_kernel.cast %e : tensor<4xf16> to tensor<4xf32>
  %0 = mirage_kernel.div %a, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// Of a launch with several results each depends on some of its operands only.
// CHECK: @together computes what @apart does: equivalent with error at most 2^-4{{.*}}, in parts between
// PROOF: @together computes what @apart does: proved
func.func @apart(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %w: tensor<8x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = mirage_kernel.softmax %y dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.matmul %a, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.matmul %b, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.softmax %c dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.softmax %d dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
func.func @together(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %w: tensor<8x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {mirage.equivalent_to = @apart} {
  %a, %b = mirage_kernel.launch grid(x = 4)
      (%p = %x : tensor<4x8xf32>, %q = %y : tensor<4x8xf32>)
      -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %pt = mirage_block.load %p imap(x -> 0) : tensor<4x8xf32> to tensor<1x8xf32>
    %qt = mirage_block.load %q imap(x -> 0) : tensor<4x8xf32> to tensor<1x8xf32>
    %ps = mirage_block.softmax %pt dim(1) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %qs = mirage_block.softmax %qt dim(1) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %r = mirage_block.store %ps omap(x -> 0) : tensor<1x8xf32> to tensor<4x8xf32>
    %s = mirage_block.store %qs omap(x -> 0) : tensor<1x8xf32> to tensor<4x8xf32>
    mirage_block.yield %r, %s : tensor<4x8xf32>, tensor<4x8xf32>
  }
  %c = mirage_kernel.matmul %a, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.matmul %b, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.softmax %c dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.softmax %d dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
