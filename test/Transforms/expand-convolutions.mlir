// Convolutions become products of windows of their input and of their filter as a
// matrix, with channels innermost; what they compute stays the same.

// RUN: mirage-opt %s --mirage-expand-convolutions | FileCheck %s
// RUN: mirage-opt %s --mirage-expand-convolutions | sed 's/@\(\w*\)(\(.*\)) -> \(.*\) {/@\1_new(\2) -> \3 attributes {mirage.equivalent_to = @\1} {/; /^module {/d; /^}/d' > %t
// RUN: cat %s %t | mirage-opt --mirage-verify-equivalence -o /dev/null 2>&1 | FileCheck %s --check-prefix=EQUAL

// EQUAL: @plain_new computes what @plain does: {{proved|equivalent}}
// EQUAL: @pointwise_new computes what @pointwise does: proved
// EQUAL: @strided_new computes what @strided does: {{proved|equivalent}}
// EQUAL: @patches_new computes what @patches does: {{proved|equivalent}}
// EQUAL: @between_new computes what @between does: {{proved|equivalent}}
// EQUAL: @depthwise_new computes what @depthwise does: proved
// EQUAL: @few_new computes what @few does: {{proved|equivalent}}
// EQUAL: @rows_new computes what @rows does: {{proved|equivalent}}
// EQUAL: @groups_new computes what @groups does: {{proved|equivalent}}
// EQUAL: @images_new computes what @images does: {{proved|equivalent}}
// EQUAL: @reshaped_new computes what @reshaped does: {{proved|equivalent}}
// EQUAL: @transposed_new computes what @transposed does: {{proved|equivalent}}
// EQUAL: @few_results_new computes what @few_results does: {{proved|equivalent}}
// EQUAL: @few_steps_new computes what @few_steps does: {{proved|equivalent}}

// The windows of a filter's four elements stand side by side, where channels are.
// CHECK-LABEL: func.func @plain
// CHECK: [[P:%.*]] = mirage_kernel.pad %arg0 low [0, 1, 0, 0] high [0, 0, 2, 0] value(0.000000e+00) : {{.*}} -> tensor<1x6x9x16xf16>
// CHECK: [[A:%.*]] = mirage_kernel.slice [[P]][0, 0, 0, 0] [1, 5, 6, 16] [1, 1, 1, 1]
// CHECK: [[B:%.*]] = mirage_kernel.slice [[P]][0, 0, 3, 0] [1, 5, 6, 16] [1, 1, 1, 1]
// CHECK: [[C:%.*]] = mirage_kernel.slice [[P]][0, 1, 0, 0] [1, 5, 6, 16] [1, 1, 1, 1]
// CHECK: [[D:%.*]] = mirage_kernel.slice [[P]][0, 1, 3, 0] [1, 5, 6, 16] [1, 1, 1, 1]
// CHECK: [[W:%.*]] = mirage_kernel.concat dim(3) [[A]], [[B]], [[C]], [[D]]
// CHECK: [[F:%.*]] = mirage_kernel.reshape %arg1 : tensor<2x2x16x8xf16> to tensor<1x1x64x8xf16>
// CHECK: mirage_kernel.matmul [[W]], [[F]] : (tensor<1x5x6x64xf16>, tensor<1x1x64x8xf16>) -> tensor<1x5x6x8xf32>
func.func @plain(%x: tensor<1x5x7x16xf16>, %f: tensor<2x2x16x8xf16>) -> tensor<1x5x6x8xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [1, 0, 0, 2] dilations [1, 3] groups(1) : (tensor<1x5x7x16xf16>, tensor<2x2x16x8xf16>) -> tensor<1x5x6x8xf32>
  return %0 : tensor<1x5x6x8xf32>
}

// A filter of one element multiplies the input itself.
// CHECK-LABEL: func.func @pointwise
// CHECK-NOT: pad
// CHECK-NOT: slice
// CHECK: mirage_kernel.matmul %arg0, %arg1
func.func @pointwise(%x: tensor<2x3x4x5xf16>, %f: tensor<1x1x5x6xf16>) -> tensor<2x3x4x6xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<2x3x4x5xf16>, tensor<1x1x5x6xf16>) -> tensor<2x3x4x6xf16>
  return %0 : tensor<2x3x4x6xf16>
}

// Steps of two divide no seven columns, so there is one more of zeros, and three
// channels become sixteen.
// CHECK-LABEL: func.func @strided
// CHECK: mirage_kernel.pad {{.*}} low [0, 0, 0, 0] high [0, 0, 1, 13]
// CHECK: mirage_kernel.slice {{.*}}[0, 0, 0, 0] [1, 3, 3, 16] [1, 2, 2, 1]
// CHECK: mirage_kernel.pad {{.*}} high [0, 0, 0, 13] {{.*}} -> tensor<4x2x2x16xf16>
// CHECK: mirage_kernel.matmul {{.*}} transpose_rhs
func.func @strided(%x: tensor<1x3x6x7xf16>, %f: tensor<4x3x2x2xf16>) -> tensor<1x4x3x3xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x3x6x7xf16>, tensor<4x3x2x2xf16>) -> tensor<1x4x3x3xf16>
  return %0 : tensor<1x4x3x3xf16>
}

// Patches of few channels are brought together, in the filter's order.
// CHECK-LABEL: func.func @patches
// CHECK: [[P:%.*]] = mirage_kernel.reshape %arg0 : tensor<2x3x4x6xf16> to tensor<2x3x2x2x2x3xf16>
// CHECK: [[T:%.*]] = mirage_kernel.transpose [[P]] [0, 2, 4, 1, 3, 5]
// CHECK: [[X:%.*]] = mirage_kernel.reshape [[T]] : {{.*}} to tensor<2x2x2x18xf16>
// CHECK: [[F:%.*]] = mirage_kernel.reshape %arg1 : tensor<5x3x2x3xf16> to tensor<1x1x5x18xf16>
// CHECK: mirage_kernel.matmul [[X]], [[F]] transpose_rhs
func.func @patches(%x: tensor<2x3x4x6xf16>, %f: tensor<5x3x2x3xf16>) -> tensor<2x5x2x2xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [2, 3] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<2x3x4x6xf16>, tensor<5x3x2x3xf16>) -> tensor<2x5x2x2xf16>
  return %0 : tensor<2x5x2x2xf16>
}

// Between two convolutions channels stay last: the image is transposed once, and the
// result once.
// CHECK-LABEL: func.func @between
// CHECK: mirage_kernel.transpose %arg0 [0, 2, 3, 1]
// CHECK: [[P:%.*]] = mirage_kernel.matmul
// CHECK: [[B:%.*]] = mirage_kernel.reshape %arg3 : tensor<1x16x1x1xf16> to tensor<1x1x1x16xf16>
// CHECK: [[S:%.*]] = mirage_kernel.add [[P]], [[B]] : (tensor<1x4x4x16xf16>, tensor<1x1x1x16xf16>)
// CHECK: [[R:%.*]] = mirage_kernel.relu [[S]]
// CHECK-NOT: transpose [[R]]
// CHECK: mirage_kernel.pad [[R]]
// CHECK: [[Q:%.*]] = mirage_kernel.matmul
// CHECK: [[T:%.*]] = mirage_kernel.transpose [[Q]] [0, 3, 1, 2]
// CHECK: return [[T]]
func.func @between(%x: tensor<1x16x4x4xf16>, %f: tensor<16x16x1x1xf16>, %g: tensor<8x16x3x3xf16>, %b: tensor<1x16x1x1xf16>) -> tensor<1x8x4x4xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x4x4xf16>, tensor<16x16x1x1xf16>) -> tensor<1x16x4x4xf16>
  %1 = mirage_kernel.add %0, %b : (tensor<1x16x4x4xf16>, tensor<1x16x1x1xf16>) -> tensor<1x16x4x4xf16>
  %2 = mirage_kernel.relu %1 : (tensor<1x16x4x4xf16>) -> tensor<1x16x4x4xf16>
  %3 = mirage_kernel.conv2d nchw %2, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x4x4xf16>, tensor<8x16x3x3xf16>) -> tensor<1x8x4x4xf16>
  return %3 : tensor<1x8x4x4xf16>
}

// A filter for each channel stays a convolution, for a launch that computes it directly.
// CHECK-LABEL: func.func @depthwise
// CHECK: [[X:%.*]] = mirage_kernel.transpose %arg0 [0, 2, 3, 1]
// CHECK: [[F:%.*]] = mirage_kernel.transpose %arg1 [2, 3, 1, 0]
// CHECK: mirage_kernel.conv2d nhwc [[X]], [[F]] {{.*}} groups(8) : (tensor<1x6x5x8xf16>, tensor<3x3x1x8xf16>) -> tensor<1x6x5x8xf32>
func.func @depthwise(%x: tensor<1x8x6x5xf16>, %f: tensor<8x1x3x3xf16>) -> tensor<1x8x6x5xf32> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(8) : (tensor<1x8x6x5xf16>, tensor<8x1x3x3xf16>) -> tensor<1x8x6x5xf32>
  return %0 : tensor<1x8x6x5xf32>
}

// Padded channels have a kernel, which pads the image to multiples of the strides, too: so
// windows are read in what it makes.
// CHECK-LABEL: func.func @few
// CHECK: [[X:%.*]] = mirage_kernel.pad %arg0 low [0, 1, 1, 0] high [0, 3, 1, 13] value(0.000000e+00) : (tensor<1x8x10x3xf16>) -> tensor<1x12x12x16xf16>
// CHECK-COUNT-9: mirage_kernel.slice [[X]]
func.func @few(%x: tensor<1x8x10x3xf16>, %f: tensor<3x3x3x8xf16>) -> tensor<1x2x3x8xf32> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [4, 4] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x8x10x3xf16>, tensor<3x3x3x8xf16>) -> tensor<1x2x3x8xf32>
  return %0 : tensor<1x2x3x8xf32>
}

// Rows of channels that become an image, and an image that becomes rows, are not transposed.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: transpose %arg0
// CHECK: [[X:%.*]] = mirage_kernel.reshape %arg0 : tensor<1x12x8xf16> to tensor<1x3x4x8xf16>
// CHECK: [[Y:%.*]] = mirage_kernel.conv2d nhwc [[X]]
// CHECK-NEXT: [[R:%.*]] = mirage_kernel.reshape [[Y]] : tensor<1x3x4x8xf16> to tensor<1x12x8xf16>
// CHECK-NEXT: return [[R]]
func.func @rows(%x: tensor<1x12x8xf16>, %f: tensor<8x1x3x3xf16>) -> tensor<1x12x8xf16> {
  %0 = mirage_kernel.transpose %x [0, 2, 1] : (tensor<1x12x8xf16>) -> tensor<1x8x12xf16>
  %1 = mirage_kernel.reshape %0 : tensor<1x8x12xf16> to tensor<1x8x3x4xf16>
  %2 = mirage_kernel.conv2d nchw %1, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(8) : (tensor<1x8x3x4xf16>, tensor<8x1x3x3xf16>) -> tensor<1x8x3x4xf16>
  %3 = mirage_kernel.reshape %2 : tensor<1x8x3x4xf16> to tensor<1x8x12xf16>
  %4 = mirage_kernel.transpose %3 [0, 2, 1] : (tensor<1x8x12xf16>) -> tensor<1x12x8xf16>
  return %4 : tensor<1x12x8xf16>
}

// Products of groups of channels, each of all pixels; filters in either order.
// CHECK-LABEL: func.func @groups
// CHECK: [[X:%.*]] = mirage_kernel.transpose %arg0 [0, 2, 3, 1]
// CHECK: [[R:%.*]] = mirage_kernel.reshape [[X]] : tensor<2x3x4x8xf16> to tensor<24x2x4xf16>
// CHECK: [[L:%.*]] = mirage_kernel.transpose [[R]] [1, 0, 2]
// CHECK: [[F:%.*]] = mirage_kernel.reshape %arg1 : tensor<6x4x1x1xf16> to tensor<2x3x4xf16>
// CHECK: [[Y:%.*]] = mirage_kernel.matmul [[L]], [[F]] transpose_rhs : (tensor<2x24x4xf16>, tensor<2x3x4xf16>) -> tensor<2x24x3xf32>
// CHECK: mirage_kernel.transpose [[Y]] [1, 0, 2]
// CHECK: mirage_kernel.reshape %arg3 : tensor<1x1x4x6xf16> to tensor<4x2x3xf16>
// CHECK: mirage_kernel.matmul {{.*}} : (tensor<2x24x4xf16>, tensor<2x4x3xf16>) -> tensor<2x24x3xf32>
func.func @groups(%x: tensor<2x8x3x4xf16>, %f: tensor<6x4x1x1xf16>, %y: tensor<2x3x4x8xf16>, %g: tensor<1x1x4x6xf16>) -> (tensor<2x6x3x4xf32>, tensor<2x3x4x6xf32>) {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(2) : (tensor<2x8x3x4xf16>, tensor<6x4x1x1xf16>) -> tensor<2x6x3x4xf32>
  %1 = mirage_kernel.conv2d nhwc %y, %g strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(2) : (tensor<2x3x4x8xf16>, tensor<1x1x4x6xf16>) -> tensor<2x3x4x6xf32>
  return %0, %1 : tensor<2x6x3x4xf32>, tensor<2x3x4x6xf32>
}

// Images between convolutions stay in that order where they are cut, padded, put together and
// repeated, and where their channels are normalized: they are transposed at the end alone.
// CHECK-LABEL: func.func @images
// CHECK: [[X:%.*]] = mirage_kernel.matmul
// CHECK: [[S:%.*]] = mirage_kernel.slice [[X]][0, 0, 1, 0] [1, 4, 1, 16] [1, 1, 1, 1]
// CHECK: [[C:%.*]] = mirage_kernel.concat dim(2) [[S]], [[X]]
// CHECK: [[P:%.*]] = mirage_kernel.pad [[C]] low [0, 1, 0, 0] high [0, 2, 3, 0] value(5.000000e-01) : (tensor<1x4x6x16xf16>) -> tensor<1x7x9x16xf16>
// CHECK: [[W:%.*]] = mirage_kernel.cast [[P]]
// CHECK: [[R:%.*]] = mirage_kernel.reduce mean [[W]] dim(2) keep
// CHECK: mirage_kernel.reduce mean [[R]] dim(1) keep
// CHECK: [[N:%.*]] = mirage_kernel.cast {{.*}} to tensor<1x7x9x16xf16>
// CHECK: [[A:%.*]] = mirage_kernel.reshape [[N]] : tensor<1x7x9x16xf16> to tensor<1x7x1x9x1x16xf16>
// CHECK: [[B:%.*]] = mirage_kernel.broadcast [[A]] : tensor<1x7x1x9x1x16xf16> to tensor<1x7x2x9x3x16xf16>
// CHECK: [[Y:%.*]] = mirage_kernel.reshape [[B]] : tensor<1x7x2x9x3x16xf16> to tensor<1x14x27x16xf16>
// CHECK: [[T:%.*]] = mirage_kernel.transpose [[Y]] [0, 3, 1, 2]
// CHECK-NEXT: return [[T]]
func.func @images(%x: tensor<1x16x4x5xf16>, %f: tensor<16x16x1x1xf16>, %g: tensor<16xf16>, %b: tensor<16xf16>) -> tensor<1x16x14x27xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x4x5xf16>, tensor<16x16x1x1xf16>) -> tensor<1x16x4x5xf16>
  %1 = mirage_kernel.slice %0[0, 0, 0, 1] [1, 16, 4, 1] [1, 1, 1, 1] : (tensor<1x16x4x5xf16>) -> tensor<1x16x4x1xf16>
  %2 = mirage_kernel.concat dim(3) %1, %0 : (tensor<1x16x4x1xf16>, tensor<1x16x4x5xf16>) -> tensor<1x16x4x6xf16>
  %3 = mirage_kernel.pad %2 low [0, 0, 1, 0] high [0, 0, 2, 3] value(0.5) : (tensor<1x16x4x6xf16>) -> tensor<1x16x7x9xf16>
  %4 = mirage_kernel.instance_norm %3 weight %g bias %b epsilon(1.0e-5) : (tensor<1x16x7x9xf16>, tensor<16xf16>, tensor<16xf16>) -> tensor<1x16x7x9xf16>
  %5 = mirage_kernel.reshape %4 : tensor<1x16x7x9xf16> to tensor<1x16x7x1x9x1xf16>
  %6 = mirage_kernel.broadcast %5 : tensor<1x16x7x1x9x1xf16> to tensor<1x16x7x2x9x3xf16>
  %7 = mirage_kernel.reshape %6 : tensor<1x16x7x2x9x3xf16> to tensor<1x16x14x27xf16>
  return %7 : tensor<1x16x14x27xf16>
}

// Elementwise operators behind a reshape of such an image are computed before it.
// CHECK-LABEL: func.func @reshaped
// CHECK: [[P:%.*]] = mirage_kernel.matmul {{.*}} -> tensor<1x4x5x16xf16>
// CHECK-NEXT: [[S:%.*]] = mirage_kernel.sigmoid [[P]]
// CHECK-NEXT: [[M:%.*]] = mirage_kernel.mul [[P]], [[S]] : {{.*}} -> tensor<1x4x5x16xf16>
// CHECK-NEXT: [[A:%.*]] = mirage_kernel.reshape [[M]] : tensor<1x4x5x16xf16> to tensor<1x4x1x5x1x16xf16>
// CHECK-NEXT: [[B:%.*]] = mirage_kernel.broadcast [[A]] : tensor<1x4x1x5x1x16xf16> to tensor<1x4x2x5x2x16xf16>
// CHECK-NEXT: [[C:%.*]] = mirage_kernel.reshape [[B]] : tensor<1x4x2x5x2x16xf16> to tensor<1x8x10x16xf16>
// CHECK-NEXT: [[T:%.*]] = mirage_kernel.transpose [[C]] [0, 3, 1, 2]
// CHECK-NEXT: return [[T]]
func.func @reshaped(%x: tensor<1x8x4x5xf16>, %f: tensor<16x8x1x1xf16>) -> tensor<1x16x8x10xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x8x4x5xf16>, tensor<16x8x1x1xf16>) -> tensor<1x16x4x5xf16>
  %1 = mirage_kernel.reshape %0 : tensor<1x16x4x5xf16> to tensor<1x16x4x1x5x1xf16>
  %2 = mirage_kernel.sigmoid %1 : (tensor<1x16x4x1x5x1xf16>) -> tensor<1x16x4x1x5x1xf16>
  %3 = mirage_kernel.mul %1, %2 : (tensor<1x16x4x1x5x1xf16>, tensor<1x16x4x1x5x1xf16>) -> tensor<1x16x4x1x5x1xf16>
  %4 = mirage_kernel.broadcast %3 : tensor<1x16x4x1x5x1xf16> to tensor<1x16x4x2x5x2xf16>
  %5 = mirage_kernel.reshape %4 : tensor<1x16x4x2x5x2xf16> to tensor<1x16x8x10xf16>
  return %5 : tensor<1x16x8x10xf16>
}

// Images that were transposed to have channels innermost, or rows of pixels, stay as they are
// between convolutions.
// CHECK-LABEL: func.func @transposed
// CHECK: [[P:%.*]] = mirage_kernel.matmul {{.*}} -> tensor<1x4x5x16xf16>
// CHECK-NEXT: [[S:%.*]] = mirage_kernel.reshape [[P]] : tensor<1x4x5x16xf16> to tensor<1x4x80xf16>
// CHECK-NEXT: [[M:%.*]] = mirage_kernel.matmul %{{.*}}, [[S]]
// CHECK-NEXT: [[W:%.*]] = mirage_kernel.reshape [[M]] : tensor<1x8x80xf16> to tensor<1x8x5x16xf16>
// CHECK: mirage_kernel.matmul [[W]]
// CHECK-NEXT: mirage_kernel.transpose {{.*}} [0, 3, 1, 2]
func.func @transposed(%x: tensor<1x8x4x5xf16>, %f: tensor<16x8x1x1xf16>, %a: tensor<1x8x4xf16>, %g: tensor<4x16x1x1xf16>) -> tensor<1x4x8x5xf16> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x8x4x5xf16>, tensor<16x8x1x1xf16>) -> tensor<1x16x4x5xf16>
  %1 = mirage_kernel.transpose %0 [0, 2, 3, 1] : (tensor<1x16x4x5xf16>) -> tensor<1x4x5x16xf16>
  %2 = mirage_kernel.reshape %1 : tensor<1x4x5x16xf16> to tensor<1x4x80xf16>
  %3 = mirage_kernel.matmul %a, %2 : (tensor<1x8x4xf16>, tensor<1x4x80xf16>) -> tensor<1x8x80xf16>
  %4 = mirage_kernel.reshape %3 : tensor<1x8x80xf16> to tensor<1x8x5x16xf16>
  %5 = mirage_kernel.transpose %4 [0, 3, 1, 2] : (tensor<1x8x5x16xf16>) -> tensor<1x16x8x5xf16>
  %6 = mirage_kernel.conv2d nchw %5, %g strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x8x5xf16>, tensor<4x16x1x1xf16>) -> tensor<1x4x8x5xf16>
  return %6 : tensor<1x4x8x5xf16>
}

// These stay as they are: windows of several groups, elements that no product has, and four
// dimensions that a grid would need.
// CHECK-LABEL: func.func @left
// CHECK-COUNT-3: mirage_kernel.conv2d nhwc %arg
// CHECK-NOT: matmul
func.func @left(%x: tensor<2x8x200x16xf16>, %f: tensor<3x3x8x4xf16>, %g: tensor<1x1x16x160xf16>, %y: tensor<1x4x4x4xf64>, %h: tensor<1x1x4x4xf64>)
    -> (tensor<2x8x200x4xf16>, tensor<2x8x200x160xf16>, tensor<1x4x4x4xf64>) {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(2) : (tensor<2x8x200x16xf16>, tensor<3x3x8x4xf16>) -> tensor<2x8x200x4xf16>
  %1 = mirage_kernel.conv2d nhwc %x, %g strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<2x8x200x16xf16>, tensor<1x1x16x160xf16>) -> tensor<2x8x200x160xf16>
  %2 = mirage_kernel.conv2d nhwc %y, %h strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x4x4x4xf64>, tensor<1x1x4x4xf64>) -> tensor<1x4x4x4xf64>
  return %0, %1, %2 : tensor<2x8x200x4xf16>, tensor<2x8x200x160xf16>, tensor<1x4x4x4xf64>
}

// Of three result channels, all columns of the filter are multiplied at once with
// whole rows of pixels, and the sums of pixels beside each other are added up.
// CHECK-LABEL: func.func @few_results
// CHECK-COUNT-9: mirage_kernel.slice {{.*}} [1, 90, 98, 32] [1, 1, 1, 1]
// CHECK: [[F:%.*]] = mirage_kernel.transpose %arg1 [3, 0, 2, 1] : (tensor<3x32x9x9xf16>) -> tensor<9x3x9x32xf16>
// CHECK: mirage_kernel.pad [[F]] low [0, 0, 0, 0] high [0, 1, 0, 0]
// CHECK: [[P:%.*]] = mirage_kernel.matmul {{.*}} transpose_rhs : {{.*}} -> tensor<1x90x98x36xf32>
// CHECK: mirage_kernel.slice [[P]][0, 0, 0, 0] [1, 90, 90, 4] [1, 1, 1, 1]
// CHECK: mirage_kernel.slice [[P]][0, 0, 1, 4] [1, 90, 90, 4] [1, 1, 1, 1]
// CHECK-COUNT-7: mirage_kernel.add
// CHECK: mirage_kernel.slice {{.*}} [1, 90, 90, 3] [1, 1, 1, 1]
func.func @few_results(%x: tensor<1x32x98x98xf16>, %f: tensor<3x32x9x9xf16>) -> tensor<1x3x90x90xf32> {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x32x98x98xf16>, tensor<3x32x9x9xf16>) -> tensor<1x3x90x90xf32>
  return %0 : tensor<1x3x90x90xf32>
}

// Steps of rows, dilations and padding stay those of the filter.
// CHECK-LABEL: func.func @few_steps
// CHECK-COUNT-7: mirage_kernel.slice {{.*}} [2, 74, 76, 48] [1, 2, 1, 1]
// CHECK: [[P:%.*]] = mirage_kernel.matmul {{.*}} -> tensor<2x74x76x28xf32>
// CHECK: mirage_kernel.slice [[P]][0, 0, 2, 4] [2, 74, 64, 4] [1, 1, 1, 1]
// CHECK: mirage_kernel.cast {{.*}} to tensor<2x74x64x1xf16>
func.func @few_steps(%x: tensor<2x148x64x48xf16>, %f: tensor<7x7x48x1xf16>) -> tensor<2x74x64x1xf16> {
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [2, 1] padding [6, 6, 6, 6] dilations [2, 2] groups(1) : (tensor<2x148x64x48xf16>, tensor<7x7x48x1xf16>) -> tensor<2x74x64x1xf16>
  return %0 : tensor<2x74x64x1xf16>
}
