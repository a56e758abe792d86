// Convolutions as products of windows that launches read in the input: kernels of
// several sizes, strides, padding, dilation, images that tiles do not divide, and what
// follows in the same launch.

// With a GPU, scripts/test-device.sh runs each function and compares it with the
// interpreter.

// RUN: mirage-opt %s --mirage-lower-to-thread -o /dev/null --remark-policy=all --remarks-filter=mirage-schedule 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=same --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=bias_relu --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=strided --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=uneven --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=dilated --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=first_layer --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=pointwise --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=f32 --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=residual --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=patches --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=engine --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=depthwise --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=depthwise_steps --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=depthwise_f32 --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=grouped --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0
// CHECK-NOT: .extern .func
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

// Windows have no kernels: neither slices nor concatenations.
// REMARK-NOT: no launch is made of 'mirage_kernel.slice'
// REMARK-NOT: no launch is made of 'mirage_kernel.concat'
// REMARK: no launch is made of 'mirage_kernel.conv2d'
// REMARK-NOT: no launch is made of 'mirage_kernel.conv2d'

// CHECK: .visible .entry same_0_launch(
// CHECK: wgmma.mma_async
// CHECK: .visible .entry engine_0_launch(
// CHECK: cp.async.bulk.tensor.4d
// CHECK: .visible .entry depthwise_0_launch(

// A filter of 3 by 3 in the order of dimensions that launches read.
func.func @same(%x: tensor<1x16x24x64xf16>, %w: tensor<3x3x64x32xf16>)
    -> tensor<1x16x24x32xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x16x24x64xf16>, tensor<3x3x64x32xf16>) -> tensor<1x16x24x32xf16>
  return %0 : tensor<1x16x24x32xf16>
}

// A bias, a rectifier, and channels first.
func.func @bias_relu(%x: tensor<1x32x14x14xf16>, %w: tensor<32x32x3x3xf16>, %b: tensor<32xf16>)
    -> tensor<1x32x14x14xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x32x14x14xf16>, tensor<32x32x3x3xf16>) -> tensor<1x32x14x14xf32>
  %1 = mirage_kernel.reshape %b : tensor<32xf16> to tensor<1x32x1x1xf16>
  %2 = mirage_kernel.cast %1 : tensor<1x32x1x1xf16> to tensor<1x32x1x1xf32>
  %3 = mirage_kernel.add %0, %2 : (tensor<1x32x14x14xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x14x14xf32>
  %4 = mirage_kernel.relu %3 : (tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  %5 = mirage_kernel.cast %4 : tensor<1x32x14x14xf32> to tensor<1x32x14x14xf16>
  return %5 : tensor<1x32x14x14xf16>
}

// Steps of two, which divide the input, and one window.
func.func @strided(%x: tensor<2x18x26x32xf16>, %w: tensor<3x3x32x64xf16>, %v: tensor<1x1x32x64xf16>)
    -> (tensor<2x9x13x64xf16>, tensor<2x9x13x64xf16>) {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [2, 2] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<2x18x26x32xf16>, tensor<3x3x32x64xf16>) -> tensor<2x9x13x64xf16>
  %1 = mirage_kernel.conv2d nhwc %x, %v strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] groups(1)
      : (tensor<2x18x26x32xf16>, tensor<1x1x32x64xf16>) -> tensor<2x9x13x64xf16>
  return %0, %1 : tensor<2x9x13x64xf16>, tensor<2x9x13x64xf16>
}

// Steps that do not divide the input, uneven padding, and different sizes.
func.func @uneven(%x: tensor<1x15x17x16xf16>, %w: tensor<5x2x16x24xf16>)
    -> tensor<1x9x6x24xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [2, 3] padding [4, 2, 0, 1] dilations [1, 1] groups(1)
      : (tensor<1x15x17x16xf16>, tensor<5x2x16x24xf16>) -> tensor<1x9x6x24xf16>
  return %0 : tensor<1x9x6x24xf16>
}

func.func @dilated(%x: tensor<1x20x21x32xbf16>, %w: tensor<3x3x32x40xbf16>)
    -> tensor<1x20x17x40xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [2, 2, 1, 1] dilations [2, 3] groups(1)
      : (tensor<1x20x21x32xbf16>, tensor<3x3x32x40xbf16>) -> tensor<1x20x17x40xf32>
  return %0 : tensor<1x20x17x40xf32>
}

// Three channels, which become sixteen.
func.func @first_layer(%x: tensor<1x3x30x30xf16>, %w: tensor<32x3x7x7xf16>)
    -> tensor<1x32x15x15xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [2, 2] padding [3, 3, 3, 3] dilations [1, 1] groups(1)
      : (tensor<1x3x30x30xf16>, tensor<32x3x7x7xf16>) -> tensor<1x32x15x15xf16>
  return %0 : tensor<1x32x15x15xf16>
}

func.func @pointwise(%x: tensor<1x13x19x48xf16>, %w: tensor<1x1x48x96xf16>)
    -> tensor<1x13x19x96xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1)
      : (tensor<1x13x19x48xf16>, tensor<1x1x48x96xf16>) -> tensor<1x13x19x96xf16>
  return %0 : tensor<1x13x19x96xf16>
}

func.func @f32(%x: tensor<1x10x12x32xf32>, %w: tensor<3x3x32x32xf32>)
    -> tensor<1x10x12x32xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x10x12x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x10x12x32xf32>
  return %0 : tensor<1x10x12x32xf32>
}

// Two convolutions and a residual, between which channels stay last.
func.func @residual(%x: tensor<1x64x12x20xf16>, %w: tensor<64x64x3x3xf16>, %v: tensor<64x64x3x3xf16>)
    -> tensor<1x64x12x20xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x64x12x20xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x12x20xf16>
  %1 = mirage_kernel.relu %0 : (tensor<1x64x12x20xf16>) -> tensor<1x64x12x20xf16>
  %2 = mirage_kernel.conv2d nchw %1, %v strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x64x12x20xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x12x20xf16>
  %3 = mirage_kernel.add %2, %x : (tensor<1x64x12x20xf16>, tensor<1x64x12x20xf16>) -> tensor<1x64x12x20xf16>
  return %3 : tensor<1x64x12x20xf16>
}

// Patches of three channels, in both orders of dimensions.
func.func @patches(%x: tensor<1x3x32x48xf16>, %w: tensor<64x3x8x8xf16>, %y: tensor<1x32x48x3xf16>, %v: tensor<8x8x3x64xf16>)
    -> (tensor<1x64x4x6xf16>, tensor<1x4x6x64xf16>) {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [8, 8] padding [0, 0, 0, 0] dilations [1, 1] groups(1)
      : (tensor<1x3x32x48xf16>, tensor<64x3x8x8xf16>) -> tensor<1x64x4x6xf16>
  %1 = mirage_kernel.conv2d nhwc %y, %v strides [8, 8] padding [0, 0, 0, 0] dilations [1, 1] groups(1)
      : (tensor<1x32x48x3xf16>, tensor<8x8x3x64xf16>) -> tensor<1x4x6x64xf16>
  return %0, %1 : tensor<1x64x4x6xf16>, tensor<1x4x6x64xf16>
}

// The copy engine brings windows, and zeros where they begin before the image.
func.func @engine(%x: tensor<1x112x112x32xf16>, %w: tensor<3x3x32x64xf16>) -> tensor<1x112x112x64xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1)
      : (tensor<1x112x112x32xf16>, tensor<3x3x32x64xf16>) -> tensor<1x112x112x64xf16>
  return %0 : tensor<1x112x112x64xf16>
}

// A filter for each channel, and what follows.
func.func @depthwise(%x: tensor<1x14x20x32xf16>, %w: tensor<3x3x1x32xf16>, %b: tensor<1x1x1x32xf16>) -> tensor<1x14x20x32xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(32)
      : (tensor<1x14x20x32xf16>, tensor<3x3x1x32xf16>) -> tensor<1x14x20x32xf16>
  %1 = mirage_kernel.add %0, %b : (tensor<1x14x20x32xf16>, tensor<1x1x1x32xf16>) -> tensor<1x14x20x32xf16>
  %2 = mirage_kernel.relu %1 : (tensor<1x14x20x32xf16>) -> tensor<1x14x20x32xf16>
  return %2 : tensor<1x14x20x32xf16>
}

func.func @depthwise_steps(%x: tensor<2x48x15x21xf16>, %w: tensor<48x1x5x5xf16>) -> tensor<2x48x8x11xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [2, 2] padding [2, 2, 2, 2] dilations [1, 1] groups(48)
      : (tensor<2x48x15x21xf16>, tensor<48x1x5x5xf16>) -> tensor<2x48x8x11xf16>
  return %0 : tensor<2x48x8x11xf16>
}

func.func @depthwise_f32(%x: tensor<1x9x11x16xf32>, %w: tensor<3x2x1x16xf32>) -> tensor<1x7x10x16xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [0, 4, 1, 2] dilations [3, 4] groups(16)
      : (tensor<1x9x11x16xf32>, tensor<3x2x1x16xf32>) -> tensor<1x7x10x16xf32>
  return %0 : tensor<1x7x10x16xf32>
}

// Two groups have the general lowering.
func.func @grouped(%x: tensor<1x6x6x16xf16>, %w: tensor<3x3x8x4xf16>) -> tensor<1x6x6x4xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(2)
      : (tensor<1x6x6x16xf16>, tensor<3x3x8x4xf16>) -> tensor<1x6x6x4xf16>
  return %0 : tensor<1x6x6x4xf16>
}
