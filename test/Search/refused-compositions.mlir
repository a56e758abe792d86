// Searches end when what was found promises enough. Where that is refused, they
// go on with what is left.
//
// RUN: mirage-opt %s --mirage-optimize=deadline=0 --remarks-filter=mirage-superoptimize.* -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Scores of keys and queries that are rounded to f16 are large, and so are the
// differences of exponentials: two launches that round elsewhere are refused.
// Without more searches, kernels for single operators would take their place.

// REMARK: [Failure] composition
// REMARK-SAME: on block inputs its error is
// REMARK: [Passed] replaced
// REMARK-SAME: became 3 launches:
// CHECK-LABEL: func.func private @sharp_attention_part
// CHECK-SAME: verdict = "proved"
// CHECK-COUNT-3: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @sharp_attention(%x: tensor<16x128xf16>, %wq: tensor<128x128xf16>, %wk: tensor<128x64xf16>, %wv: tensor<128x64xf16>, %c: tensor<1x16x32xf16>, %s: tensor<1x16x32xf16>) -> tensor<4x16x32xf16> {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-5) : (tensor<16x128xf16>) -> tensor<16x128xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<16x128xf16>, tensor<128x128xf16>) -> tensor<16x128xf16>
  %qs = mirage_kernel.reshape %q : tensor<16x128xf16> to tensor<16x4x32xf16>
  %qh = mirage_kernel.transpose %qs [1, 0, 2] : (tensor<16x4x32xf16>) -> tensor<4x16x32xf16>
  %qa = mirage_kernel.slice %qh[0, 0, 0] [4, 16, 16] [1, 1, 1] : (tensor<4x16x32xf16>) -> tensor<4x16x16xf16>
  %qb = mirage_kernel.slice %qh[0, 0, 16] [4, 16, 16] [1, 1, 1] : (tensor<4x16x32xf16>) -> tensor<4x16x16xf16>
  %qn = mirage_kernel.scale %qb by -1.0 : (tensor<4x16x16xf16>) -> tensor<4x16x16xf16>
  %qt = mirage_kernel.concat dim(2) %qn, %qa : (tensor<4x16x16xf16>, tensor<4x16x16xf16>) -> tensor<4x16x32xf16>
  %qc = mirage_kernel.mul %qh, %c : (tensor<4x16x32xf16>, tensor<1x16x32xf16>) -> tensor<4x16x32xf16>
  %qd = mirage_kernel.mul %qt, %s : (tensor<4x16x32xf16>, tensor<1x16x32xf16>) -> tensor<4x16x32xf16>
  %qr = mirage_kernel.add %qc, %qd : (tensor<4x16x32xf16>, tensor<4x16x32xf16>) -> tensor<4x16x32xf16>
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
  %a = mirage_kernel.attention %qr, %kf, %vf scale(0.125) : (tensor<4x16x32xf16>, tensor<4x16x32xf16>, tensor<4x16x32xf16>) -> tensor<4x16x32xf16>
  return %a : tensor<4x16x32xf16>
}

}
