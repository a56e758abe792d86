// A load gives any order: distances that are stored with keys first are
// transposed as they were loaded, and scores, to which they are added, are not
// transposed. A search finds no more time for them than for distances that are
// stored with queries first, but for the lines of their tiles.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null | FileCheck %s --check-prefix=COST

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @keys_first_part
// CHECK: verdict = "proved"
// CHECK: %[[DISTANCES:.*]] = mirage_block.load {{.*}} : tensor<1x512x512xf16>
// CHECK: %[[TURNED:.*]] = mirage_block.transpose %[[DISTANCES]] [0, 2, 1]
// CHECK: mirage_block.cast %[[TURNED]]
// CHECK-NOT: mirage_block.transpose
// COST-LABEL: @keys_first_part
// COST: total 7.46 us
func.func @keys_first(%q: tensor<16x512x64xf16>, %k: tensor<16x512x64xf16>, %v: tensor<16x512x64xf16>, %slope: tensor<16x1x1xf16>, %distance: tensor<1x512x512xf16>) -> tensor<16x512x64xf16> {
  %turned = mirage_kernel.transpose %distance [0, 2, 1] : (tensor<1x512x512xf16>) -> tensor<1x512x512xf16>
  %s = mirage_kernel.cast %slope : tensor<16x1x1xf16> to tensor<16x1x1xf32>
  %d = mirage_kernel.cast %turned : tensor<1x512x512xf16> to tensor<1x512x512xf32>
  %bias = mirage_kernel.mul %s, %d : (tensor<16x1x1xf32>, tensor<1x512x512xf32>) -> tensor<16x512x512xf32>
  %product = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<16x512x64xf16>, tensor<16x512x64xf16>) -> tensor<16x512x512xf32>
  %scores = mirage_kernel.scale %product by 1.25e-01 : (tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  %sum = mirage_kernel.add %scores, %bias : (tensor<16x512x512xf32>, tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  %p = mirage_kernel.softmax %sum dim(2) : (tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  %h = mirage_kernel.cast %p : tensor<16x512x512xf32> to tensor<16x512x512xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<16x512x512xf16>, tensor<16x512x64xf16>) -> tensor<16x512x64xf32>
  %r = mirage_kernel.cast %o : tensor<16x512x64xf32> to tensor<16x512x64xf16>
  return %r : tensor<16x512x64xf16>
}

// A graph without transposed sums is taken even if it is faster by less than the
// cost model can tell: the residual is transposed as it was loaded, where the
// product was transposed twice.
// CHECK-LABEL: func.func private @residual_first_part
// CHECK: verdict = "proved"
// CHECK: %[[RESIDUAL:.*]] = mirage_block.load {{.*}} imap(x -> 1, y -> 0) : tensor<1024x128xf16>
// CHECK: mirage_block.matmul
// CHECK: mirage_block.transpose %[[RESIDUAL]] [1, 0]
// CHECK-NOT: mirage_block.transpose
// CHECK: mirage_block.store
// CHECK: return
func.func @residual_first(%x: tensor<128x1024xf16>, %w: tensor<1024x1024xf16>, %b: tensor<1x1024xf16>, %r: tensor<1024x128xf16>) -> tensor<128x1024xf16> {
  %product = mirage_kernel.matmul %x, %w : (tensor<128x1024xf16>, tensor<1024x1024xf16>) -> tensor<128x1024xf32>
  %bias = mirage_kernel.cast %b : tensor<1x1024xf16> to tensor<1x1024xf32>
  %biased = mirage_kernel.add %product, %bias : (tensor<128x1024xf32>, tensor<1x1024xf32>) -> tensor<128x1024xf32>
  %turned = mirage_kernel.transpose %r [1, 0] : (tensor<1024x128xf16>) -> tensor<128x1024xf16>
  %residual = mirage_kernel.cast %turned : tensor<128x1024xf16> to tensor<128x1024xf32>
  %sum = mirage_kernel.add %biased, %residual : (tensor<128x1024xf32>, tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %norm = mirage_kernel.layer_norm %sum epsilon(1.0e-12) : (tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %result = mirage_kernel.cast %norm : tensor<128x1024xf32> to tensor<128x1024xf16>
  return %result : tensor<128x1024xf16>
}

}
