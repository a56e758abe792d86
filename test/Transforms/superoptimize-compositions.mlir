// A kernel graph of verified pieces is taken if the whole passes what
// mirage-verify-equivalence asks, and only then. Here one exponential follows
// another, so that the whole is beyond tests, and the padding of a convolution
// divides sums into ranges: both the search and the pass prove it with these
// joined.

// DEFINE: %{options} = kernels=1 max-block-operators=7 grid-dims=2 keep-original
// RUN: mirage-opt %s --mirage-superoptimize='%{options} stats=%t.json' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence=annotate -o %t.annotated \
// RUN:   | FileCheck %s --check-prefix=ANSWER
// RUN: FileCheck %s --check-prefix=ANNOTATED < %t.annotated
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence=parts=false -o /dev/null \
// RUN:   2>/dev/null | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: pieces = {{[1-9]}} : i64, {{.*}}verdict = "proved"}
// CHECK: mirage_kernel.conv2d
// CHECK: mirage_kernel.launch
// CHECK-LABEL: func.func private @twice_original(

// JSON: "rejections": [],
// JSON: "verdict": "proved"

// ANSWER: @twice computes what @twice_original does: proved
// ANNOTATED: answer = "proved"
// WHOLE: @twice computes what @twice_original does: proved

func.func @twice(%x: tensor<64x512xf16>, %w: tensor<512x512xf16>, %f: tensor<1x1x3x3xf16>,
                 %v: tensor<512x64xf16>)
    -> tensor<64x64xf16> attributes {mirage.superoptimize} {
  %a = mirage_kernel.matmul %x, %w
      : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf16>
  %g = mirage_kernel.softmax %a dim(1) : (tensor<64x512xf16>) -> tensor<64x512xf16>
  %i = mirage_kernel.reshape %g : tensor<64x512xf16> to tensor<1x1x64x512xf16>
  %c = mirage_kernel.conv2d nchw %i, %f strides [1, 1] padding [1, 1, 1, 1]
      dilations [1, 1] groups(1) : (tensor<1x1x64x512xf16>, tensor<1x1x3x3xf16>) -> tensor<1x1x64x512xf16>
  %o = mirage_kernel.reshape %c : tensor<1x1x64x512xf16> to tensor<64x512xf16>
  %s = mirage_kernel.softmax %o dim(1) : (tensor<64x512xf16>) -> tensor<64x512xf16>
  %r = mirage_kernel.matmul %s, %v : (tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf16>
  return %r : tensor<64x64xf16>
}
