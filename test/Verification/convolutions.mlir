// Convolutions that both functions have, and what is before and after them. Images
// and channels become small. Where a test of the whole takes long, what is between
// values that both functions compute is proved first.
//
// RUN: mirage-opt %s --mirage-verify-equivalence=fail-on-refusal=false -o /dev/null 2>&1 | FileCheck %s

// CHECK: @written_out computes what @blocks does: proved, in parts between {{[0-9]+}} common values; in floating point {{.*}} fewer rows
// CHECK-NOT: refused
// CHECK: @padded computes what @blocks does: proved, in parts between {{[0-9]+}} common values; in floating point {{.*}} fewer rows
// CHECK-NOT: refused
// CHECK: @overflowing computes what @blocks does: proved, {{.*}}; refused as numerically unstable: on normal inputs

// CHECK: @plain_padded computes what @plain does: proved; in floating point
// CHECK-NOT: refused
// CHECK: @other_filter does not compute what @plain does: refuted, {{.*}}, at smaller sizes
// CHECK: @other_dilation does not compute what @plain does: refuted, {{.*}}, at smaller sizes
// CHECK: @other_padding does not compute what @plain does: refuted
// CHECK: @other_after does not compute what @plain does: refuted, {{.*}}, at smaller sizes

func.func @blocks(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n1 = mirage_kernel.instance_norm %c1 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %n1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n2 = mirage_kernel.instance_norm %c2 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %n2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @written_out(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @blocks} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %v1 = mirage_kernel.reshape %c1 : tensor<1x16x112x112xf32> to tensor<16x12544xf32>
  %m1 = mirage_kernel.reduce mean %v1 dim(1) keep : (tensor<16x12544xf32>) -> tensor<16x1xf32>
  %d1 = mirage_kernel.sub %v1, %m1 : (tensor<16x12544xf32>, tensor<16x1xf32>) -> tensor<16x12544xf32>
  %q1 = mirage_kernel.square %d1 : (tensor<16x12544xf32>) -> tensor<16x12544xf32>
  %a1 = mirage_kernel.reduce mean %q1 dim(1) keep : (tensor<16x12544xf32>) -> tensor<16x1xf32>
  %e1 = mirage_kernel.constant dense<9.765625e-4> : tensor<16x1xf32>
  %s1 = mirage_kernel.add %a1, %e1 : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
  %t1 = mirage_kernel.rsqrt %s1 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %u1 = mirage_kernel.mul %d1, %t1 : (tensor<16x12544xf32>, tensor<16x1xf32>) -> tensor<16x12544xf32>
  %wr1 = mirage_kernel.reshape %w : tensor<16xf32> to tensor<16x1xf32>
  %y1 = mirage_kernel.mul %u1, %wr1 : (tensor<16x12544xf32>, tensor<16x1xf32>) -> tensor<16x12544xf32>
  %n1 = mirage_kernel.reshape %y1 : tensor<16x12544xf32> to tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %n1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n2 = mirage_kernel.instance_norm %c2 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %n2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @padded(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @blocks} {
  %p1 = mirage_kernel.pad %x low [0, 0, 1, 1] high [0, 0, 1, 1] value(0.0) : (tensor<1x16x112x112xf32>) -> tensor<1x16x114x114xf32>
  %c1 = mirage_kernel.conv2d nchw %p1, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x114x114xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n1 = mirage_kernel.instance_norm %c1 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %n1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n2 = mirage_kernel.instance_norm %c2 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %n2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @overflowing(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @blocks} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n1 = mirage_kernel.instance_norm %c1 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %k1 = mirage_kernel.scale %n1 by 8.507059173023462e37 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %l1 = mirage_kernel.scale %k1 by 1.1754943508222875e-38 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %l1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %n2 = mirage_kernel.instance_norm %c2 weight %w epsilon(9.765625e-4) : (tensor<1x16x112x112xf32>, tensor<16xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %n2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}

func.func @plain(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @plain_padded(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @plain} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %p2 = mirage_kernel.pad %r1 low [0, 0, 1, 1] high [0, 0, 1, 1] value(0.0) : (tensor<1x16x112x112xf32>) -> tensor<1x16x114x114xf32>
  %c2 = mirage_kernel.conv2d nchw %p2, %g strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x114x114xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @other_filter(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @plain} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @other_dilation(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @plain} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [2, 2, 2, 2] dilations [2, 2] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @other_padding(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @plain} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [2, 0, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.relu %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
func.func @other_after(%x: tensor<1x16x112x112xf32>, %f: tensor<16x16x3x3xf32>, %g: tensor<16x16x3x3xf32>, %w: tensor<16xf32>) -> tensor<1x16x112x112xf32> attributes {mirage.equivalent_to = @plain} {
  %c1 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r1 = mirage_kernel.relu %c1 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  %c2 = mirage_kernel.conv2d nchw %r1, %g strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x16x112x112xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x112x112xf32>
  %r2 = mirage_kernel.abs %c2 : (tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
  return %r2 : tensor<1x16x112x112xf32>
}
