// Kernels that find each element where slices, concatenations, padding and other operators
// that only move elements take it from; and pooling, of which slices are read in place.

// With a GPU, scripts/test-device.sh runs each function and compares it with the
// interpreter.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=reflection --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=repeated --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=beside --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=again --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=many --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=pool --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=pool_by_rows --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

// One kernel for the reflection of rows and of columns.
// CHECK: .visible .entry reflection_0_concat(
// CHECK-NOT: .visible .entry reflection
func.func @reflection(%x: tensor<1x6x10x8xf16>) -> tensor<1x8x12x8xf16> {
  %left = mirage_kernel.slice %x[0, 0, 1, 0] [1, 6, 1, 8] [1, 1, 1, 1] : (tensor<1x6x10x8xf16>) -> tensor<1x6x1x8xf16>
  %right = mirage_kernel.slice %x[0, 0, 8, 0] [1, 6, 1, 8] [1, 1, 1, 1] : (tensor<1x6x10x8xf16>) -> tensor<1x6x1x8xf16>
  %wide = mirage_kernel.concat dim(2) %left, %x, %right : (tensor<1x6x1x8xf16>, tensor<1x6x10x8xf16>, tensor<1x6x1x8xf16>) -> tensor<1x6x12x8xf16>
  %top = mirage_kernel.slice %wide[0, 1, 0, 0] [1, 1, 12, 8] [1, 1, 1, 1] : (tensor<1x6x12x8xf16>) -> tensor<1x1x12x8xf16>
  %bottom = mirage_kernel.slice %wide[0, 4, 0, 0] [1, 1, 12, 8] [1, 1, 1, 1] : (tensor<1x6x12x8xf16>) -> tensor<1x1x12x8xf16>
  %whole = mirage_kernel.concat dim(1) %top, %wide, %bottom : (tensor<1x1x12x8xf16>, tensor<1x6x12x8xf16>, tensor<1x1x12x8xf16>) -> tensor<1x8x12x8xf16>
  return %whole : tensor<1x8x12x8xf16>
}

// A view between the operators is one of them.
// CHECK: .visible .entry repeated_0_pad(
// CHECK-NOT: .visible .entry repeated
func.func @repeated(%x: tensor<1x3x5x4xf32>) -> tensor<1x8x10x4xf32> {
  %apart = mirage_kernel.reshape %x : tensor<1x3x5x4xf32> to tensor<1x3x1x5x1x4xf32>
  %wide = mirage_kernel.broadcast %apart : tensor<1x3x1x5x1x4xf32> to tensor<1x3x2x5x2x4xf32>
  %image = mirage_kernel.reshape %wide : tensor<1x3x2x5x2x4xf32> to tensor<1x6x10x4xf32>
  %padded = mirage_kernel.pad %image low [0, 1, 0, 0] high [0, 1, 0, 0] value(0xFFF0000000000000) : (tensor<1x6x10x4xf32>) -> tensor<1x8x10x4xf32>
  return %padded : tensor<1x8x10x4xf32>
}

// What a launch reads, too, has a kernel, which the chain reads.
// CHECK: .visible .entry beside_0_transpose(
// CHECK: .visible .entry beside_1_concat(
// CHECK: .visible .entry beside_2_launch(
func.func @beside(%x: tensor<64x32xf16>, %w: tensor<64x64xf16>) -> (tensor<32x128xf16>, tensor<32x64xf16>) {
  %turned = mirage_kernel.transpose %x [1, 0] : (tensor<64x32xf16>) -> tensor<32x64xf16>
  %back = mirage_kernel.slice %turned[0, 8] [32, 56] [1, 1] : (tensor<32x64xf16>) -> tensor<32x56xf16>
  %front = mirage_kernel.slice %turned[0, 0] [32, 8] [1, 1] : (tensor<32x64xf16>) -> tensor<32x8xf16>
  %both = mirage_kernel.concat dim(1) %back, %front, %turned : (tensor<32x56xf16>, tensor<32x8xf16>, tensor<32x64xf16>) -> tensor<32x128xf16>
  %product = mirage_kernel.matmul %turned, %w : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf16>
  return %both, %product : tensor<32x128xf16>, tensor<32x64xf16>
}

// Chains that are equal have one kernel, and one whose slice begins elsewhere has another.
// CHECK: .visible .entry again_0_concat(
// CHECK: .visible .entry again_1_concat(
// CHECK-NOT: .visible .entry again
func.func @again(%x: tensor<8x16xf16>, %y: tensor<8x16xf16>) -> (tensor<8x20xf16>, tensor<8x20xf16>, tensor<8x20xf16>) {
  %a = mirage_kernel.slice %x[0, 1] [8, 4] [1, 1] : (tensor<8x16xf16>) -> tensor<8x4xf16>
  %0 = mirage_kernel.concat dim(1) %a, %x : (tensor<8x4xf16>, tensor<8x16xf16>) -> tensor<8x20xf16>
  %b = mirage_kernel.slice %y[0, 1] [8, 4] [1, 1] : (tensor<8x16xf16>) -> tensor<8x4xf16>
  %1 = mirage_kernel.concat dim(1) %b, %y : (tensor<8x4xf16>, tensor<8x16xf16>) -> tensor<8x20xf16>
  %c = mirage_kernel.slice %y[0, 2] [8, 4] [1, 1] : (tensor<8x16xf16>) -> tensor<8x4xf16>
  %2 = mirage_kernel.concat dim(1) %c, %y : (tensor<8x4xf16>, tensor<8x16xf16>) -> tensor<8x20xf16>
  return %0, %1, %2 : tensor<8x20xf16>, tensor<8x20xf16>, tensor<8x20xf16>
}

// Each concatenation reads the one before it twice: the last of eight would have code for
// 256 reads, and so it reads what one kernel before it gives.
// CHECK: .visible .entry many_0_concat(
// CHECK: .visible .entry many_1_concat(
// CHECK-NOT: .visible .entry many
func.func @many(%x: tensor<2xf32>) -> tensor<512xf32> {
  %0 = mirage_kernel.concat dim(0) %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.concat dim(0) %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.concat dim(0) %1, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %3 = mirage_kernel.concat dim(0) %2, %2 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %4 = mirage_kernel.concat dim(0) %3, %3 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  %5 = mirage_kernel.concat dim(0) %4, %4 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %6 = mirage_kernel.concat dim(0) %5, %5 : (tensor<128xf32>, tensor<128xf32>) -> tensor<256xf32>
  %7 = mirage_kernel.concat dim(0) %6, %6 : (tensor<256xf32>, tensor<256xf32>) -> tensor<512xf32>
  return %7 : tensor<512xf32>
}

// Maxima of slices, with what follows, are one launch that reads the padded image.
// CHECK: .visible .entry pool_0_pad(
// CHECK: .visible .entry pool_1_launch(
// CHECK-NOT: .visible .entry pool_2
func.func @pool(%x: tensor<1x16x14x32xf16>) -> tensor<1x8x7x32xf16> {
  %p = mirage_kernel.pad %x low [0, 0, 0, 0] high [0, 2, 2, 0] value(0xFFF0000000000000) : (tensor<1x16x14x32xf16>) -> tensor<1x18x16x32xf16>
  %a = mirage_kernel.slice %p[0, 0, 0, 0] [1, 8, 7, 32] [1, 2, 2, 1] : (tensor<1x18x16x32xf16>) -> tensor<1x8x7x32xf16>
  %b = mirage_kernel.slice %p[0, 0, 2, 0] [1, 8, 7, 32] [1, 2, 2, 1] : (tensor<1x18x16x32xf16>) -> tensor<1x8x7x32xf16>
  %c = mirage_kernel.slice %p[0, 2, 1, 0] [1, 8, 7, 32] [1, 2, 2, 1] : (tensor<1x18x16x32xf16>) -> tensor<1x8x7x32xf16>
  %ab = mirage_kernel.max %a, %b : (tensor<1x8x7x32xf16>, tensor<1x8x7x32xf16>) -> tensor<1x8x7x32xf16>
  %abc = mirage_kernel.max %ab, %c : (tensor<1x8x7x32xf16>, tensor<1x8x7x32xf16>) -> tensor<1x8x7x32xf16>
  %r = mirage_kernel.relu %abc : (tensor<1x8x7x32xf16>) -> tensor<1x8x7x32xf16>
  return %r : tensor<1x8x7x32xf16>
}

// CHECK: .visible .entry pool_by_rows_0_launch(
// CHECK: .visible .entry pool_by_rows_1_launch(
// CHECK-NOT: .visible .entry pool_by_rows_2
func.func @pool_by_rows(%x: tensor<1x15x13x64xf16>) -> tensor<1x13x11x64xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0, 0] [1, 13, 13, 64] [1, 1, 1, 1] : (tensor<1x15x13x64xf16>) -> tensor<1x13x13x64xf16>
  %b = mirage_kernel.slice %x[0, 1, 0, 0] [1, 13, 13, 64] [1, 1, 1, 1] : (tensor<1x15x13x64xf16>) -> tensor<1x13x13x64xf16>
  %c = mirage_kernel.slice %x[0, 2, 0, 0] [1, 13, 13, 64] [1, 1, 1, 1] : (tensor<1x15x13x64xf16>) -> tensor<1x13x13x64xf16>
  %ab = mirage_kernel.max %a, %b : (tensor<1x13x13x64xf16>, tensor<1x13x13x64xf16>) -> tensor<1x13x13x64xf16>
  %abc = mirage_kernel.max %ab, %c : (tensor<1x13x13x64xf16>, tensor<1x13x13x64xf16>) -> tensor<1x13x13x64xf16>
  %d = mirage_kernel.slice %abc[0, 0, 0, 0] [1, 13, 11, 64] [1, 1, 1, 1] : (tensor<1x13x13x64xf16>) -> tensor<1x13x11x64xf16>
  %e = mirage_kernel.slice %abc[0, 0, 1, 0] [1, 13, 11, 64] [1, 1, 1, 1] : (tensor<1x13x13x64xf16>) -> tensor<1x13x11x64xf16>
  %f = mirage_kernel.slice %abc[0, 0, 2, 0] [1, 13, 11, 64] [1, 1, 1, 1] : (tensor<1x13x13x64xf16>) -> tensor<1x13x11x64xf16>
  %de = mirage_kernel.max %d, %e : (tensor<1x13x11x64xf16>, tensor<1x13x11x64xf16>) -> tensor<1x13x11x64xf16>
  %def = mirage_kernel.max %de, %f : (tensor<1x13x11x64xf16>, tensor<1x13x11x64xf16>) -> tensor<1x13x11x64xf16>
  return %def : tensor<1x13x11x64xf16>
}
