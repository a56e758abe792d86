// Values of the search have axes and no positions, so that heads may stand where
// they like, and casts to f32 that one operand brings about change no products.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

// CHECK-LABEL: func.func private @heads_behind_rows_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: mirage_kernel.transpose
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.transpose
// CHECK-NOT: mirage_kernel.launch
// CHECK: return

// CHECK-LABEL: func.func private @wide_mask_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul {{.*}}xf16>, {{.*}}xf16>) -> {{.*}}xf32>
// CHECK: mirage_block.matmul {{.*}}xf16>, {{.*}}xf16>) -> {{.*}}xf32>
// CHECK-NOT: mirage_kernel.launch

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @heads_behind_rows(%q: tensor<2x512x8x64xf16>, %k: tensor<2x512x8x64xf16>,
                             %v: tensor<2x512x8x64xf16>) -> tensor<2x512x8x64xf16> {
  %qt = mirage_kernel.transpose %q [0, 2, 1, 3] : (tensor<2x512x8x64xf16>) -> tensor<2x8x512x64xf16>
  %kt = mirage_kernel.transpose %k [0, 2, 3, 1] : (tensor<2x512x8x64xf16>) -> tensor<2x8x64x512xf16>
  %vt = mirage_kernel.transpose %v [0, 2, 1, 3] : (tensor<2x512x8x64xf16>) -> tensor<2x8x512x64xf16>
  %s = mirage_kernel.matmul %qt, %kt
      : (tensor<2x8x512x64xf16>, tensor<2x8x64x512xf16>) -> tensor<2x8x512x512xf32>
  %p = mirage_kernel.softmax %s dim(3) : (tensor<2x8x512x512xf32>) -> tensor<2x8x512x512xf32>
  %h = mirage_kernel.cast %p : tensor<2x8x512x512xf32> to tensor<2x8x512x512xf16>
  %o = mirage_kernel.matmul %h, %vt
      : (tensor<2x8x512x512xf16>, tensor<2x8x512x64xf16>) -> tensor<2x8x512x64xf16>
  %ot = mirage_kernel.transpose %o [0, 2, 1, 3] : (tensor<2x8x512x64xf16>) -> tensor<2x512x8x64xf16>
  return %ot : tensor<2x512x8x64xf16>
}

func.func @wide_mask(%q: tensor<8x256x64xf16>, %k: tensor<8x64x256xf16>,
                     %v: tensor<8x256x64xf16>, %m: tensor<1x256x256xf32>) -> tensor<8x256x64xf16> {
  %s = mirage_kernel.matmul %q, %k
      : (tensor<8x256x64xf16>, tensor<8x64x256xf16>) -> tensor<8x256x256xf16>
  %c = mirage_kernel.cast %s : tensor<8x256x256xf16> to tensor<8x256x256xf32>
  %a = mirage_kernel.add %c, %m : (tensor<8x256x256xf32>, tensor<1x256x256xf32>) -> tensor<8x256x256xf32>
  %p = mirage_kernel.softmax %a dim(2) : (tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %h = mirage_kernel.cast %p : tensor<8x256x256xf32> to tensor<8x256x256xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<8x256x256xf16>, tensor<8x256x64xf16>) -> tensor<8x256x64xf16>
  return %o : tensor<8x256x64xf16>
}

}
