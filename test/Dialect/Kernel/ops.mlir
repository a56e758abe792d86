// mirage_kernel.launch with all that it can hold. The compute operators of the
// dialect are in ../Compute/ops.mlir.

// RUN: mirage-opt %s -verify-roundtrip | mirage-opt | FileCheck %s
// RUN: mirage-opt %s -mlir-print-op-generic | mirage-opt | FileCheck %s
// RUN: mirage-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func @one_dimension(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf16>
// GENERIC: "mirage_kernel.launch"(%{{.*}}) <{grid = array<i64: 4>}> ({
// GENERIC-NEXT: ^bb0(%{{.*}}: tensor<64x32xf16>):
func.func @one_dimension(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // CHECK-NEXT: %[[LAUNCH:.*]] = mirage_kernel.launch grid(x = 4) (%[[A:.*]] = %[[X]] : tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    // CHECK-NEXT: %[[T:.*]] = mirage_block.load %[[A]] imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
    // CHECK-NEXT: %[[E:.*]] = mirage_block.exp %[[T]]
    %e = mirage_block.exp %t : (tensor<16x32xf16>) -> tensor<16x32xf16>
    // CHECK-NEXT: %[[S:.*]] = mirage_block.store %[[E]] omap(x -> 0) : tensor<16x32xf16> to tensor<64x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<16x32xf16> to tensor<64x32xf16>
    // CHECK-NEXT: mirage_block.yield %[[S]] : tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  // CHECK: return %[[LAUNCH]]
  return %y : tensor<64x32xf16>
}

// Three grid dimensions, two operands, two results, the same operand twice.
// CHECK-LABEL: func @three_dimensions(
func.func @three_dimensions(%x: tensor<8x64xf32>, %y: tensor<1x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  // CHECK-NEXT: %[[LAUNCH:.*]]:2 = mirage_kernel.launch grid(x = 2, y = 1, z = 4) (%[[A:.*]] = %[[X:.*]] : tensor<8x64xf32>, %[[B:.*]] = %{{.*}} : tensor<1x64xf32>, %[[C:.*]] = %[[X]] : tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 2, y = 1, z = 4) (%a = %x : tensor<8x64xf32>, %b = %y : tensor<1x64xf32>, %c = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
    // CHECK-NEXT: mirage_block.load %[[A]] imap(x -> 0, y -> phi, z -> 1) : tensor<8x64xf32> to tensor<4x16xf32>
    %ta = mirage_block.load %a imap(x -> 0, y -> phi, z -> 1) : tensor<8x64xf32> to tensor<4x16xf32>
    // CHECK-NEXT: mirage_block.load %[[B]] imap(x -> phi, y -> 0, z -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
    %tb = mirage_block.load %b imap(x -> phi, y -> 0, z -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
    // CHECK-NEXT: mirage_block.load %[[C]] imap(x -> 0, y -> phi, z -> 1)
    %tc = mirage_block.load %c imap(x -> 0, y -> phi, z -> 1) : tensor<8x64xf32> to tensor<4x16xf32>
    %m = mirage_block.mul %ta, %tb : (tensor<4x16xf32>, tensor<1x16xf32>) -> tensor<4x16xf32>
    %n = mirage_block.add %m, %tc : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    // CHECK: mirage_block.store %{{.*}} omap(x -> 0, y -> phi, z -> 1) : tensor<4x16xf32> to tensor<8x64xf32>
    %s = mirage_block.store %m omap(x -> 0, y -> phi, z -> 1) : tensor<4x16xf32> to tensor<8x64xf32>
    %r = mirage_block.store %n omap(x -> 0, y -> phi, z -> 1) : tensor<4x16xf32> to tensor<8x64xf32>
    mirage_block.yield %s, %r : tensor<8x64xf32>, tensor<8x64xf32>
  }
  return %0#0, %0#1 : tensor<8x64xf32>, tensor<8x64xf32>
}

// No operand, discardable attributes, and the largest grid.
// CHECK-LABEL: func @largest(
func.func @largest() {
  // CHECK-NEXT: mirage_kernel.launch grid(x = 2147483647, y = 65535, z = 65535) () attributes {name = "nothing"} {
  mirage_kernel.launch grid(x = 2147483647, y = 65535, z = 65535) () attributes {name = "nothing"} {
    // CHECK-NEXT: mirage_block.yield
    mirage_block.yield
  }
  // CHECK: mirage_kernel.launch grid(x = 2) () -> tensor<8xf32> {
  %0 = mirage_kernel.launch grid(x = 2) () -> tensor<8xf32> {
    %c = mirage_block.constant dense<1.0> : tensor<4xf32>
    %s = mirage_block.store %c omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    mirage_block.yield %s : tensor<8xf32>
  }
  return
}
