// Two weights in one matrix, two halves of one matrix, or a batch of two: the
// gate and what it multiplies are products with windows of the tensor, in one
// kernel.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

// CHECK-LABEL: func.func private @fused_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @sliced_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @stacked_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK-COUNT-2: mirage_block.load {{.*}} : tensor<1024x2048xf16>
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @fused(%x: tensor<64x1024xf16>, %w: tensor<1024x4096xf16>) -> tensor<64x2048xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<64x1024xf16>, tensor<1024x4096xf16>) -> tensor<64x4096xf32>
  %a = mirage_kernel.slice %y[0, 0] [64, 2048] [1, 1] : (tensor<64x4096xf32>) -> tensor<64x2048xf32>
  %b = mirage_kernel.slice %y[0, 2048] [64, 2048] [1, 1] : (tensor<64x4096xf32>) -> tensor<64x2048xf32>
  %g = mirage_kernel.silu %a : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %m = mirage_kernel.mul %g, %b : (tensor<64x2048xf32>, tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %r = mirage_kernel.cast %m : tensor<64x2048xf32> to tensor<64x2048xf16>
  return %r : tensor<64x2048xf16>
}

func.func @sliced(%x: tensor<64x1024xf16>, %w: tensor<1024x4096xf16>) -> tensor<64x2048xf16> {
  %u = mirage_kernel.slice %w[0, 0] [1024, 2048] [1, 1] : (tensor<1024x4096xf16>) -> tensor<1024x2048xf16>
  %v = mirage_kernel.slice %w[0, 2048] [1024, 2048] [1, 1] : (tensor<1024x4096xf16>) -> tensor<1024x2048xf16>
  %a = mirage_kernel.matmul %x, %u : (tensor<64x1024xf16>, tensor<1024x2048xf16>) -> tensor<64x2048xf32>
  %b = mirage_kernel.matmul %x, %v : (tensor<64x1024xf16>, tensor<1024x2048xf16>) -> tensor<64x2048xf32>
  %g = mirage_kernel.silu %a : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %m = mirage_kernel.mul %g, %b : (tensor<64x2048xf32>, tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %r = mirage_kernel.cast %m : tensor<64x2048xf32> to tensor<64x2048xf16>
  return %r : tensor<64x2048xf16>
}

func.func @stacked(%x: tensor<64x1024xf16>, %w: tensor<2x1024x2048xf16>) -> tensor<64x2048xf16> {
  %x1 = mirage_kernel.reshape %x : tensor<64x1024xf16> to tensor<1x64x1024xf16>
  %y = mirage_kernel.matmul %x1, %w : (tensor<1x64x1024xf16>, tensor<2x1024x2048xf16>) -> tensor<2x64x2048xf32>
  %a1 = mirage_kernel.slice %y[0, 0, 0] [1, 64, 2048] [1, 1, 1] : (tensor<2x64x2048xf32>) -> tensor<1x64x2048xf32>
  %b1 = mirage_kernel.slice %y[1, 0, 0] [1, 64, 2048] [1, 1, 1] : (tensor<2x64x2048xf32>) -> tensor<1x64x2048xf32>
  %a = mirage_kernel.reshape %a1 : tensor<1x64x2048xf32> to tensor<64x2048xf32>
  %b = mirage_kernel.reshape %b1 : tensor<1x64x2048xf32> to tensor<64x2048xf32>
  %g = mirage_kernel.silu %a : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %m = mirage_kernel.mul %g, %b : (tensor<64x2048xf32>, tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %r = mirage_kernel.cast %m : tensor<64x2048xf32> to tensor<64x2048xf16>
  return %r : tensor<64x2048xf16>
}

}
