// A logarithm and a quotient have poles, of which programs ask: those that do
// must not be proved equal to others that don't, also where what has the pole is
// something that both programs have. Where the same operators ask the same
// question of the same values, there is a proof.
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
