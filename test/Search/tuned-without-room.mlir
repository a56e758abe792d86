// Rows of heads and queries are joined for a schedule, by which iterations have
// 128 keys. Without it a launch has no room for them, so that the tiling is
// written as it was found, and the lowering joins its rows again.

// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-lower-to-launches --mirage-schedule-launches | FileCheck %s --check-prefix=DEFERRED

module attributes {mirage.target = #mirage.target<sm_90a>} {
// CHECK-LABEL: func.func private @grouped_heads_part
// CHECK: verdict = "proved"
// DEFERRED: deferred_products = true
func.func @grouped_heads(%arg0: tensor<32x1024x128xf16>, %arg1: tensor<8x1024x128xf16>, %arg2: tensor<8x1024x128xf16>) -> tensor<32x1024x128xf16> {
  %0 = mirage_kernel.reshape %arg1 : tensor<8x1024x128xf16> to tensor<8x1x1024x128xf16>
  %1 = mirage_kernel.broadcast %0 : tensor<8x1x1024x128xf16> to tensor<8x4x1024x128xf16>
  %2 = mirage_kernel.reshape %1 : tensor<8x4x1024x128xf16> to tensor<32x1024x128xf16>
  %3 = mirage_kernel.reshape %arg2 : tensor<8x1024x128xf16> to tensor<8x1x1024x128xf16>
  %4 = mirage_kernel.broadcast %3 : tensor<8x1x1024x128xf16> to tensor<8x4x1024x128xf16>
  %5 = mirage_kernel.reshape %4 : tensor<8x4x1024x128xf16> to tensor<32x1024x128xf16>
  %zero_of_6 = arith.constant 0.0 : f32
  %hidden_of_6 = arith.constant 0xFF800000 : f32
  %empty_of_6 = tensor.empty() : tensor<1x1024x1024xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty_of_6 : tensor<1x1024x1024xf32>) {
  ^bb0(%_: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %is_seen = arith.cmpi ule, %j, %i : index
    %element = arith.select %is_seen, %zero_of_6, %hidden_of_6 : f32
    linalg.yield %element : f32
  } -> tensor<1x1024x1024xf32>
  %7 = mirage_kernel.matmul %arg0, %2 transpose_rhs : (tensor<32x1024x128xf16>, tensor<32x1024x128xf16>) -> tensor<32x1024x1024xf32>
  %8 = mirage_kernel.scale %7 by 0.08838834764831845 : (tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %9 = mirage_kernel.add %8, %6 : (tensor<32x1024x1024xf32>, tensor<1x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %10 = mirage_kernel.softmax %9 dim(2) : (tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %11 = mirage_kernel.cast %10 : tensor<32x1024x1024xf32> to tensor<32x1024x1024xf16>
  %12 = mirage_kernel.matmul %11, %5 : (tensor<32x1024x1024xf16>, tensor<32x1024x128xf16>) -> tensor<32x1024x128xf32>
  %13 = mirage_kernel.cast %12 : tensor<32x1024x128xf32> to tensor<32x1024x128xf16>
  return %13 : tensor<32x1024x128xf16>
}
}
