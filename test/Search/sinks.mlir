// Attention with a sink, a learned logit of each head that joins the softmax and
// that no value follows, is one kernel: the maximum and the sum of a row are those
// of the scores and of the one element that is put behind them.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

// CHECK-LABEL: func.func private @sink_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: mirage_kernel.softmax
// CHECK-NOT: mirage_kernel.concat
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.max
// CHECK-NOT: mirage_kernel.launch
// CHECK: return

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @sink(%q: tensor<8x8x64xbf16>, %k: tensor<8x1024x64xbf16>, %v: tensor<8x1024x64xbf16>, %sink: tensor<8x8x1xbf16>) -> tensor<8x8x64xbf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<8x8x64xbf16>, tensor<8x1024x64xbf16>) -> tensor<8x8x1024xf32>
  %t = mirage_kernel.scale %s by 0.125 : (tensor<8x8x1024xf32>) -> tensor<8x8x1024xf32>
  %l = mirage_kernel.cast %sink : tensor<8x8x1xbf16> to tensor<8x8x1xf32>
  %c = mirage_kernel.concat dim(2) %t, %l : (tensor<8x8x1024xf32>, tensor<8x8x1xf32>) -> tensor<8x8x1025xf32>
  %p = mirage_kernel.softmax %c dim(2) : (tensor<8x8x1025xf32>) -> tensor<8x8x1025xf32>
  %w = mirage_kernel.slice %p[0, 0, 0] [8, 8, 1024] [1, 1, 1] : (tensor<8x8x1025xf32>) -> tensor<8x8x1024xf32>
  %h = mirage_kernel.cast %w : tensor<8x8x1024xf32> to tensor<8x8x1024xbf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<8x8x1024xbf16>, tensor<8x1024x64xbf16>) -> tensor<8x8x64xf32>
  %r = mirage_kernel.cast %o : tensor<8x8x64xf32> to tensor<8x8x64xbf16>
  return %r : tensor<8x8x64xbf16>
}

}
