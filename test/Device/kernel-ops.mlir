// Every pre-defined kernel operator, lowered on its own. With a GPU,
// scripts/test-device.sh runs each function and compares it with the interpreter.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

// CHECK-NOT: .extern .func
// Functions of ptxas that round correctly have branches to subroutines.
// CHECK-NOT: {{div|rcp|sqrt}}.rn.f32
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

func.func @binary(%a: tensor<5x24xf16>, %b: tensor<5x24xf16>, %c: tensor<1x24xf16>)
    -> (tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>,
        tensor<5x24xf16>) {
  %0 = mirage_kernel.add %a, %b : (tensor<5x24xf16>, tensor<5x24xf16>) -> tensor<5x24xf16>
  %1 = mirage_kernel.sub %0, %c : (tensor<5x24xf16>, tensor<1x24xf16>) -> tensor<5x24xf16>
  %2 = mirage_kernel.mul %1, %b : (tensor<5x24xf16>, tensor<5x24xf16>) -> tensor<5x24xf16>
  %s = mirage_kernel.square %b : (tensor<5x24xf16>) -> tensor<5x24xf16>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf16>
  %d = mirage_kernel.add %s, %one : (tensor<5x24xf16>, tensor<1x1xf16>) -> tensor<5x24xf16>
  %3 = mirage_kernel.div %a, %d : (tensor<5x24xf16>, tensor<5x24xf16>) -> tensor<5x24xf16>
  %4 = mirage_kernel.max %a, %c : (tensor<5x24xf16>, tensor<1x24xf16>) -> tensor<5x24xf16>
  %5 = mirage_kernel.min %a, %b : (tensor<5x24xf16>, tensor<5x24xf16>) -> tensor<5x24xf16>
  return %0, %1, %2, %3, %4, %5
      : tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>, tensor<5x24xf16>,
        tensor<5x24xf16>
}

// Quotients of numbers of all magnitudes.
func.func @quotients(%a: tensor<16x96xf32>, %b: tensor<16x96xf32>)
    -> (tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>) {
  %x = mirage_kernel.scale %a by 9.000000e+00 : (tensor<16x96xf32>) -> tensor<16x96xf32>
  %y = mirage_kernel.scale %b by 9.000000e+00 : (tensor<16x96xf32>) -> tensor<16x96xf32>
  %p = mirage_kernel.exp %x : (tensor<16x96xf32>) -> tensor<16x96xf32>
  %q = mirage_kernel.exp %y : (tensor<16x96xf32>) -> tensor<16x96xf32>
  %0 = mirage_kernel.div %p, %q : (tensor<16x96xf32>, tensor<16x96xf32>) -> tensor<16x96xf32>
  %1 = mirage_kernel.div %b, %a : (tensor<16x96xf32>, tensor<16x96xf32>) -> tensor<16x96xf32>
  %2 = mirage_kernel.sqrt %q : (tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0, %1, %2 : tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>
}

func.func @exponentials(%x: tensor<7x33xf32>)
    -> (tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>,
        tensor<7x33xf32>, tensor<7x33xf32>) {
  %0 = mirage_kernel.exp %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %1 = mirage_kernel.exp2 %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %2 = mirage_kernel.silu %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %3 = mirage_kernel.sigmoid %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %4 = mirage_kernel.gelu erf %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %5 = mirage_kernel.gelu tanh %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %6 = mirage_kernel.tanh %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>,
        tensor<7x33xf32>, tensor<7x33xf32>
}

func.func @positive(%x: tensor<64x3xf32>)
    -> (tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>,
        tensor<64x3xf32>, tensor<64x3xf32>) {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf32>
  %s = mirage_kernel.square %x : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %p = mirage_kernel.add %s, %c : (tensor<64x3xf32>, tensor<1x1xf32>) -> tensor<64x3xf32>
  %0 = mirage_kernel.log %p : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %1 = mirage_kernel.sqrt %p : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %2 = mirage_kernel.rsqrt %p : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %3 = mirage_kernel.pow %p to 1.7 : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %4 = mirage_kernel.pow %x to 3.0 : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %5 = mirage_kernel.pow %p to -0.5 : (tensor<64x3xf32>) -> tensor<64x3xf32>
  %6 = mirage_kernel.pow %p to -2.0 : (tensor<64x3xf32>) -> tensor<64x3xf32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>,
        tensor<64x3xf32>, tensor<64x3xf32>
}

func.func @simple(%x: tensor<9x16xbf16>)
    -> (tensor<9x16xbf16>, tensor<9x16xbf16>, tensor<9x16xbf16>, tensor<9x16xf32>,
        tensor<9x16xf16>) {
  %0 = mirage_kernel.relu %x : (tensor<9x16xbf16>) -> tensor<9x16xbf16>
  %1 = mirage_kernel.clamp %x lower(-0.25) upper(0.75) : (tensor<9x16xbf16>) -> tensor<9x16xbf16>
  %2 = mirage_kernel.scale %x by 0.125 : (tensor<9x16xbf16>) -> tensor<9x16xbf16>
  %3 = mirage_kernel.cast %x : tensor<9x16xbf16> to tensor<9x16xf32>
  %4 = mirage_kernel.cast %x : tensor<9x16xbf16> to tensor<9x16xf16>
  return %0, %1, %2, %3, %4
      : tensor<9x16xbf16>, tensor<9x16xbf16>, tensor<9x16xbf16>, tensor<9x16xf32>,
        tensor<9x16xf16>
}

func.func @choices(%x: tensor<7x33xf32>, %y: tensor<7x1xf32>)
    -> (tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>,
        tensor<7x33xf32>) {
  %0 = mirage_kernel.compare le %x, %y : (tensor<7x33xf32>, tensor<7x1xf32>) -> tensor<7x33xf32>
  %1 = mirage_kernel.select %0, %y, %x
      : (tensor<7x33xf32>, tensor<7x1xf32>, tensor<7x33xf32>) -> tensor<7x33xf32>
  %2 = mirage_kernel.abs %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %3 = mirage_kernel.erf %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  %4 = mirage_kernel.mish %x : (tensor<7x33xf32>) -> tensor<7x33xf32>
  return %0, %1, %2, %3, %4
      : tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>, tensor<7x33xf32>
}

func.func @channel_norms(%x: tensor<2x6x5x7xf16>, %w: tensor<6xf16>, %b: tensor<6xf16>)
    -> (tensor<2x6x5x7xf16>, tensor<2x6x5x7xf16>, tensor<2x6x5x7xf16>) {
  %v = mirage_kernel.square %w : (tensor<6xf16>) -> tensor<6xf16>
  %0 = mirage_kernel.group_norm %x weight %w bias %b groups(3) epsilon(1.0e-5)
      : (tensor<2x6x5x7xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x5x7xf16>
  %1 = mirage_kernel.instance_norm %x weight %w epsilon(1.0e-5)
      : (tensor<2x6x5x7xf16>, tensor<6xf16>) -> tensor<2x6x5x7xf16>
  %2 = mirage_kernel.batch_norm %x, %b, %v bias %b epsilon(0.5)
      : (tensor<2x6x5x7xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x5x7xf16>
  return %0, %1, %2 : tensor<2x6x5x7xf16>, tensor<2x6x5x7xf16>, tensor<2x6x5x7xf16>
}

func.func @attention(%q: tensor<2x3x5x16xf16>, %k: tensor<2x1x33x16xf16>,
                     %v: tensor<2x1x33x8xf16>, %m: tensor<1x1x5x33xf16>, %s: tensor<6x20xf32>)
    -> (tensor<2x3x5x8xf16>, tensor<6xf32>, tensor<6x20xf32>) {
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(0.25)
      : (tensor<2x3x5x16xf16>, tensor<2x1x33x16xf16>, tensor<2x1x33x8xf16>, tensor<1x1x5x33xf16>)
      -> tensor<2x3x5x8xf16>
  %1 = mirage_kernel.variance %s dim(1) correction(1.0) : (tensor<6x20xf32>) -> tensor<6xf32>
  %2 = mirage_kernel.log_softmax %s dim(1) : (tensor<6x20xf32>) -> tensor<6x20xf32>
  return %0, %1, %2 : tensor<2x3x5x8xf16>, tensor<6xf32>, tensor<6x20xf32>
}

func.func @layouts(%x: tensor<4x6xf16>, %y: tensor<4x2xf16>, %z: tensor<1x6xf16>)
    -> (tensor<8x18xf16>, tensor<4x6xf16>, tensor<3x8xf16>, tensor<6x4xf16>, tensor<2x3xf16>,
        tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x14xf16>, tensor<7x7xf16>) {
  %0 = mirage_kernel.repeat %x times [2, 3] : (tensor<4x6xf16>) -> tensor<8x18xf16>
  %1 = mirage_kernel.broadcast %z : tensor<1x6xf16> to tensor<4x6xf16>
  %2 = mirage_kernel.reshape %x : tensor<4x6xf16> to tensor<3x8xf16>
  %3 = mirage_kernel.transpose %x [1, 0] : (tensor<4x6xf16>) -> tensor<6x4xf16>
  %4 = mirage_kernel.slice %x[1, 0] [2, 3] [2, 2] : (tensor<4x6xf16>) -> tensor<2x3xf16>
  %5:2 = mirage_kernel.split %x dim(1) parts(2)
      : (tensor<4x6xf16>) -> (tensor<4x3xf16>, tensor<4x3xf16>)
  %6 = mirage_kernel.concat dim(1) %x, %y, %x
      : (tensor<4x6xf16>, tensor<4x2xf16>, tensor<4x6xf16>) -> tensor<4x14xf16>
  %7 = mirage_kernel.pad %x low [1, 0] high [2, 1] value(-3.0)
      : (tensor<4x6xf16>) -> tensor<7x7xf16>
  return %0, %1, %2, %3, %4, %5#0, %5#1, %6, %7
      : tensor<8x18xf16>, tensor<4x6xf16>, tensor<3x8xf16>, tensor<6x4xf16>, tensor<2x3xf16>,
        tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x14xf16>, tensor<7x7xf16>
}

func.func @reductions(%x: tensor<6x20xf16>)
    -> (tensor<6xf32>, tensor<1x20xf16>, tensor<6x5xf16>, tensor<6x1xf32>) {
  %0 = mirage_kernel.reduce sum %x dim(1) : (tensor<6x20xf16>) -> tensor<6xf32>
  %1 = mirage_kernel.reduce max %x dim(0) keep : (tensor<6x20xf16>) -> tensor<1x20xf16>
  %2 = mirage_kernel.reduce sum %x dim(1) group(4) : (tensor<6x20xf16>) -> tensor<6x5xf16>
  %3 = mirage_kernel.reduce mean %x dim(1) keep : (tensor<6x20xf16>) -> tensor<6x1xf32>
  return %0, %1, %2, %3
      : tensor<6xf32>, tensor<1x20xf16>, tensor<6x5xf16>, tensor<6x1xf32>
}

func.func @products(%a: tensor<2x5x12xf16>, %b: tensor<2x12x7xf16>, %c: tensor<1x7x12xf16>,
                    %w: tensor<5x8xf32>, %x: tensor<5x3xf32>, %y: tensor<8x6xf32>,
                    %z: tensor<3x6xf32>)
    -> (tensor<2x5x7xf32>, tensor<2x5x7xf16>, tensor<5x6xf32>, tensor<5x6xf32>,
        tensor<8x3xf32>) {
  %0 = mirage_kernel.matmul %a, %b
      : (tensor<2x5x12xf16>, tensor<2x12x7xf16>) -> tensor<2x5x7xf32>
  %1 = mirage_kernel.matmul %a, %c transpose_rhs
      : (tensor<2x5x12xf16>, tensor<1x7x12xf16>) -> tensor<2x5x7xf16>
  %2 = mirage_kernel.concat_matmul (%w, %x), (%y, %z)
      : (tensor<5x8xf32>, tensor<5x3xf32>, tensor<8x6xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
  %3 = mirage_kernel.matmul %w, %y compute tf32
      : (tensor<5x8xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  %4 = mirage_kernel.matmul %w, %x transpose_lhs
      : (tensor<5x8xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
  return %0, %1, %2, %3, %4
      : tensor<2x5x7xf32>, tensor<2x5x7xf16>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<8x3xf32>
}

func.func @convolutions(%x: tensor<2x4x9x8xf16>, %f: tensor<6x2x3x2xf16>,
                        %u: tensor<1x7x7x3xf32>, %g: tensor<2x2x3x5xf32>)
    -> (tensor<2x6x5x4xf16>, tensor<1x6x6x5xf32>) {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [2, 2] padding [1, 1, 0, 1] dilations [1, 1]
      groups(2) : (tensor<2x4x9x8xf16>, tensor<6x2x3x2xf16>) -> tensor<2x6x5x4xf16>
  %1 = mirage_kernel.conv2d nhwc %u, %g strides [1, 1] padding [0, 1, 1, 0] dilations [2, 2]
      groups(1) : (tensor<1x7x7x3xf32>, tensor<2x2x3x5xf32>) -> tensor<1x6x6x5xf32>
  return %0, %1 : tensor<2x6x5x4xf16>, tensor<1x6x6x5xf32>
}

func.func @composites(%x: tensor<3x40xf16>, %w: tensor<40xf16>, %b: tensor<40xf16>)
    -> (tensor<3x40xf16>, tensor<3x40xf16>, tensor<3x40xf16>, tensor<3x40xf16>) {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<3x40xf16>) -> tensor<3x40xf16>
  %1 = mirage_kernel.softmax %x dim(0) : (tensor<3x40xf16>) -> tensor<3x40xf16>
  %2 = mirage_kernel.rms_norm %x weight %w epsilon(1.0e-5)
      : (tensor<3x40xf16>, tensor<40xf16>) -> tensor<3x40xf16>
  %3 = mirage_kernel.layer_norm %x weight %w bias %b epsilon(1.0e-5)
      : (tensor<3x40xf16>, tensor<40xf16>, tensor<40xf16>) -> tensor<3x40xf16>
  return %0, %1, %2, %3
      : tensor<3x40xf16>, tensor<3x40xf16>, tensor<3x40xf16>, tensor<3x40xf16>
}

func.func @double(%a: tensor<6x10xf64>, %b: tensor<10x4xf64>)
    -> (tensor<6x4xf64>, tensor<6x10xf64>, tensor<6xf64>, tensor<6x10xf16>) {
  %0 = mirage_kernel.matmul %a, %b : (tensor<6x10xf64>, tensor<10x4xf64>) -> tensor<6x4xf64>
  %1 = mirage_kernel.rms_norm %a epsilon(1.0e-6) : (tensor<6x10xf64>) -> tensor<6x10xf64>
  %2 = mirage_kernel.reduce max %a dim(1) : (tensor<6x10xf64>) -> tensor<6xf64>
  %3 = mirage_kernel.cast %a : tensor<6x10xf64> to tensor<6x10xf16>
  return %0, %1, %2, %3
      : tensor<6x4xf64>, tensor<6x10xf64>, tensor<6xf64>, tensor<6x10xf16>
}

func.func @double_functions(%x: tensor<40x50xf64>)
    -> (tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>,
        tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>) {
  %c = mirage_kernel.constant dense<0.01> : tensor<1x1xf64>
  %s = mirage_kernel.square %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %p = mirage_kernel.add %s, %c : (tensor<40x50xf64>, tensor<1x1xf64>) -> tensor<40x50xf64>
  %0 = mirage_kernel.exp %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %1 = mirage_kernel.exp2 %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %2 = mirage_kernel.log %p : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %3 = mirage_kernel.gelu erf %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %4 = mirage_kernel.tanh %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %5 = mirage_kernel.silu %x : (tensor<40x50xf64>) -> tensor<40x50xf64>
  %6 = mirage_kernel.pow %p to 0.3 : (tensor<40x50xf64>) -> tensor<40x50xf64>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>,
        tensor<40x50xf64>, tensor<40x50xf64>, tensor<40x50xf64>
}

func.func @eight_bits(%x: tensor<8x16xf32>, %a: tensor<8x16xf8E4M3FN>, %b: tensor<16x8xf8E4M3FN>)
    -> (tensor<8x16xf8E4M3FN>, tensor<8x16xf8E5M2>, tensor<8x8xf32>, tensor<16x8xf8E4M3FN>) {
  %0 = mirage_kernel.cast %x : tensor<8x16xf32> to tensor<8x16xf8E4M3FN>
  %1 = mirage_kernel.cast %x : tensor<8x16xf32> to tensor<8x16xf8E5M2>
  %2 = mirage_kernel.matmul %a, %b
      : (tensor<8x16xf8E4M3FN>, tensor<16x8xf8E4M3FN>) -> tensor<8x8xf32>
  %3 = mirage_kernel.transpose %a [1, 0] : (tensor<8x16xf8E4M3FN>) -> tensor<16x8xf8E4M3FN>
  return %0, %1, %2, %3
      : tensor<8x16xf8E4M3FN>, tensor<8x16xf8E5M2>, tensor<8x8xf32>, tensor<16x8xf8E4M3FN>
}

// Results that are arguments, constants, or returned twice are copied.
func.func @aliases(%x: tensor<3x5xf16>)
    -> (tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<2x2xf32>) {
  %c = mirage_kernel.constant dense<[[1.0, 2.0], [3.0, 4.5]]> : tensor<2x2xf32>
  %0 = mirage_kernel.relu %x : (tensor<3x5xf16>) -> tensor<3x5xf16>
  return %x, %0, %0, %c
      : tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<2x2xf32>
}
