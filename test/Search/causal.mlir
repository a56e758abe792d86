// A causal mask is made from indices. It becomes a constant, of which a launch
// loads tiles as it does of an input: attention is one launch.
//
// RUN: mirage-opt %s --mirage-optimize | FileCheck %s

// CHECK-LABEL: func.func private @causal_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[MASK:%.*]] = mirage_kernel.constant
// CHECK: mirage_kernel.launch {{.*}} = [[MASK]] : tensor<1x128x128xf32>
// CHECK: mirage_block.exp
// CHECK-NOT: mirage_kernel.launch

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @causal(%q: tensor<16x128x64xf16>, %k: tensor<16x128x64xf16>, %v: tensor<16x128x64xf16>) -> tensor<16x128x64xf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %mask = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %mask [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<16x128x64xf16>, tensor<16x128x64xf16>) -> tensor<16x128x128xf32>
  %t = mirage_kernel.scale %s by 0.125 : (tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
  %u = mirage_kernel.add %t, %m3 : (tensor<16x128x128xf32>, tensor<1x128x128xf32>) -> tensor<16x128x128xf32>
  %p = mirage_kernel.softmax %u dim(2) : (tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
  %h = mirage_kernel.cast %p : tensor<16x128x128xf32> to tensor<16x128x128xf16>
  %r = mirage_kernel.matmul %h, %v : (tensor<16x128x128xf16>, tensor<16x128x64xf16>) -> tensor<16x128x64xf16>
  return %r : tensor<16x128x64xf16>
}

}
