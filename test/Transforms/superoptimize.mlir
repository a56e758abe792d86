// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='best=1 keep-original max-block-operators=9' -o %t
// RUN: FileCheck %s < %t
// RUN: mirage-opt %t --split-input-file --mirage-verify-equivalence -o /dev/null | FileCheck %s --check-prefix=ANSWER

// The example of the pass's description. The norm is a factor of rows, so that it
// comes after the product, and both sums are collected in one loop.
// CHECK-LABEL: func.func @rmsnorm_linear(
// CHECK-SAME: mirage.equivalent_to = @rmsnorm_linear_original
// CHECK-SAME: mirage.superoptimized = {fused_microseconds = {{[0-9.e+]+}} : f32, microseconds = {{[0-9.e+]+}} : f32, model = "mirage", original_microseconds = {{[0-9.e+]+}} : f32, seed = 0 : i64, verdict = "proved"}
// CHECK-NOT: mirage.superoptimize,
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for
// CHECK: mirage_block.matmul %{{load[_0-9]*}}, %{{load[_0-9]*}} :
// CHECK: mirage_block.yield
// CHECK: mirage_block.{{mul|div}} {{.*}} (tensor<[[ROWS:[0-9]+]]x{{[0-9]+}}xf32>, tensor<[[ROWS]]x1xf32>)
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// CHECK-LABEL: func.func private @rmsnorm_linear_original(
// CHECK-NOT: attributes
// CHECK: mirage_kernel.rms_norm
// ANSWER: @rmsnorm_linear computes what @rmsnorm_linear_original does: proved
func.func @rmsnorm_linear(%x: tensor<16x4096xf16>, %w: tensor<4096x2048xf16>)
    -> tensor<16x2048xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
      : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %1 = mirage_kernel.matmul %0, %w
      : (tensor<16x4096xf16>, tensor<4096x2048xf16>) -> tensor<16x2048xf16>
  return %1 : tensor<16x2048xf16>
}

// -----

// Two products and what is made of them are one kernel.
// CHECK-LABEL: func.func @gated_mlp(
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for
// CHECK-COUNT-2: mirage_block.matmul
// CHECK: mirage_block.yield
// CHECK: mirage_block.silu
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @gated_mlp_original(
// ANSWER: @gated_mlp computes what @gated_mlp_original does: proved
func.func @gated_mlp(%x: tensor<8x1024xf16>, %w1: tensor<1024x1024xf16>,
                     %w2: tensor<1024x1024xf16>)
    -> tensor<8x1024xf16> attributes {mirage.superoptimize} {
  %a = mirage_kernel.matmul %x, %w1
      : (tensor<8x1024xf16>, tensor<1024x1024xf16>) -> tensor<8x1024xf32>
  %g = mirage_kernel.silu %a : (tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %b = mirage_kernel.matmul %x, %w2
      : (tensor<8x1024xf16>, tensor<1024x1024xf16>) -> tensor<8x1024xf32>
  %m = mirage_kernel.mul %g, %b
      : (tensor<8x1024xf32>, tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %o = mirage_kernel.cast %m : tensor<8x1024xf32> to tensor<8x1024xf16>
  return %o : tensor<8x1024xf16>
}

// -----

// Few queries and many keys, where it takes blocks long to share a loop: the keys are split
// over the grid, each block has maxima of its own, and a second kernel combines the
// splits.
// CHECK-LABEL: func.func @attention(
// CHECK: %[[PARTS:.*]]:3 = mirage_kernel.launch grid(x = 2, y = {{[0-9]+}}, z = [[SPLITS:[0-9]+]])
// CHECK-SAME: tensor<[[SPLITS]]x2x128x
// CHECK: mirage_block.load {{.*}}z -> 2){{.*}} : tensor<2x64x4096xf16>
// CHECK: mirage_block.reduce max
// CHECK: mirage_block.exp
// CHECK: mirage_kernel.launch {{.*}}%[[PARTS]]#0
// CHECK: mirage_block.reduce max
// CHECK: mirage_block.exp
// CHECK: mirage_block.div
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @attention_original(
// ANSWER: @attention computes what @attention_original does: proved
module attributes {mirage.target = #mirage.target<sm_90a, cluster_merge_time = 100000>} {
func.func @attention(%q: tensor<2x128x64xf16>, %k: tensor<2x64x4096xf16>,
                     %v: tensor<2x4096x64xf16>)
    -> tensor<2x128x64xf16> attributes {mirage.superoptimize} {
  %s = mirage_kernel.matmul %q, %k
      : (tensor<2x128x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x128x4096xf32>
  %p = mirage_kernel.softmax %s dim(2)
      : (tensor<2x128x4096xf32>) -> tensor<2x128x4096xf32>
  %h = mirage_kernel.cast %p : tensor<2x128x4096xf32> to tensor<2x128x4096xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<2x128x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x128x64xf16>
  return %o : tensor<2x128x64xf16>
}
}
