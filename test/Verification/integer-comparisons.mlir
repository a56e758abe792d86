// Comparisons of numbers of rows and columns are what they are, in tests too. A
// large number may be a small residue, modulo all primes that tests use: 2^61 and
// 2^63 are. It is compared as the number that it is, or not at all.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=check-floats=false -o /dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='check-floats=false prove=false' -o /dev/null | FileCheck %s --check-prefix=TESTS

// CHECK: @first does not compute what @large does: refuted
// CHECK: @other computes what @large does: proved
// TESTS: @first does not compute what @large does: refuted
// TESTS: @other may or may not compute what @large does: unknown
func.func @large(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = mirage_kernel.constant dense<2305843009213693952.0> : tensor<1x1xf32>
  %b = mirage_kernel.constant dense<1000000.0> : tensor<1x1xf32>
  %c = mirage_kernel.compare lt %a, %b : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<1x1xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @first(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @large} {
  return %x : tensor<4x8xf32>
}
func.func @other(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @large} {
  return %y : tensor<4x8xf32>
}

// A sum, difference and product of constants, in a launch with its own.
// CHECK: @masked_product computes what @masked does: proved
// TESTS: @masked_product computes what @masked does: equivalent
func.func @masked(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = mirage_kernel.constant dense<[[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x8xf32>
  %r = mirage_kernel.mul %x, %m : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @masked_product(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @masked} {
  %columns = mirage_kernel.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]> : tensor<1x8xf32>
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<4x8xf32>, %ca = %columns : tensor<1x8xf32>) -> tensor<4x8xf32> {
    %a = mirage_block.load %xa imap(x -> 1) : tensor<4x8xf32> to tensor<4x4xf32>
    %b = mirage_block.load %ca imap(x -> 1) : tensor<1x8xf32> to tensor<1x4xf32>
    %zero = mirage_block.constant dense<0.0> : tensor<1x1xf32>
    %two = mirage_block.constant dense<2.0> : tensor<1x1xf32>
    %six = mirage_block.constant dense<6.0> : tensor<1x1xf32>
    %d = mirage_block.mul %b, %two : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
    %e = mirage_block.sub %d, %six : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
    %c = mirage_block.compare lt %e, %zero : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
    %s = mirage_block.select %c, %a, %zero : (tensor<1x4xf32>, tensor<4x4xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
    %st = mirage_block.store %s omap(x -> 1) : tensor<4x4xf32> to tensor<4x8xf32>
    mirage_block.yield %st : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// A product of small integers is 2^63.
// CHECK: @scaled_other does not compute what @scaled does: refuted
// TESTS: @scaled_other does not compute what @scaled does: refuted
func.func @scaled(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = mirage_kernel.constant dense<1048576.0> : tensor<1x1xf32>
  %k = mirage_kernel.constant dense<8388608.0> : tensor<1x1xf32>
  %p = mirage_kernel.mul %a, %a : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %q = mirage_kernel.mul %p, %k : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %b = mirage_kernel.constant dense<50000.0> : tensor<1x1xf32>
  %c = mirage_kernel.compare lt %b, %q : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<1x1xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @scaled_other(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @scaled} {
  return %y : tensor<4x8xf32>
}
