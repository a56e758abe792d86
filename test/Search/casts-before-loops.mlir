// A value that is computed before a loop is cast before it, and not again in each
// iteration.

// RUN: mirage-opt %s --mirage-optimize='kernels=1 pieces=false threads=1' | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The normalized queries stay while the loop goes over the keys.

// CHECK-LABEL: func.func private @queries_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[NORM:%.+]] = mirage_block.rms_norm
// CHECK-NEXT: [[CAST:%.+]] = mirage_block.cast [[NORM]] : tensor<1x64x64xf32> to tensor<1x64x64xf16>
// CHECK: mirage_block.for
// CHECK-NOT: mirage_block.cast [[NORM]]
// CHECK: mirage_block.matmul [[CAST]],
// CHECK: mirage_block.yield
func.func @queries(%q: tensor<16x256x64xf16>, %k: tensor<16x64x4096xf16>,
                   %v: tensor<16x4096x64xf16>) -> tensor<16x256x64xf16> {
  %0 = mirage_kernel.rms_norm %q epsilon(1.0e-05) : (tensor<16x256x64xf16>) -> tensor<16x256x64xf16>
  %1 = mirage_kernel.matmul %0, %k : (tensor<16x256x64xf16>, tensor<16x64x4096xf16>) -> tensor<16x256x4096xf32>
  %2 = mirage_kernel.softmax %1 dim(2) : (tensor<16x256x4096xf32>) -> tensor<16x256x4096xf32>
  %3 = mirage_kernel.cast %2 : tensor<16x256x4096xf32> to tensor<16x256x4096xf16>
  %4 = mirage_kernel.matmul %3, %v : (tensor<16x256x4096xf16>, tensor<16x4096x64xf16>) -> tensor<16x256x64xf32>
  %5 = mirage_kernel.cast %4 : tensor<16x256x64xf32> to tensor<16x256x64xf16>
  return %5 : tensor<16x256x64xf16>
}

// The first product is made by one loop, and another one multiplies it. Tuning gives
// one block all columns, and leaves no grid dimension of one block.

// CHECK-LABEL: func.func private @layers_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = 8) (
// CHECK: [[SUM:%.+]] = mirage_block.for
// CHECK: [[RELU:%.+]] = mirage_block.relu
// CHECK-NEXT: [[WIDE:%.+]] = mirage_block.cast [[RELU]]
// CHECK: mirage_block.for
// CHECK-NOT: mirage_block.cast [[RELU]]
// CHECK: mirage_block.matmul [[WIDE]],
func.func @layers(%x: tensor<64x4096xf16>, %u: tensor<4096x16xf16>,
                  %v: tensor<16x4096xf16>) -> tensor<64x4096xf16> {
  %0 = mirage_kernel.matmul %x, %u : (tensor<64x4096xf16>, tensor<4096x16xf16>) -> tensor<64x16xf32>
  %1 = mirage_kernel.relu %0 : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %2 = mirage_kernel.cast %1 : tensor<64x16xf32> to tensor<64x16xf16>
  %3 = mirage_kernel.matmul %2, %v : (tensor<64x16xf16>, tensor<16x4096xf16>) -> tensor<64x4096xf32>
  %4 = mirage_kernel.cast %x : tensor<64x4096xf16> to tensor<64x4096xf32>
  %5 = mirage_kernel.add %3, %4 : (tensor<64x4096xf32>, tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %6 = mirage_kernel.cast %5 : tensor<64x4096xf32> to tensor<64x4096xf16>
  return %6 : tensor<64x4096xf16>
}
}
