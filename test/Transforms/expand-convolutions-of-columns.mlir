// Convolutions of few result channels that stay products of windows of each element of
// their filter.
//
// RUN: mirage-opt %s --mirage-expand-convolutions | FileCheck %s

// Steps of columns would need a kernel for each column of the filter, and what is
// small loads little.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: mirage_kernel.add
// CHECK: return
func.func @few_columns(%x: tensor<1x236x235x32xf16>, %f: tensor<9x9x32x3xf16>, %y: tensor<1x40x40x32xf16>) -> (tensor<1x114x114x3xf16>, tensor<1x32x32x3xf16>) {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x236x235x32xf16>, tensor<9x9x32x3xf16>) -> tensor<1x114x114x3xf16>
  %1 = mirage_kernel.conv2d nhwc %y, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x40x40x32xf16>, tensor<9x9x32x3xf16>) -> tensor<1x32x32x3xf16>
  return %0, %1 : tensor<1x114x114x3xf16>, tensor<1x32x32x3xf16>
}
