// A norm of images whose result is reflected at its borders is one launch, since launches store what
// arranges their results. Operators that only move elements are priced as the kernels that find
// elements through them: one by one, those of the reflection took as long as several launches, and
// two launches were found that store parts of it.

// RUN: mirage-opt %s --mirage-optimize -o %t --remark-policy=all --remarks-filter=mirage-superoptimize 2>&1 | FileCheck %s --check-prefix=FOUND
// RUN: mirage-opt %t --mirage-lower-to-launches | FileCheck %s
// RUN: mirage-run %t --entry=norm --device=threads | FileCheck %s --check-prefix=RIGHT

// FOUND: 16 operators in 14 kernels became 1 launch and 3 kernels: {{.*}} (with elementwise operators, casts and layouts fused 2.{{[0-9]+}} µs instead of {{[0-9.]+}} µs); proved.
// RIGHT: over_bound=0 unbounded=0

// CHECK-LABEL: func.func @norm(
// CHECK: mirage_kernel.launch grid(x = 16)
// CHECK: mirage_block.concat dim(3)
// CHECK-NOT: mirage_kernel.concat
// CHECK: return

func.func @norm(%x: tensor<1x16x12x12xf16>, %w: tensor<1x16x1x1xf16>, %b: tensor<1x16x1x1xf16>) -> tensor<1x16x14x14xf16> {
  %f = mirage_kernel.cast %x : tensor<1x16x12x12xf16> to tensor<1x16x12x12xf32>
  %rows = mirage_kernel.reshape %f : tensor<1x16x12x12xf32> to tensor<16x144xf32>
  %n = mirage_kernel.layer_norm %rows epsilon(1.0e-05) : (tensor<16x144xf32>) -> tensor<16x144xf32>
  %image = mirage_kernel.reshape %n : tensor<16x144xf32> to tensor<1x16x12x12xf32>
  %wf = mirage_kernel.cast %w : tensor<1x16x1x1xf16> to tensor<1x16x1x1xf32>
  %bf = mirage_kernel.cast %b : tensor<1x16x1x1xf16> to tensor<1x16x1x1xf32>
  %m = mirage_kernel.mul %image, %wf : (tensor<1x16x12x12xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x12x12xf32>
  %s = mirage_kernel.add %m, %bf : (tensor<1x16x12x12xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x12x12xf32>
  %r = mirage_kernel.relu %s : (tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  %h = mirage_kernel.cast %r : tensor<1x16x12x12xf32> to tensor<1x16x12x12xf16>
  %top = mirage_kernel.slice %h[0, 0, 1, 0] [1, 16, 1, 12] [1, 1, 1, 1] : (tensor<1x16x12x12xf16>) -> tensor<1x16x1x12xf16>
  %bottom = mirage_kernel.slice %h[0, 0, 10, 0] [1, 16, 1, 12] [1, 1, 1, 1] : (tensor<1x16x12x12xf16>) -> tensor<1x16x1x12xf16>
  %tall = mirage_kernel.concat dim(2) %top, %h, %bottom : (tensor<1x16x1x12xf16>, tensor<1x16x12x12xf16>, tensor<1x16x1x12xf16>) -> tensor<1x16x14x12xf16>
  %left = mirage_kernel.slice %tall[0, 0, 0, 1] [1, 16, 14, 1] [1, 1, 1, 1] : (tensor<1x16x14x12xf16>) -> tensor<1x16x14x1xf16>
  %right = mirage_kernel.slice %tall[0, 0, 0, 10] [1, 16, 14, 1] [1, 1, 1, 1] : (tensor<1x16x14x12xf16>) -> tensor<1x16x14x1xf16>
  %wide = mirage_kernel.concat dim(3) %left, %tall, %right : (tensor<1x16x14x1xf16>, tensor<1x16x14x12xf16>, tensor<1x16x14x1xf16>) -> tensor<1x16x14x14xf16>
  return %wide : tensor<1x16x14x14xf16>
}
