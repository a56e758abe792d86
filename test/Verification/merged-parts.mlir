// Attention in two parts of the keys, whose maxima, sums and products are merged
// by hand: sums over slices become those of the whole.

// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=halves' -o /dev/null | FileCheck %s --check-prefix=PROVED
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=unequal' -o /dev/null | FileCheck %s --check-prefix=PROVED
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=overlapping' -o /dev/null | FileCheck %s --check-prefix=REFUTED
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=without_rescaling' -o /dev/null | FileCheck %s --check-prefix=REFUTED

// PROVED: computes what @attention does: proved
// REFUTED: does not compute what @attention does: refuted

func.func @attention(%q: tensor<8x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %t = mirage_kernel.transpose %k [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %s = mirage_kernel.matmul %q, %t : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
  %p = mirage_kernel.softmax %s dim(1) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %o = mirage_kernel.matmul %p, %v : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  return %o : tensor<8x16xf32>
}
func.func @halves(%q: tensor<8x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %k0 = mirage_kernel.slice %k[0, 0] [32, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %v0 = mirage_kernel.slice %v[0, 0] [32, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %t0 = mirage_kernel.transpose %k0 [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s0 = mirage_kernel.matmul %q, %t0 : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %m0 = mirage_kernel.reduce max %s0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d0 = mirage_kernel.sub %s0, %m0 : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e0 = mirage_kernel.exp %d0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l0 = mirage_kernel.reduce sum %e0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %o0 = mirage_kernel.matmul %e0, %v0 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %k1 = mirage_kernel.slice %k[32, 0] [32, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %v1 = mirage_kernel.slice %v[32, 0] [32, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %t1 = mirage_kernel.transpose %k1 [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s1 = mirage_kernel.matmul %q, %t1 : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %m1 = mirage_kernel.reduce max %s1 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d1 = mirage_kernel.sub %s1, %m1 : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e1 = mirage_kernel.exp %d1 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l1 = mirage_kernel.reduce sum %e1 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %o1 = mirage_kernel.matmul %e1, %v1 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %m = mirage_kernel.max %m0, %m1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %c0 = mirage_kernel.sub %m0, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f0 = mirage_kernel.exp %c0 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls0 = mirage_kernel.mul %l0, %f0 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os0 = mirage_kernel.mul %o0, %f0 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %c1 = mirage_kernel.sub %m1, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f1 = mirage_kernel.exp %c1 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls1 = mirage_kernel.mul %l1, %f1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os1 = mirage_kernel.mul %o1, %f1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %l = mirage_kernel.add %ls0, %ls1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %o = mirage_kernel.add %os0, %os1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.div %o, %l : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @unequal(%q: tensor<8x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %k0 = mirage_kernel.slice %k[0, 0] [20, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<20x32xf32>
  %v0 = mirage_kernel.slice %v[0, 0] [20, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<20x16xf32>
  %t0 = mirage_kernel.transpose %k0 [1, 0] : (tensor<20x32xf32>) -> tensor<32x20xf32>
  %s0 = mirage_kernel.matmul %q, %t0 : (tensor<8x32xf32>, tensor<32x20xf32>) -> tensor<8x20xf32>
  %m0 = mirage_kernel.reduce max %s0 dim(1) keep : (tensor<8x20xf32>) -> tensor<8x1xf32>
  %d0 = mirage_kernel.sub %s0, %m0 : (tensor<8x20xf32>, tensor<8x1xf32>) -> tensor<8x20xf32>
  %e0 = mirage_kernel.exp %d0 : (tensor<8x20xf32>) -> tensor<8x20xf32>
  %l0 = mirage_kernel.reduce sum %e0 dim(1) keep : (tensor<8x20xf32>) -> tensor<8x1xf32>
  %o0 = mirage_kernel.matmul %e0, %v0 : (tensor<8x20xf32>, tensor<20x16xf32>) -> tensor<8x16xf32>
  %k1 = mirage_kernel.slice %k[20, 0] [44, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<44x32xf32>
  %v1 = mirage_kernel.slice %v[20, 0] [44, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<44x16xf32>
  %t1 = mirage_kernel.transpose %k1 [1, 0] : (tensor<44x32xf32>) -> tensor<32x44xf32>
  %s1 = mirage_kernel.matmul %q, %t1 : (tensor<8x32xf32>, tensor<32x44xf32>) -> tensor<8x44xf32>
  %m1 = mirage_kernel.reduce max %s1 dim(1) keep : (tensor<8x44xf32>) -> tensor<8x1xf32>
  %d1 = mirage_kernel.sub %s1, %m1 : (tensor<8x44xf32>, tensor<8x1xf32>) -> tensor<8x44xf32>
  %e1 = mirage_kernel.exp %d1 : (tensor<8x44xf32>) -> tensor<8x44xf32>
  %l1 = mirage_kernel.reduce sum %e1 dim(1) keep : (tensor<8x44xf32>) -> tensor<8x1xf32>
  %o1 = mirage_kernel.matmul %e1, %v1 : (tensor<8x44xf32>, tensor<44x16xf32>) -> tensor<8x16xf32>
  %m = mirage_kernel.max %m0, %m1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %c0 = mirage_kernel.sub %m0, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f0 = mirage_kernel.exp %c0 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls0 = mirage_kernel.mul %l0, %f0 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os0 = mirage_kernel.mul %o0, %f0 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %c1 = mirage_kernel.sub %m1, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f1 = mirage_kernel.exp %c1 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls1 = mirage_kernel.mul %l1, %f1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os1 = mirage_kernel.mul %o1, %f1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %l = mirage_kernel.add %ls0, %ls1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %o = mirage_kernel.add %os0, %os1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.div %o, %l : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @overlapping(%q: tensor<8x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %k0 = mirage_kernel.slice %k[0, 0] [32, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %v0 = mirage_kernel.slice %v[0, 0] [32, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %t0 = mirage_kernel.transpose %k0 [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s0 = mirage_kernel.matmul %q, %t0 : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %m0 = mirage_kernel.reduce max %s0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d0 = mirage_kernel.sub %s0, %m0 : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e0 = mirage_kernel.exp %d0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l0 = mirage_kernel.reduce sum %e0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %o0 = mirage_kernel.matmul %e0, %v0 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %k1 = mirage_kernel.slice %k[31, 0] [33, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<33x32xf32>
  %v1 = mirage_kernel.slice %v[31, 0] [33, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<33x16xf32>
  %t1 = mirage_kernel.transpose %k1 [1, 0] : (tensor<33x32xf32>) -> tensor<32x33xf32>
  %s1 = mirage_kernel.matmul %q, %t1 : (tensor<8x32xf32>, tensor<32x33xf32>) -> tensor<8x33xf32>
  %m1 = mirage_kernel.reduce max %s1 dim(1) keep : (tensor<8x33xf32>) -> tensor<8x1xf32>
  %d1 = mirage_kernel.sub %s1, %m1 : (tensor<8x33xf32>, tensor<8x1xf32>) -> tensor<8x33xf32>
  %e1 = mirage_kernel.exp %d1 : (tensor<8x33xf32>) -> tensor<8x33xf32>
  %l1 = mirage_kernel.reduce sum %e1 dim(1) keep : (tensor<8x33xf32>) -> tensor<8x1xf32>
  %o1 = mirage_kernel.matmul %e1, %v1 : (tensor<8x33xf32>, tensor<33x16xf32>) -> tensor<8x16xf32>
  %m = mirage_kernel.max %m0, %m1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %c0 = mirage_kernel.sub %m0, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f0 = mirage_kernel.exp %c0 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls0 = mirage_kernel.mul %l0, %f0 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os0 = mirage_kernel.mul %o0, %f0 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %c1 = mirage_kernel.sub %m1, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f1 = mirage_kernel.exp %c1 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls1 = mirage_kernel.mul %l1, %f1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os1 = mirage_kernel.mul %o1, %f1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %l = mirage_kernel.add %ls0, %ls1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %o = mirage_kernel.add %os0, %os1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.div %o, %l : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func @without_rescaling(%q: tensor<8x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %k0 = mirage_kernel.slice %k[0, 0] [32, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %v0 = mirage_kernel.slice %v[0, 0] [32, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %t0 = mirage_kernel.transpose %k0 [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s0 = mirage_kernel.matmul %q, %t0 : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %m0 = mirage_kernel.reduce max %s0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d0 = mirage_kernel.sub %s0, %m0 : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e0 = mirage_kernel.exp %d0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l0 = mirage_kernel.reduce sum %e0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %o0 = mirage_kernel.matmul %e0, %v0 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %k1 = mirage_kernel.slice %k[32, 0] [32, 32] [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %v1 = mirage_kernel.slice %v[32, 0] [32, 16] [1, 1] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %t1 = mirage_kernel.transpose %k1 [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s1 = mirage_kernel.matmul %q, %t1 : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %m1 = mirage_kernel.reduce max %s1 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d1 = mirage_kernel.sub %s1, %m1 : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e1 = mirage_kernel.exp %d1 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l1 = mirage_kernel.reduce sum %e1 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %o1 = mirage_kernel.matmul %e1, %v1 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %m = mirage_kernel.max %m0, %m1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %c0 = mirage_kernel.sub %m0, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f0 = mirage_kernel.exp %c0 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls0 = mirage_kernel.mul %l0, %f0 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %os0 = mirage_kernel.mul %o0, %f0 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %c1 = mirage_kernel.sub %m1, %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %f1 = mirage_kernel.exp %c1 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %ls1 = mirage_kernel.mul %l1, %f1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %l = mirage_kernel.add %ls0, %ls1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %o = mirage_kernel.add %os0, %o1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = mirage_kernel.div %o, %l : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
