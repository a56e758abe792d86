// Attention by tiles of the keys, of which masks are -inf: each tile is relative
// to its maximum or the lowest finite number, whichever is larger.

// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=tiled' -o /dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=without_rescaling' -o /dev/null | FileCheck %s --check-prefix=WRONG
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=unmasked' -o /dev/null | FileCheck %s --check-prefix=UNMASKED
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=plain rhs=without_lowest' -o /dev/null | FileCheck %s --check-prefix=LOWEST

// CHECK: @tiled computes what @plain does: proved
// WRONG: @without_rescaling does not compute what @plain does: refuted
// Where a mask hides all of a tile, its scores are relative to -inf.
// LOWEST: @without_lowest {{.*}}on block inputs it is not finite in float64
// UNMASKED: @unmasked does not compute what @plain does: refuted

func.func @plain(%s: tensor<4x64xf32>, %m: tensor<1x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %r = mirage_kernel.compare gt %m, %z : (tensor<1x64xf32>, tensor<1x1xf32>) -> tensor<1x64xf32>
  %1 = mirage_kernel.select %r, %s, %inf : (tensor<1x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %3 = mirage_kernel.softmax %1 dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %4 = mirage_kernel.matmul %3, %v : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
func.func @tiled(%s: tensor<4x64xf32>, %m: tensor<1x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%sa = %s : tensor<4x64xf32>, %ma = %m : tensor<1x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %z = mirage_block.constant dense<0.0> : tensor<1x1xf32>
    %inf = mirage_block.constant dense<0xFF800000> : tensor<1x1xf32>
    %low = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1xf32>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %x = mirage_block.load %sa imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %r = mirage_block.compare gt %mm, %z : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
      %s1 = mirage_block.select %r, %x, %inf : (tensor<1x16xf32>, tensor<4x16xf32>, tensor<1x1xf32>) -> tensor<4x16xf32>
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
func.func @without_rescaling(%s: tensor<4x64xf32>, %m: tensor<1x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%sa = %s : tensor<4x64xf32>, %ma = %m : tensor<1x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %z = mirage_block.constant dense<0.0> : tensor<1x1xf32>
    %inf = mirage_block.constant dense<0xFF800000> : tensor<1x1xf32>
    %low = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1xf32>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %x = mirage_block.load %sa imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %r = mirage_block.compare gt %mm, %z : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
      %s1 = mirage_block.select %r, %x, %inf : (tensor<1x16xf32>, tensor<4x16xf32>, tensor<1x1xf32>) -> tensor<4x16xf32>
      %mx = mirage_block.reduce max %s1 dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %mc = mirage_block.max %mx, %low : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
      %d = mirage_block.sub %s1, %mc : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
      %e = mirage_block.exp %d : (tensor<4x16xf32>) -> tensor<4x16xf32>
      %p = mirage_block.matmul %e, %vv : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
      %a0 = mirage_block.accumulate sum %p : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %a1 = mirage_block.accumulate sum %l : (tensor<4x1xf32>) -> tensor<4x1xf32>
      mirage_block.yield %a0, %a1 : tensor<4x8xf32>, tensor<4x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %st = mirage_block.store %q omap(x -> phi) : tensor<4x8xf32> to tensor<4x8xf32>
    mirage_block.yield %st : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
func.func @unmasked(%s: tensor<4x64xf32>, %m: tensor<1x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%sa = %s : tensor<4x64xf32>, %ma = %m : tensor<1x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %z = mirage_block.constant dense<0.0> : tensor<1x1xf32>
    %inf = mirage_block.constant dense<0xFF800000> : tensor<1x1xf32>
    %low = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1xf32>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %x = mirage_block.load %sa imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %r = mirage_block.compare gt %mm, %z : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
      %s1 = mirage_block.add %x, %z : (tensor<4x16xf32>, tensor<1x1xf32>) -> tensor<4x16xf32>
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
func.func @without_lowest(%s: tensor<4x64xf32>, %m: tensor<1x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%sa = %s : tensor<4x64xf32>, %ma = %m : tensor<1x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<4x8xf32> {
    %z = mirage_block.constant dense<0.0> : tensor<1x1xf32>
    %inf = mirage_block.constant dense<0xFF800000> : tensor<1x1xf32>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<4x8xf32>, tensor<4x1xf32>) {
      %x = mirage_block.load %sa imap(x -> phi) fmap(%i -> 1) : tensor<4x64xf32> to tensor<4x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi) fmap(%i -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
      %vv = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<64x8xf32> to tensor<16x8xf32>
      %r = mirage_block.compare gt %mm, %z : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
      %s1 = mirage_block.select %r, %x, %inf : (tensor<1x16xf32>, tensor<4x16xf32>, tensor<1x1xf32>) -> tensor<4x16xf32>
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
