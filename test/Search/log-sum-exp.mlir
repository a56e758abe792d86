// Attention that also returns the logarithm of each row's sum of exponentials is
// one kernel: the maximum that was subtracted is added to the logarithm of the
// sum that is relative to it.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

// CHECK-LABEL: func.func private @attention_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.reduce max
// CHECK: mirage_block.reduce sum
// CHECK: [[LOG:%.*]] = mirage_block.log
// CHECK: mirage_block.add {{.*}}[[LOG]]
// CHECK-NOT: mirage_block.reduce max
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.attention

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @attention(%q: tensor<16x128x64xf16>, %k: tensor<16x128x64xf16>, %v: tensor<16x128x64xf16>) -> (tensor<16x128x64xf16>, tensor<16x128xf32>) {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<16x128x64xf16>, tensor<16x128x64xf16>) -> tensor<16x128x128xf32>
  %m = mirage_kernel.reduce max %s dim(2) : (tensor<16x128x128xf32>) -> tensor<16x128xf32>
  %m1 = mirage_kernel.reshape %m : tensor<16x128xf32> to tensor<16x128x1xf32>
  %d = mirage_kernel.sub %s, %m1 : (tensor<16x128x128xf32>, tensor<16x128x1xf32>) -> tensor<16x128x128xf32>
  %e = mirage_kernel.exp %d : (tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
  %t = mirage_kernel.reduce sum %e dim(2) : (tensor<16x128x128xf32>) -> tensor<16x128xf32>
  %t1 = mirage_kernel.reshape %t : tensor<16x128xf32> to tensor<16x128x1xf32>
  %p = mirage_kernel.div %e, %t1 : (tensor<16x128x128xf32>, tensor<16x128x1xf32>) -> tensor<16x128x128xf32>
  %h = mirage_kernel.cast %p : tensor<16x128x128xf32> to tensor<16x128x128xf16>
  %r = mirage_kernel.matmul %h, %v : (tensor<16x128x128xf16>, tensor<16x128x64xf16>) -> tensor<16x128x64xf16>
  %l = mirage_kernel.log %t : (tensor<16x128xf32>) -> tensor<16x128xf32>
  %lse = mirage_kernel.add %l, %m : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return %r, %lse : tensor<16x128x64xf16>, tensor<16x128xf32>
}

}
