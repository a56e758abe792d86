// Rows of a vocabulary are longer than shared memory. One launch has a loop for each pass over a row, and iterations store what they
// compute of a result with such rows.

// RUN: mirage-opt %s --mirage-optimize=deadline=0 | FileCheck %s

// The maximum and the sum of exponentials, then the quotients.
// CHECK-LABEL: func.func private @softmax_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for
// CHECK: mirage_block.accumulate rescaled_sum
// CHECK: mirage_block.for
// CHECK: mirage_block.cast {{.*}} to [[TILE:tensor<[0-9]+x[0-9]+xf16>]]
// CHECK: mirage_block.accumulate concat {{.*}} : ([[TILE]]) -> tensor<{{[0-9]+}}x128256xf16>
// CHECK: mirage_block.store
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @softmax(%x: tensor<256x128256xf16>) -> tensor<256x128256xf16> {
  %f = mirage_kernel.cast %x : tensor<256x128256xf16> to tensor<256x128256xf32>
  %p = mirage_kernel.softmax %f dim(1) : (tensor<256x128256xf32>) -> tensor<256x128256xf32>
  %r = mirage_kernel.cast %p : tensor<256x128256xf32> to tensor<256x128256xf16>
  return %r : tensor<256x128256xf16>
}

// One loop has the maximum, the sum of exponentials, that of the targets and that of the weighted logits.
// CHECK-LABEL: func.func private @cross_entropy_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for
// CHECK-NOT: mirage_block.for
// CHECK: mirage_block.yield {{%[^,]*, %[^,]*, %[^,]*, %[^,]*}} :
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @cross_entropy(%x: tensor<1024x128256xf16>, %t: tensor<1024x128256xf16>) -> tensor<1024x1xf32> {
  %f = mirage_kernel.cast %x : tensor<1024x128256xf16> to tensor<1024x128256xf32>
  %l = mirage_kernel.log_softmax %f dim(1) : (tensor<1024x128256xf32>) -> tensor<1024x128256xf32>
  %tf = mirage_kernel.cast %t : tensor<1024x128256xf16> to tensor<1024x128256xf32>
  %m = mirage_kernel.mul %l, %tf : (tensor<1024x128256xf32>, tensor<1024x128256xf32>) -> tensor<1024x128256xf32>
  %s = mirage_kernel.reduce sum %m dim(1) keep : (tensor<1024x128256xf32>) -> tensor<1024x1xf32>
  %r = mirage_kernel.scale %s by -1.0 : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
  return %r : tensor<1024x1xf32>
}

// A mean, a variance around it, and the normalized rows.
// CHECK-LABEL: func.func private @layer_norm_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK-COUNT-3: mirage_block.for
// CHECK: mirage_block.accumulate concat
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @layer_norm(%x: tensor<256x131072xf16>) -> tensor<256x131072xf16> {
  %f = mirage_kernel.cast %x : tensor<256x131072xf16> to tensor<256x131072xf32>
  %n = mirage_kernel.layer_norm %f epsilon(1.0e-05) : (tensor<256x131072xf32>) -> tensor<256x131072xf32>
  %r = mirage_kernel.cast %n : tensor<256x131072xf32> to tensor<256x131072xf16>
  return %r : tensor<256x131072xf16>
}
