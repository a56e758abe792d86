// Queries, keys and values of heads that share keys and values have unlike
// widths. Their columns are runs of as many units as keys have columns, and one
// grid divides a unit's, whether their weights are tensors of their own or
// columns of one tensor. Both take the same time, which is less than without
// (4.83 microseconds, where each block loads all weights).
//
// RUN: mirage-opt %s --mirage-superoptimize="effort=1 pieces=false" | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func @apart
// CHECK-SAME: microseconds = [[MICROSECONDS:4.0[0-9]*e\+00]] : f32,
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = [[X:[0-9]+]], y = [[Y:[0-9]+]], z = [[Z:[0-9]+]])
// CHECK: to tensor<256x3x1x8xf16>
// CHECK: to tensor<256x1x8xf16>
// CHECK: to tensor<256x1x8xf16>
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @apart(%x: tensor<16x256xf16>, %wq: tensor<256x192xf16>, %wk: tensor<256x64xf16>, %wv: tensor<256x64xf16>) -> (tensor<6x16x32xf16>, tensor<2x16x32xf16>, tensor<16x64xf16>) attributes {mirage.superoptimize} {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-6) : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<16x256xf16>, tensor<256x192xf16>) -> tensor<16x192xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  %qr = mirage_kernel.reshape %q : tensor<16x192xf16> to tensor<16x6x32xf16>
  %kr = mirage_kernel.reshape %k : tensor<16x64xf16> to tensor<16x2x32xf16>
  %qt = mirage_kernel.transpose %qr [1, 0, 2] : (tensor<16x6x32xf16>) -> tensor<6x16x32xf16>
  %kt = mirage_kernel.transpose %kr [1, 0, 2] : (tensor<16x2x32xf16>) -> tensor<2x16x32xf16>
  return %qt, %kt, %v : tensor<6x16x32xf16>, tensor<2x16x32xf16>, tensor<16x64xf16>
}

// CHECK-LABEL: func.func @sliced
// CHECK-SAME: microseconds = [[MICROSECONDS]] : f32,
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = [[X]], y = [[Y]], z = [[Z]])
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @sliced(%x: tensor<16x256xf16>, %w: tensor<256x320xf16>) -> (tensor<6x16x32xf16>, tensor<2x16x32xf16>, tensor<16x64xf16>) attributes {mirage.superoptimize} {
  %wq = mirage_kernel.slice %w[0, 0] [256, 192] [1, 1] : (tensor<256x320xf16>) -> tensor<256x192xf16>
  %wk = mirage_kernel.slice %w[0, 192] [256, 64] [1, 1] : (tensor<256x320xf16>) -> tensor<256x64xf16>
  %wv = mirage_kernel.slice %w[0, 256] [256, 64] [1, 1] : (tensor<256x320xf16>) -> tensor<256x64xf16>
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-6) : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<16x256xf16>, tensor<256x192xf16>) -> tensor<16x192xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  %qr = mirage_kernel.reshape %q : tensor<16x192xf16> to tensor<16x6x32xf16>
  %kr = mirage_kernel.reshape %k : tensor<16x64xf16> to tensor<16x2x32xf16>
  %qt = mirage_kernel.transpose %qr [1, 0, 2] : (tensor<16x6x32xf16>) -> tensor<6x16x32xf16>
  %kt = mirage_kernel.transpose %kr [1, 0, 2] : (tensor<16x2x32xf16>) -> tensor<2x16x32xf16>
  return %qt, %kt, %v : tensor<6x16x32xf16>, tensor<2x16x32xf16>, tensor<16x64xf16>
}
}
