// Elementwise operators and reductions become launches, alone or behind a product.

// RUN: mirage-opt %s --mirage-attach-target --mirage-decompose-composites --mirage-default-launches -o %t
// RUN: FileCheck %s < %t
// RUN: mirage-opt %s --mirage-attach-target --mirage-decompose-composites --mirage-default-launches=fuse=false \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: mirage-run %s --entry=norm --precision=f64 --output=%t.plain
// RUN: mirage-run %t --entry=norm --precision=f64 --output=%t.launch
// RUN: cmp %t.plain/result0.npy %t.launch/result0.npy
// RUN: mirage-run %s --entry=behind_product --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=norm --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=columns --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=heads --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=around --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=two_products --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=reshaped_constant --device=threads | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0 unbounded=0

// APART-LABEL: func.func @norm
// APART: mirage_kernel.reduce
// APART: mirage_kernel.rsqrt

// A block has a whole row, which the norm reduces.
// CHECK-LABEL: func.func @norm
// CHECK: mirage_kernel.launch grid(x = 100)
// CHECK: mirage_block.load {{.*}} imap(x -> 0) : tensor<100x768xf16> to tensor<1x768xf16>
// CHECK: mirage_block.load {{.*}} imap(x -> phi) : tensor<768xf16> to tensor<768xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @norm(%x: tensor<100x768xf16>, %w: tensor<768xf16>) -> tensor<100x768xf16> {
  %0 = mirage_kernel.rms_norm %x weight %w epsilon(1.0e-05) : (tensor<100x768xf16>, tensor<768xf16>) -> tensor<100x768xf16>
  return %0 : tensor<100x768xf16>
}

// A bias, an activation and a sum are computed where the product is. The norm that follows
// needs whole rows, and is a launch of its own. Rows of no whole tiles are padded.
// CHECK-LABEL: func.func @behind_product
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul
// CHECK: mirage_block.silu
// CHECK: mirage_block.add
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.reduce
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @behind_product(%x: tensor<197x64xf16>, %w: tensor<64x128xf16>, %b: tensor<1x128xf16>, %r: tensor<197x128xf16>) -> tensor<197x1xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<197x64xf16>, tensor<64x128xf16>) -> tensor<197x128xf16>
  %1 = mirage_kernel.add %0, %b : (tensor<197x128xf16>, tensor<1x128xf16>) -> tensor<197x128xf16>
  %2 = mirage_kernel.silu %1 : (tensor<197x128xf16>) -> tensor<197x128xf16>
  %3 = mirage_kernel.add %2, %r : (tensor<197x128xf16>, tensor<197x128xf16>) -> tensor<197x128xf16>
  %4 = mirage_kernel.cast %3 : tensor<197x128xf16> to tensor<197x128xf32>
  %5 = mirage_kernel.reduce sum %4 dim(1) keep : (tensor<197x128xf32>) -> tensor<197x1xf32>
  return %5 : tensor<197x1xf32>
}

// Where rows are reduced, blocks share the columns.
// CHECK-LABEL: func.func @columns
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}})
// CHECK: mirage_block.load {{.*}} imap(x -> 1) : tensor<64x256xf32> to tensor<64x{{[0-9]+}}xf32>
// CHECK: mirage_block.reduce max {{.*}} dim(0)
func.func @columns(%x: tensor<64x256xf32>) -> tensor<256xf32> {
  %0 = mirage_kernel.reduce max %x dim(0) : (tensor<64x256xf32>) -> tensor<256xf32>
  %1 = mirage_kernel.relu %0 : (tensor<256xf32>) -> tensor<256xf32>
  return %1 : tensor<256xf32>
}

// A transpose that keeps the innermost dimension, and dimensions of size one that come and
// go, move between other operators.
// CHECK-LABEL: func.func @heads
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.transpose
// CHECK: mirage_block.reshape
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @heads(%x: tensor<1x24x6x64xf16>) -> tensor<6x24x64xf16> {
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<1x24x6x64xf16>) -> tensor<1x24x6x64xf16>
  %1 = mirage_kernel.transpose %0 [0, 2, 1, 3] : (tensor<1x24x6x64xf16>) -> tensor<1x6x24x64xf16>
  %2 = mirage_kernel.reshape %1 : tensor<1x6x24x64xf16> to tensor<6x24x64xf16>
  %3 = mirage_kernel.tanh %2 : (tensor<6x24x64xf16>) -> tensor<6x24x64xf16>
  return %3 : tensor<6x24x64xf16>
}

// What a concatenation between them separates is no group: the last operator needs it.
// CHECK-LABEL: func.func @around
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.concat
// CHECK: mirage_kernel.launch
func.func @around(%x: tensor<32x64xf16>) -> tensor<32x128xf16> {
  %0 = mirage_kernel.square %x : (tensor<32x64xf16>) -> tensor<32x64xf16>
  %1 = mirage_kernel.concat dim(1) %0, %x : (tensor<32x64xf16>, tensor<32x64xf16>) -> tensor<32x128xf16>
  %2 = mirage_kernel.reduce sum %0 dim(1) keep : (tensor<32x64xf16>) -> tensor<32x1xf16>
  %3 = mirage_kernel.add %1, %2 : (tensor<32x128xf16>, tensor<32x1xf16>) -> tensor<32x128xf16>
  return %3 : tensor<32x128xf16>
}

// An operator of two products stands behind the later one.
// CHECK-LABEL: func.func @two_products
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.silu
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.mul
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @two_products(%x: tensor<64x64xf16>, %v: tensor<64x128xf16>, %w: tensor<64x128xf16>) -> tensor<64x128xf16> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<64x64xf16>, tensor<64x128xf16>) -> tensor<64x128xf16>
  %1 = mirage_kernel.silu %0 : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %2 = mirage_kernel.matmul %x, %w : (tensor<64x64xf16>, tensor<64x128xf16>) -> tensor<64x128xf16>
  %3 = mirage_kernel.mul %1, %2 : (tensor<64x128xf16>, tensor<64x128xf16>) -> tensor<64x128xf16>
  return %3 : tensor<64x128xf16>
}

// A product's operand is no part of what follows it.
// CHECK-LABEL: func.func @residual
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.square
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul
// CHECK: mirage_block.add
// CHECK: return
func.func @residual(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.square %x : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %2 = mirage_kernel.add %0, %1 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}

// A reshape of a constant is a constant of the block.
// CHECK-LABEL: func.func @reshaped_constant
// CHECK: mirage_kernel.launch
// CHECK: [[CONSTANT:%[^ ]*]] = mirage_block.constant dense<{{.*}}> : tensor<1x1x1xf32>
// CHECK-NOT: mirage_block.reshape
// CHECK: mirage_block.add {{.*}}, [[CONSTANT]]
func.func @reshaped_constant(%x: tensor<2x128x32xf16>) -> tensor<2x128x32xf16> {
  %w = mirage_kernel.cast %x : tensor<2x128x32xf16> to tensor<2x128x32xf32>
  %s = mirage_kernel.reduce sum %w dim(2) keep : (tensor<2x128x32xf32>) -> tensor<2x128x1xf32>
  %c = mirage_kernel.constant dense<50.0> : tensor<1x1xf32>
  %r = mirage_kernel.reshape %c : tensor<1x1xf32> to tensor<1x1x1xf32>
  %a = mirage_kernel.add %s, %r : (tensor<2x128x1xf32>, tensor<1x1x1xf32>) -> tensor<2x128x1xf32>
  %d = mirage_kernel.div %w, %a : (tensor<2x128x32xf32>, tensor<2x128x1xf32>) -> tensor<2x128x32xf32>
  %n = mirage_kernel.cast %d : tensor<2x128x32xf32> to tensor<2x128x32xf16>
  return %n : tensor<2x128x32xf16>
}
