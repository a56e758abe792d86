// A product of 1,024 rows behind a transpose: in 64 chunks of 64 columns it is
// one launch, but 64 columns are none of 32 heads of 128. The launch before it
// stores its result in the order that the product reads.

// RUN: mirage-opt %s --mirage-optimize='chip=sm_90a threads=1' -o %t
// RUN: FileCheck %s < %t
// RUN: mirage-opt %t --mirage-lower-to-launches --mirage-print-cost -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=COST

// The lowering stores what the attention's launch computes in that order.

// CHECK-LABEL: func.func private @attention_before_product_part
// CHECK-SAME: pieces = 2
// CHECK-SAME: verdict = "proved"
// CHECK: [[ATTENTION:%.*]] = mirage_kernel.launch grid(x = 32, y = 8)
// CHECK: [[HEADS:%.*]] = mirage_kernel.transpose [[ATTENTION]] [1, 0, 2]
// CHECK: [[ROWS:%.*]] = mirage_kernel.reshape [[HEADS]]
// CHECK: mirage_kernel.launch grid(x = 4, y = 32) ({{.*}} = [[ROWS]]
// CHECK-NOT: mirage_kernel.launch

// COST: @attention_before_product
// COST-COUNT-2: launch:
// COST-NEXT: total

func.func @attention_before_product(
    %q: tensor<32x1024x128xf16>, %k: tensor<32x1024x128xf16>, %v: tensor<32x1024x128xf16>,
    %w: tensor<4096x4096xf16>) -> tensor<1024x4096xf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<32x1024x128xf16>, tensor<32x1024x128xf16>) -> tensor<32x1024x1024xf32>
  %z = mirage_kernel.scale %s by 8.838834e-02 : (tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %p = mirage_kernel.softmax %z dim(2) : (tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %h = mirage_kernel.cast %p : tensor<32x1024x1024xf32> to tensor<32x1024x1024xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<32x1024x1024xf16>, tensor<32x1024x128xf16>) -> tensor<32x1024x128xf32>
  %d = mirage_kernel.cast %o : tensor<32x1024x128xf32> to tensor<32x1024x128xf16>
  %t = mirage_kernel.transpose %d [1, 0, 2] : (tensor<32x1024x128xf16>) -> tensor<1024x32x128xf16>
  %r = mirage_kernel.reshape %t : tensor<1024x32x128xf16> to tensor<1024x4096xf16>
  %y = mirage_kernel.matmul %r, %w transpose_rhs : (tensor<1024x4096xf16>, tensor<4096x4096xf16>) -> tensor<1024x4096xf32>
  %c = mirage_kernel.cast %y : tensor<1024x4096xf32> to tensor<1024x4096xf16>
  return %c : tensor<1024x4096xf16>
}
