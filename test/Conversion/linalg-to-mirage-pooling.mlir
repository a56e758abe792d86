// Pooling: maxima, minima and sums of the slices that windows have in common.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// Few elements are combined at once. What lies beyond the image is no number
// that a maximum takes.
// CHECK-LABEL: func @small(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x7x8xf16>
// CHECK: %[[P:.*]] = mirage_kernel.pad %[[X]] low [0, 0, 1, 0] high [0, 0, 0, 0] value(0xFFF0000000000000) : (tensor<1x4x7x8xf16>) -> tensor<1x4x8x8xf16>
// CHECK: %[[A:.*]] = mirage_kernel.slice %[[P]][0, 0, 0, 0] [1, 4, 4, 4] [1, 1, 2, 2]
// CHECK: %[[B:.*]] = mirage_kernel.slice %[[P]][0, 0, 0, 1] [1, 4, 4, 4] [1, 1, 2, 2]
// CHECK: %[[AB:.*]] = mirage_kernel.max %[[A]], %[[B]]
// CHECK: %[[C:.*]] = mirage_kernel.slice %[[P]][0, 0, 1, 0] [1, 4, 4, 4] [1, 1, 2, 2]
// CHECK: %[[ABC:.*]] = mirage_kernel.max %[[AB]], %[[C]]
// CHECK: %[[D:.*]] = mirage_kernel.slice %[[P]][0, 0, 1, 1] [1, 4, 4, 4] [1, 1, 2, 2]
// CHECK: %[[ALL:.*]] = mirage_kernel.max %[[ABC]], %[[D]]
// CHECK: return %[[ALL]]
func.func @small(%x: tensor<1x4x7x8xf16>) -> tensor<1x4x4x4xf16> {
  %lowest = arith.constant 0xFC00 : f16
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %lowest : f16
  } : tensor<1x4x7x8xf16> to tensor<1x4x8x8xf16>
  %e = tensor.empty() : tensor<1x4x4x4xf16>
  %init = linalg.fill ins(%lowest : f16) outs(%e : tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16>
  %w = tensor.empty() : tensor<2x2xf16>
  %0 = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>}
      ins(%p, %w : tensor<1x4x8x8xf16>, tensor<2x2xf16>) outs(%init : tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16>
  return %0 : tensor<1x4x4x4xf16>
}

// -----

// Rows of larger windows are combined before their columns: 5 + 3 slices.
// CHECK-LABEL: func @rows_first(
// CHECK-SAME: %[[X:.*]]: tensor<2x12x10x8xf32>
// CHECK-COUNT-5: mirage_kernel.slice %[[X]]{{.*}} [2, 8, 10, 8] [1, 1, 1, 1]
// CHECK: %[[ROWS:.*]] = mirage_kernel.min
// CHECK-COUNT-3: mirage_kernel.slice %[[ROWS]]{{.*}} [2, 8, 6, 8] [1, 1, 1, 1]
// CHECK: %[[ALL:.*]] = mirage_kernel.min
// CHECK-NOT: mirage_kernel.slice
// CHECK: return %[[ALL]]
func.func @rows_first(%x: tensor<2x12x10x8xf32>) -> tensor<2x8x6x8xf32> {
  %highest = arith.constant dense<0x7F800000> : tensor<2x8x6x8xf32>
  %w = tensor.empty() : tensor<5x3xf32>
  %0 = linalg.pooling_nhwc_min {dilations = dense<[1, 2]> : vector<2xi64>}
      ins(%x, %w : tensor<2x12x10x8xf32>, tensor<5x3xf32>) outs(%highest : tensor<2x8x6x8xf32>) -> tensor<2x8x6x8xf32>
  return %0 : tensor<2x8x6x8xf32>
}

// -----

// Sums of f16 are rounded once, and an average divides them. What the result
// starts as takes part.
// CHECK-LABEL: func @sums(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x6x6xf16>, %[[I:.*]]: tensor<1x2x3x3xf16>
// CHECK: %[[SLICE:.*]] = mirage_kernel.slice %[[X]]
// CHECK: mirage_kernel.cast %[[SLICE]] : tensor<1x2x3x3xf16> to tensor<1x2x3x3xf32>
// CHECK-COUNT-3: mirage_kernel.add {{.*}}f32
// CHECK: %[[SUM:.*]] = mirage_kernel.cast {{.*}} to tensor<1x2x3x3xf16>
// CHECK: mirage_kernel.add %[[SUM]], %[[I]]
func.func @sums(%x: tensor<1x2x6x6xf16>, %init: tensor<1x2x3x3xf16>) -> tensor<1x2x3x3xf16> {
  %w = tensor.empty() : tensor<2x2xf16>
  %0 = linalg.pooling_nchw_sum {strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x2x6x6xf16>, tensor<2x2xf16>) outs(%init : tensor<1x2x3x3xf16>) -> tensor<1x2x3x3xf16>
  return %0 : tensor<1x2x3x3xf16>
}

// -----

// The generic form, of one dimension.
// CHECK-LABEL: func @generic(
// CHECK-COUNT-3: mirage_kernel.slice
// CHECK-NOT: linalg
#input = affine_map<(n, i, k) -> (n, i * 2 + k)>
#window = affine_map<(n, i, k) -> (k)>
#result = affine_map<(n, i, k) -> (n, i)>
func.func @generic(%x: tensor<4x9xf32>) -> tensor<4x4xf32> {
  %lowest = arith.constant dense<0xFF800000> : tensor<4x4xf32>
  %w = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#input, #window, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x9xf32>, tensor<3xf32>) outs(%lowest : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.maximumf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
