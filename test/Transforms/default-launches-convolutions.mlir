// Products whose matrices share their right operand become launches whose blocks have
// rows of several of them, as convolutions do, and depthwise convolutions become
// launches that compute them directly. What follows is computed by the same blocks.

// RUN: mirage-opt %s --mirage-expand-convolutions --mirage-default-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-expand-convolutions --mirage-default-launches | sed 's/@\(\w*\)(\(.*\)) -> \(.*\) {/@\1_new(\2) -> \3 attributes {mirage.equivalent_to = @\1} {/; /^module /d; /^}/d' > %t
// RUN: cat %s %t | mirage-opt --mirage-verify-equivalence -o /dev/null 2>&1 | FileCheck %s --check-prefix=EQUAL

// EQUAL: @shared_new computes what @shared does: {{proved|equivalent}}
// EQUAL: @bias_new computes what @bias does: {{proved|equivalent}}
// EQUAL: @norm_new computes what @norm does: {{proved|equivalent}}
// EQUAL: @images_new computes what @images does: {{proved|equivalent}}
// EQUAL: @depthwise_new computes what @depthwise does: {{proved|equivalent}}
// EQUAL: @steps_new computes what @steps does: {{proved|equivalent}}

// A block has rows of several matrices, which are those of one product. An iteration
// contracts what one window has.
// CHECK-LABEL: func.func @shared
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = {{[0-9]+}}, z = {{[0-9]+}}) ([[A:%[a-z0-9]+]] = %concat : tensor<1x8x16x128xf16>, %{{.*}} = %{{.*}} : tensor<1x1x128x16xf16>)
// CHECK: mirage_block.for %{{.*}} = 0 to 4
// CHECK: [[X:%.*]] = mirage_block.load [[A]] {{.*}} to tensor<1x[[H:[0-9]+]]x[[W:[0-9]+]]x32xf16>
// CHECK: [[R:%.*]] = mirage_block.reshape [[X]] : tensor<1x[[H]]x[[W]]x32xf16> to tensor<64x32xf16>
// CHECK: mirage_block.matmul [[R]]
// CHECK: mirage_block.reshape {{.*}} to tensor<1x[[H]]x[[W]]x16xf32>
func.func @shared(%x: tensor<1x9x17x32xf16>, %f: tensor<2x2x32x16xf16>) -> tensor<1x8x16x16xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x9x17x32xf16>, tensor<2x2x32x16xf16>) -> tensor<1x8x16x16xf32>
  return %0 : tensor<1x8x16x16xf32>
}

// CHECK-LABEL: func.func @bias
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul
// CHECK: mirage_block.add
// CHECK: mirage_block.store
// CHECK-NOT: mirage_kernel.add
func.func @bias(%x: tensor<1x6x6x16xf16>, %f: tensor<3x3x16x8xf16>, %b: tensor<1x1x1x8xf16>) -> tensor<1x6x6x8xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x6x6x16xf16>, tensor<3x3x16x8xf16>) -> tensor<1x6x6x8xf16>
  %1 = mirage_kernel.add %0, %b : (tensor<1x6x6x8xf16>, tensor<1x1x1x8xf16>) -> tensor<1x6x6x8xf16>
  return %1 : tensor<1x6x6x8xf16>
}

// Factors of a norm are computed by the same blocks, though two operators take one of
// them: the group of these joins as a whole.
// CHECK-LABEL: func.func @norm
// CHECK-COUNT-1: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @norm(%x: tensor<1x8x8x16xf16>, %f: tensor<1x1x16x32xf16>, %v: tensor<32xf16>, %m: tensor<32xf16>) -> tensor<1x8x8x32xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x8x8x16xf16>, tensor<1x1x16x32xf16>) -> tensor<1x8x8x32xf32>
  %1 = mirage_kernel.cast %v : tensor<32xf16> to tensor<32xf32>
  %2 = mirage_kernel.square %1 : (tensor<32xf32>) -> tensor<32xf32>
  %3 = mirage_kernel.cast %m : tensor<32xf16> to tensor<32xf32>
  %4 = mirage_kernel.mul %3, %2 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %5 = mirage_kernel.reshape %2 : tensor<32xf32> to tensor<1x1x1x32xf32>
  %6 = mirage_kernel.mul %0, %5 : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  %7 = mirage_kernel.reshape %4 : tensor<32xf32> to tensor<1x1x1x32xf32>
  %8 = mirage_kernel.sub %6, %7 : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  %9 = mirage_kernel.cast %8 : tensor<1x8x8x32xf32> to tensor<1x8x8x32xf16>
  return %9 : tensor<1x8x8x32xf16>
}

// The grid has dimensions for images, rows and channels; a block has all columns.
// CHECK-LABEL: func.func @images
// CHECK: mirage_kernel.launch grid(x = 2, y = {{[0-9]+}}, z = {{[0-9]+}})
func.func @images(%x: tensor<2x12x12x16xf16>, %f: tensor<1x1x16x40xf16>) -> tensor<2x12x12x40xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<2x12x12x16xf16>, tensor<1x1x16x40xf16>) -> tensor<2x12x12x40xf16>
  return %0 : tensor<2x12x12x40xf16>
}

// Each block has a window of rows, which overlaps its neighbours', and takes from it
// what each element of the filter meets.
// CHECK-LABEL: func.func @depthwise
// CHECK: mirage_kernel.concat dim(1)
// CHECK: mirage_kernel.launch
// CHECK: [[X:%.*]] = mirage_block.load %{{.*}} to tensor<1x{{[0-9]+}}x12x8xf16>
// CHECK: [[F:%.*]] = mirage_block.load %{{.*}} to tensor<1x9x1x8xf16>
// CHECK-COUNT-9: mirage_block.slice [[X]]
// CHECK: mirage_block.relu
func.func @depthwise(%x: tensor<1x9x10x16xf16>, %f: tensor<3x3x1x16xf16>) -> tensor<1x9x10x16xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(16) : (tensor<1x9x10x16xf16>, tensor<3x3x1x16xf16>) -> tensor<1x9x10x16xf16>
  %1 = mirage_kernel.relu %0 : (tensor<1x9x10x16xf16>) -> tensor<1x9x10x16xf16>
  return %1 : tensor<1x9x10x16xf16>
}

// Steps are a dimension of their own.
// CHECK-LABEL: func.func @steps
// CHECK: mirage_block.reshape {{.*}} to tensor<1x{{[0-9]+}}x2x6x2x4xf32>
func.func @steps(%x: tensor<1x9x10x8xf32>, %f: tensor<3x3x1x8xf32>) -> tensor<1x5x5x8xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [2, 2] padding [1, 1, 1, 1] dilations [1, 1] groups(8) : (tensor<1x9x10x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x5x5x8xf32>
  return %0 : tensor<1x5x5x8xf32>
}
