// Reductions of groups, norms of groups and zeros that a product was padded with
// are parts of launches.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

// A scale for each group of 128 numbers.

// CHECK-LABEL: func.func private @largest_of_group_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.reduce max
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.reduce
func.func @largest_of_group(%x: tensor<64x4096xf32>) -> tensor<64x32xf32> {
  %a = mirage_kernel.abs %x : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %m = mirage_kernel.reduce max %a dim(1) group(128) : (tensor<64x4096xf32>) -> tensor<64x32xf32>
  %s = mirage_kernel.scale %m by 0.007874015748 : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %s : tensor<64x32xf32>
}

// CHECK-LABEL: func.func private @mean_of_group_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.reduce
func.func @mean_of_group(%x: tensor<64x4096xf32>) -> tensor<64x32xf32> {
  %q = mirage_kernel.square %x : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %r = mirage_kernel.reduce mean %q dim(1) group(128) : (tensor<64x4096xf32>) -> tensor<64x32xf32>
  %t = mirage_kernel.sqrt %r : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %t : tensor<64x32xf32>
}

// Groups of eight channels, normalized like rows.

// CHECK-LABEL: func.func private @group_norm_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.layer_norm
// CHECK: mirage_block.silu
// CHECK-NOT: mirage_kernel.launch
func.func @group_norm(%x: tensor<32x64x8x8xf32>, %w: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<32x64x8x8xf32> {
  %r = mirage_kernel.group_norm %x weight %w bias %b groups(8) epsilon(1.0e-5) : (tensor<32x64x8x8xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<32x64x8x8xf32>
  %s = mirage_kernel.silu %r : (tensor<32x64x8x8xf32>) -> tensor<32x64x8x8xf32>
  return %s : tensor<32x64x8x8xf32>
}

// Columns padded to a multiple of 64.

// CHECK-LABEL: func.func private @padded_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: mirage_kernel.pad
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
func.func @padded(%x: tensor<16x496xf16>, %w: tensor<512x256xf16>) -> tensor<16x256xf16> {
  %s = mirage_kernel.silu %x : (tensor<16x496xf16>) -> tensor<16x496xf16>
  %p = mirage_kernel.pad %s low [0, 0] high [0, 16] value(0.0) : (tensor<16x496xf16>) -> tensor<16x512xf16>
  %r = mirage_kernel.matmul %p, %w : (tensor<16x512xf16>, tensor<512x256xf16>) -> tensor<16x256xf16>
  return %r : tensor<16x256xf16>
}

}
