// Heads that share keys and values are written with a broadcast. It belongs to
// what reads it, so that a launch that stores keys stores each head once.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

// One launch has the projections and the rotation of the keys, and the other
// one the attention, which reads two heads for four.

// CHECK-LABEL: func.func private @repeated_heads_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: broadcast
// CHECK: mirage_kernel.launch
// CHECK-COUNT-3: mirage_block.matmul
// CHECK-COUNT-2: mirage_block.mul
// CHECK: [[K:%.*]] = mirage_kernel.reshape {{.*}} to tensor<2x1x16x32xf16>
// CHECK: mirage_kernel.launch {{.*}} (%{{[^,]*}}, %{{[^,]*}} : tensor<16x2x32xf16>, %{{[^,]*}} = [[K]] : tensor<2x1x16x32xf16>) -> tensor<2x2x16x32xf16>
// CHECK-NOT: mirage_block.concat
// CHECK-NOT: mirage_kernel.launch
func.func @repeated_heads(%x: tensor<16x128xf16>, %wq: tensor<128x128xf16>, %wk: tensor<128x64xf16>, %wv: tensor<128x64xf16>, %c: tensor<1x16x32xf16>, %s: tensor<1x16x32xf16>) -> tensor<4x16x32xf16> {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-5) : (tensor<16x128xf16>) -> tensor<16x128xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<16x128xf16>, tensor<128x128xf16>) -> tensor<16x128xf16>
  %qs = mirage_kernel.reshape %q : tensor<16x128xf16> to tensor<16x4x32xf16>
  %qh = mirage_kernel.transpose %qs [1, 0, 2] : (tensor<16x4x32xf16>) -> tensor<4x16x32xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<16x128xf16>, tensor<128x64xf16>) -> tensor<16x64xf16>
  %ks = mirage_kernel.reshape %k : tensor<16x64xf16> to tensor<16x2x32xf16>
  %kh = mirage_kernel.transpose %ks [1, 0, 2] : (tensor<16x2x32xf16>) -> tensor<2x16x32xf16>
  %ka = mirage_kernel.slice %kh[0, 0, 0] [2, 16, 16] [1, 1, 1] : (tensor<2x16x32xf16>) -> tensor<2x16x16xf16>
  %kb = mirage_kernel.slice %kh[0, 0, 16] [2, 16, 16] [1, 1, 1] : (tensor<2x16x32xf16>) -> tensor<2x16x16xf16>
  %kn = mirage_kernel.scale %kb by -1.0 : (tensor<2x16x16xf16>) -> tensor<2x16x16xf16>
  %kt = mirage_kernel.concat dim(2) %kn, %ka : (tensor<2x16x16xf16>, tensor<2x16x16xf16>) -> tensor<2x16x32xf16>
  %kc = mirage_kernel.mul %kh, %c : (tensor<2x16x32xf16>, tensor<1x16x32xf16>) -> tensor<2x16x32xf16>
  %kd = mirage_kernel.mul %kt, %s : (tensor<2x16x32xf16>, tensor<1x16x32xf16>) -> tensor<2x16x32xf16>
  %kr = mirage_kernel.add %kc, %kd : (tensor<2x16x32xf16>, tensor<2x16x32xf16>) -> tensor<2x16x32xf16>
  %ko = mirage_kernel.reshape %kr : tensor<2x16x32xf16> to tensor<2x1x16x32xf16>
  %kw = mirage_kernel.broadcast %ko : tensor<2x1x16x32xf16> to tensor<2x2x16x32xf16>
  %kf = mirage_kernel.reshape %kw : tensor<2x2x16x32xf16> to tensor<4x16x32xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<16x128xf16>, tensor<128x64xf16>) -> tensor<16x64xf16>
  %vs = mirage_kernel.reshape %v : tensor<16x64xf16> to tensor<16x2x32xf16>
  %vh = mirage_kernel.transpose %vs [1, 0, 2] : (tensor<16x2x32xf16>) -> tensor<2x16x32xf16>
  %vo = mirage_kernel.reshape %vh : tensor<2x16x32xf16> to tensor<2x1x16x32xf16>
  %vw = mirage_kernel.broadcast %vo : tensor<2x1x16x32xf16> to tensor<2x2x16x32xf16>
  %vf = mirage_kernel.reshape %vw : tensor<2x2x16x32xf16> to tensor<4x16x32xf16>
  %a = mirage_kernel.attention %qh, %kf, %vf scale(0.0078125) : (tensor<4x16x32xf16>, tensor<4x16x32xf16>, tensor<4x16x32xf16>) -> tensor<4x16x32xf16>
  return %a : tensor<4x16x32xf16>
}

}
