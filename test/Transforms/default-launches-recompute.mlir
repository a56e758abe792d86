// What a launch would store for another one is computed again where that takes fewer bytes,
// and small sums are reduced by each block that needs them.

// RUN: mirage-opt %s --mirage-default-launches | FileCheck %s
// RUN: mirage-run %s --entry=small --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=behind_product --device=threads | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The norm of an image: partial means of rows, partial means of the squares, the result. No
// launch stores f32 numbers of all pixels, and a block has whole accesses of channels.
// CHECK-LABEL: func.func @norm
// CHECK: %[[MEANS:.*]] = mirage_kernel.launch grid(x = 56, y = 8) (%{{.*}} = %arg0 : tensor<1x56x56x128xf16>) -> tensor<1x56x1x128xf32>
// CHECK: mirage_block.load {{.*}} to tensor<1x1x56x16xf16>
// CHECK: mirage_block.cast
// CHECK: mirage_block.reduce mean
// CHECK: %[[SQUARES:.*]] = mirage_kernel.launch grid(x = 56, y = 8) ({{.*}} = %[[MEANS]] : tensor<1x56x1x128xf32>, %{{.*}} = %arg0 : tensor<1x56x56x128xf16>) -> tensor<1x56x1x128xf32>
// CHECK: mirage_block.reduce mean
// CHECK: mirage_block.cast
// CHECK: mirage_block.sub
// CHECK: mirage_block.square
// CHECK: mirage_block.reduce mean
// CHECK: mirage_kernel.launch grid(x = 56, y = 8) ({{.*}}%arg0 : tensor<1x56x56x128xf16>{{.*}}) -> tensor<1x56x56x128xf16>
// CHECK: mirage_block.rsqrt
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @norm(%x: tensor<1x56x56x128xf16>) -> tensor<1x56x56x128xf16> {
  %wide = mirage_kernel.cast %x : tensor<1x56x56x128xf16> to tensor<1x56x56x128xf32>
  %rows = mirage_kernel.reduce mean %wide dim(2) keep : (tensor<1x56x56x128xf32>) -> tensor<1x56x1x128xf32>
  %mean = mirage_kernel.reduce mean %rows dim(1) keep : (tensor<1x56x1x128xf32>) -> tensor<1x1x1x128xf32>
  %centered = mirage_kernel.sub %wide, %mean : (tensor<1x56x56x128xf32>, tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
  %square = mirage_kernel.square %centered : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %squares = mirage_kernel.reduce mean %square dim(2) keep : (tensor<1x56x56x128xf32>) -> tensor<1x56x1x128xf32>
  %variance = mirage_kernel.reduce mean %squares dim(1) keep : (tensor<1x56x1x128xf32>) -> tensor<1x1x1x128xf32>
  %epsilon = mirage_kernel.constant dense<1.000000e-05> : tensor<1x1x1x1xf32>
  %sum = mirage_kernel.add %variance, %epsilon : (tensor<1x1x1x128xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x128xf32>
  %factor = mirage_kernel.rsqrt %sum : (tensor<1x1x1x128xf32>) -> tensor<1x1x1x128xf32>
  %normed = mirage_kernel.mul %centered, %factor : (tensor<1x56x56x128xf32>, tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
  %result = mirage_kernel.cast %normed : tensor<1x56x56x128xf32> to tensor<1x56x56x128xf16>
  return %result : tensor<1x56x56x128xf16>
}

// The same, small enough to be run thread by thread.
func.func @small(%x: tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16> {
  %wide = mirage_kernel.cast %x : tensor<1x32x32x32xf16> to tensor<1x32x32x32xf32>
  %rows = mirage_kernel.reduce mean %wide dim(2) keep : (tensor<1x32x32x32xf32>) -> tensor<1x32x1x32xf32>
  %mean = mirage_kernel.reduce mean %rows dim(1) keep : (tensor<1x32x1x32xf32>) -> tensor<1x1x1x32xf32>
  %centered = mirage_kernel.sub %wide, %mean : (tensor<1x32x32x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x32x32x32xf32>
  %square = mirage_kernel.square %centered : (tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %squares = mirage_kernel.reduce mean %square dim(2) keep : (tensor<1x32x32x32xf32>) -> tensor<1x32x1x32xf32>
  %variance = mirage_kernel.reduce mean %squares dim(1) keep : (tensor<1x32x1x32xf32>) -> tensor<1x1x1x32xf32>
  %epsilon = mirage_kernel.constant dense<1.000000e-05> : tensor<1x1x1x1xf32>
  %sum = mirage_kernel.add %variance, %epsilon : (tensor<1x1x1x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x32xf32>
  %factor = mirage_kernel.rsqrt %sum : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %normed = mirage_kernel.mul %centered, %factor : (tensor<1x32x32x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x32x32x32xf32>
  %result = mirage_kernel.cast %normed : tensor<1x32x32x32xf32> to tensor<1x32x32x32xf16>
  return %result : tensor<1x32x32x32xf16>
}

// A product stores f16, which the reduction converts. What is returned, too, is stored.
// CHECK-LABEL: func.func @behind_product
// CHECK: mirage_kernel.launch {{.*}} -> (tensor<128x128xf16>, tensor<128x128xf32>) {
// CHECK: mirage_block.exp
// CHECK: mirage_kernel.launch {{.*}} : tensor<128x128xf16>) -> tensor<128x1xf32> {
// CHECK-NOT: mirage_block.exp
// CHECK: return
func.func @behind_product(%x: tensor<128x64xf16>, %w: tensor<64x128xf16>) -> (tensor<128x128xf32>, tensor<128x1xf32>) {
  %0 = mirage_kernel.matmul %x, %w : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
  %1 = mirage_kernel.cast %0 : tensor<128x128xf16> to tensor<128x128xf32>
  %2 = mirage_kernel.exp %1 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = mirage_kernel.square %1 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %4 = mirage_kernel.reduce sum %3 dim(1) keep : (tensor<128x128xf32>) -> tensor<128x1xf32>
  return %2, %4 : tensor<128x128xf32>, tensor<128x1xf32>
}

}
