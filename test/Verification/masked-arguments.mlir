// A mask that comes as an argument, of which parts are -inf: where it hides all
// of a tile, a tile that is relative to its own maximum is no number.

// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=bounded' -o /dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=unbounded seed=5' -o /dev/null | FileCheck %s --check-prefix=UNBOUNDED
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=bounded annotate' | FileCheck %s --check-prefix=ERRORS
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=unmasked rhs=same annotate' | FileCheck %s --check-prefix=UNMASKED

// CHECK: @bounded computes what @plain does: proved; in floating point errors up to
// CHECK-NOT: not accepted
// UNBOUNDED: @unbounded computes what @plain does: proved
// UNBOUNDED-SAME: refused as numerically unstable: on masked inputs with -inf in argument 2 it is not finite in float64: at [0, 0] it is nan, where the original is {{-?[0-9.]+e[-+][0-9]+}} (seed 5)
// ERRORS: func.func @bounded
// ERRORS-SAME: error_masked
// Nothing is -inf where it makes everything NaN.
// UNMASKED: func.func @same
// UNMASKED-SAME: error_block
// UNMASKED-NOT: error_masked
// UNMASKED: return

func.func @plain(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %1 = mirage_kernel.add %s, %m : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %3 = mirage_kernel.softmax %1 dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %4 = mirage_kernel.matmul %3, %v : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
func.func @bounded(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<4x32xf32>, %ka = %k : tensor<32x64xf32>, %ma = %m : tensor<4x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %low = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1xf32>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %qq = mirage_block.load %qa imap(x -> phi) fmap(%i -> phi) : tensor<4x32xf32> to tensor<4x32xf32>
      %kk = mirage_block.load %ka imap(x -> phi) fmap(%i -> 1) : tensor<32x64xf32> to tensor<32x16xf32>
      %x = mirage_block.matmul %qq, %kk : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %s1 = mirage_block.add %x, %mm : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
      %mx = mirage_block.reduce max %s1 dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %mc = mirage_block.max %mx, %low : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
      %d = mirage_block.sub %s1, %mc : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
      %e = mirage_block.exp %d : (tensor<4x16xf32>) -> tensor<4x16xf32>
      %p = mirage_block.matmul %e, %vv : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mc : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %l shift %mc : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
      mirage_block.yield %a0, %a1 : tensor<4x8xf32>, tensor<4x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %st = mirage_block.store %q omap(x -> phi) : tensor<4x8xf32> to tensor<4x8xf32>
    mirage_block.yield %st : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
func.func @unbounded(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<4x32xf32>, %ka = %k : tensor<32x64xf32>, %ma = %m : tensor<4x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %qq = mirage_block.load %qa imap(x -> phi) fmap(%i -> phi) : tensor<4x32xf32> to tensor<4x32xf32>
      %kk = mirage_block.load %ka imap(x -> phi) fmap(%i -> 1) : tensor<32x64xf32> to tensor<32x16xf32>
      %x = mirage_block.matmul %qq, %kk : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %s1 = mirage_block.add %x, %mm : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
      %mx = mirage_block.reduce max %s1 dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %d = mirage_block.sub %s1, %mx : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
      %e = mirage_block.exp %d : (tensor<4x16xf32>) -> tensor<4x16xf32>
      %p = mirage_block.matmul %e, %vv : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
      mirage_block.yield %a0, %a1 : tensor<4x8xf32>, tensor<4x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %st = mirage_block.store %q omap(x -> phi) : tensor<4x8xf32> to tensor<4x8xf32>
    mirage_block.yield %st : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
func.func @unmasked(%a: tensor<4x64xf32>, %b: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @same(%a: tensor<4x64xf32>, %b: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
