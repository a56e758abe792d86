// Kernels of functions that one other calls, directly or not, run between each other's, and their code is
// fetched for each launch; those of functions that stand beside each other do not, and each gets what it gets
// alone.

// RUN: mirage-opt %s --split-input-file --mirage-optimize=kernels=1 \
// RUN:   --remarks-filter=mirage-superoptimize-details --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// CHECK: Function=alone_part {{.*}}the fastest candidate takes [[ALONE:[0-9.]+]] µs
func.func @alone(%x: tensor<128x256xf16>, %w: tensor<256x128xf16>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<128x256xf16>, tensor<256x128xf16>) -> tensor<128x128xf32>
  %1 = mirage_kernel.silu %0 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// -----

// The first two share a search.

// CHECK: Function=first_part {{.*}}the fastest candidate takes [[ALONE]] µs
func.func @first(%x: tensor<128x256xf16>, %w: tensor<256x128xf16>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<128x256xf16>, tensor<256x128xf16>) -> tensor<128x128xf32>
  %1 = mirage_kernel.silu %0 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}
// CHECK: Function=second_part {{.*}}the fastest candidate takes [[ALONE]] µs
func.func @second(%x: tensor<128x256xf16>, %w: tensor<256x128xf16>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<128x256xf16>, tensor<256x128xf16>) -> tensor<128x128xf32>
  %1 = mirage_kernel.silu %0 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// The third is called beside a fourth one, by what calls one and by what calls this.

// CHECK-NOT: Function=third_part {{.*}}the fastest candidate takes [[ALONE]] µs
// CHECK: Function=third_part {{.*}}the fastest candidate takes {{[0-9.]+}} µs
func.func private @third(%x: tensor<128x256xf16>, %w: tensor<256x128xf16>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<128x256xf16>, tensor<256x128xf16>) -> tensor<128x128xf32>
  %1 = mirage_kernel.silu %0 : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}
func.func private @fourth(%x: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.exp %x : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}
func.func private @layer(%x: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = call @fourth(%x) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}
func.func @model(%x: tensor<128x256xf16>, %w: tensor<256x128xf16>) -> tensor<128x128xf32> {
  %0 = call @third(%x, %w) : (tensor<128x256xf16>, tensor<256x128xf16>) -> tensor<128x128xf32>
  %1 = call @layer(%0) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}
