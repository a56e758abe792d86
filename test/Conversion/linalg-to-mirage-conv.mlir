// Convolutions: the nearer of conv2d's two layouts, groups, padding.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// CHECK-LABEL: func @nchw(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x8x8xf32>, %[[F:.*]]: tensor<4x3x3x3xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[C:.*]] = mirage_kernel.conv2d nchw %[[X]], %[[F]] strides [2, 2] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x4x4xf32>
// CHECK: mirage_kernel.add
func.func @nchw(%x: tensor<2x3x8x8xf32>, %f: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x8xf32> to tensor<2x3x10x10xf32>
  %e = tensor.empty() : tensor<2x4x4x4xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x4x4xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%bias : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// -----

// CHECK-LABEL: func @nhwc(
// CHECK: mirage_kernel.conv2d nhwc %{{.*}} : (tensor<2x8x8x3xf16>, tensor<3x3x3x4xf16>) -> tensor<2x6x6x4xf32>
// CHECK: %[[T:.*]] = mirage_kernel.transpose %{{.*}} [1, 2, 3, 0] : (tensor<4x3x3x3xf16>) -> tensor<3x3x3x4xf16>
// CHECK: mirage_kernel.conv2d nhwc %{{.*}}, %[[T]]
func.func @nhwc(%x: tensor<2x8x8x3xf16>, %f: tensor<3x3x3x4xf16>, %g: tensor<4x3x3x3xf16>) -> (tensor<2x6x6x4xf32>, tensor<2x6x6x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2x6x6x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<2x8x8x3xf16>, tensor<3x3x3x4xf16>) outs(%zero : tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
  %1 = linalg.conv_2d_nhwc_fhwc ins(%x, %g : tensor<2x8x8x3xf16>, tensor<4x3x3x3xf16>) outs(%zero : tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
  return %0, %1 : tensor<2x6x6x4xf32>, tensor<2x6x6x4xf32>
}

// -----

// Depthwise: every channel is a group.
// CHECK-LABEL: func @depthwise(
// CHECK: mirage_kernel.reshape %{{.*}} : tensor<3x3x5xf32> to tensor<3x3x1x5xf32>
// CHECK: mirage_kernel.conv2d nhwc %{{.*}} groups(5) : (tensor<1x8x8x5xf32>, tensor<3x3x1x5xf32>) -> tensor<1x6x6x5xf32>
// CHECK: mirage_kernel.reshape %{{.*}} : tensor<5x3x3xf32> to tensor<5x1x3x3xf32>
// CHECK: mirage_kernel.conv2d nchw %{{.*}} groups(5) : (tensor<1x5x8x8xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x6x6xf32>
func.func @depthwise(%x: tensor<1x8x8x5xf32>, %f: tensor<3x3x5xf32>, %y: tensor<1x5x8x8xf32>, %g: tensor<5x3x3xf32>)
    -> (tensor<1x6x6x5xf32>, tensor<1x5x6x6xf32>) {
  %z0 = arith.constant dense<0.0> : tensor<1x6x6x5xf32>
  %z1 = arith.constant dense<0.0> : tensor<1x5x6x6xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %f : tensor<1x8x8x5xf32>, tensor<3x3x5xf32>) outs(%z0 : tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>
  %1 = linalg.depthwise_conv_2d_nchw_chw ins(%y, %g : tensor<1x5x8x8xf32>, tensor<5x3x3xf32>) outs(%z1 : tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
  return %0, %1 : tensor<1x6x6x5xf32>, tensor<1x5x6x6xf32>
}

// -----

// Groups, dilation, and a last row and column that no output reads.
// CHECK-LABEL: func @grouped(
// CHECK: %[[X:.*]] = mirage_kernel.reshape %{{.*}} : tensor<1x2x3x9x9xf32> to tensor<1x6x9x9xf32>
// CHECK: %[[F:.*]] = mirage_kernel.reshape %{{.*}} : tensor<2x4x3x3x3xf32> to tensor<8x3x3x3xf32>
// CHECK: %[[C:.*]] = mirage_kernel.conv2d nchw %[[X]], %[[F]] strides [2, 2] padding [0, 0, 0, 0] dilations [2, 2] groups(2) : (tensor<1x6x9x9xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x3x3xf32>
// CHECK: mirage_kernel.reshape %[[C]] : tensor<1x8x3x3xf32> to tensor<1x2x4x3x3xf32>
func.func @grouped(%x: tensor<1x2x3x9x9xf32>, %f: tensor<2x4x3x3x3xf32>) -> tensor<1x2x4x3x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x2x4x3x3xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}
      ins(%x, %f : tensor<1x2x3x9x9xf32>, tensor<2x4x3x3x3xf32>) outs(%zero : tensor<1x2x4x3x3xf32>) -> tensor<1x2x4x3x3xf32>
  return %0 : tensor<1x2x4x3x3xf32>
}

// -----

// One spatial dimension, written as a generic operation.
// CHECK-LABEL: func @one_dimension(
// CHECK: mirage_kernel.conv2d nhwc %{{.*}} : (tensor<2x1x8x3xf32>, tensor<1x3x3x4xf32>) -> tensor<2x1x6x4xf32>
// CHECK: mirage_kernel.reshape %{{.*}} : tensor<2x1x6x4xf32> to tensor<2x6x4xf32>
func.func @one_dimension(%x: tensor<2x8x3xf32>, %f: tensor<3x3x4xf32>) -> tensor<2x6x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x6x4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w + k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %f : tensor<2x8x3xf32>, tensor<3x3x4xf32>) outs(%zero : tensor<2x6x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}
