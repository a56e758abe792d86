// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='best=1 kernels=1 max-block-operators=6' | FileCheck %s

// Rows of %x are too long for shared memory, and what is done to the shares is
// not linear: one loop sums, another one after it goes through the row again.
// CHECK-LABEL: func.func @shares(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: %[[SUM:.*]] = mirage_block.for
// CHECK: mirage_block.reduce sum
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.for
// CHECK: mirage_block.div %{{.*}}, %[[SUM]]
// CHECK: mirage_block.silu
// CHECK: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
func.func @shares(%x: tensor<4096x131072xf16>, %w: tensor<131072x64xf16>)
    -> tensor<4096x64xf16> attributes {mirage.superoptimize} {
  %f = mirage_kernel.cast %x
      : tensor<4096x131072xf16> to tensor<4096x131072xf32>
  %0 = mirage_kernel.reduce sum %f dim(1) keep
      : (tensor<4096x131072xf32>) -> tensor<4096x1xf32>
  %1 = mirage_kernel.div %f, %0
      : (tensor<4096x131072xf32>, tensor<4096x1xf32>) -> tensor<4096x131072xf32>
  %2 = mirage_kernel.silu %1
      : (tensor<4096x131072xf32>) -> tensor<4096x131072xf32>
  %3 = mirage_kernel.cast %2
      : tensor<4096x131072xf32> to tensor<4096x131072xf16>
  %4 = mirage_kernel.matmul %3, %w
      : (tensor<4096x131072xf16>, tensor<131072x64xf16>) -> tensor<4096x64xf16>
  return %4 : tensor<4096x64xf16>
}

// -----

// Neither summed dimension fits into shared memory: a loop in a loop.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for %[[N:[^ ]*]] = 0 to
// CHECK: mirage_block.for %[[K:[^ ]*]] = 0 to
// CHECK: mirage_block.load {{.*}}fmap(%[[N]] -> {{phi|2}}, %[[K]] -> {{1|2}})
// CHECK: mirage_block.matmul
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.silu
// CHECK: mirage_block.matmul
// CHECK: mirage_block.accumulate sum
// CHECK-NOT: mirage_kernel.launch
func.func @chain(%a: tensor<128x64x4096xf16>, %b: tensor<128x4096x2048xf16>,
                 %d: tensor<128x2048x64xf16>)
    -> tensor<128x64x64xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %a, %b
      : (tensor<128x64x4096xf16>, tensor<128x4096x2048xf16>)
      -> tensor<128x64x2048xf32>
  %1 = mirage_kernel.silu %0
      : (tensor<128x64x2048xf32>) -> tensor<128x64x2048xf32>
  %2 = mirage_kernel.cast %1
      : tensor<128x64x2048xf32> to tensor<128x64x2048xf16>
  %3 = mirage_kernel.matmul %2, %d
      : (tensor<128x64x2048xf16>, tensor<128x2048x64xf16>)
      -> tensor<128x64x64xf16>
  return %3 : tensor<128x64x64xf16>
}
