// Kernels of the general lowering that move runs of neighbours: vectors of up to 16 bytes
// where operators keep neighbours together, and both orders of neighbours where the result's
// are not those of what it is made of. Sizes are such that 32768 threads have as much.

// With a GPU, scripts/test-device.sh runs each function and compares it with the
// interpreter.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=concatenation --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=narrow_parts --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=channels --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=border --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=odd_border --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=matrix --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=images --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=single --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=double --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=computed --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=halves --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=bytes --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=few --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=odd_rows --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=narrow_rows --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=odd_bytes --device=threads | FileCheck %s --check-prefix=RESULT
// One of these inputs is no number, and so is one of the results.
// RUN: mirage-run %s --entry=odd_bytes --device=threads --distribution=large --seed=3 | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=odd_computed --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

// Four images beside each other, one of which is a part of its operand.
// CHECK-LABEL: .visible .entry concatenation_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @concatenation(%a: tensor<64x64x16xf16>, %b: tensor<64x64x24xf16>, %c: tensor<64x64x32xf16>) -> tensor<64x64x64xf16> {
  %part = mirage_kernel.slice %c[0, 0, 8] [64, 64, 24] [1, 1, 1] : (tensor<64x64x32xf16>) -> tensor<64x64x24xf16>
  %0 = mirage_kernel.concat dim(2) %a, %b, %part : (tensor<64x64x16xf16>, tensor<64x64x24xf16>, tensor<64x64x24xf16>) -> tensor<64x64x64xf16>
  return %0 : tensor<64x64x64xf16>
}

// Parts of 6 and 10 elements: two at a time.
// CHECK-LABEL: .visible .entry narrow_parts_
// CHECK-DAG: ld.global{{.*}}.b32
// CHECK-DAG: st.global{{.*}}.b32
func.func @narrow_parts(%a: tensor<8192x6xf16>, %b: tensor<8192x10xf16>) -> tensor<8192x16xf16> {
  %0 = mirage_kernel.concat dim(1) %a, %b : (tensor<8192x6xf16>, tensor<8192x10xf16>) -> tensor<8192x16xf16>
  return %0 : tensor<8192x16xf16>
}

// Channels of an image become the innermost ones of more: elements by themselves, stored
// together.
// CHECK-LABEL: .visible .entry channels_
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @channels(%x: tensor<1x3x128x128xf16>) -> tensor<1x132x134x16xf16> {
  %t = mirage_kernel.transpose %x [0, 2, 3, 1] : (tensor<1x3x128x128xf16>) -> tensor<1x128x128x3xf16>
  %0 = mirage_kernel.pad %t low [0, 2, 3, 0] high [0, 2, 3, 13] value(0.5) : (tensor<1x128x128x3xf16>) -> tensor<1x132x134x16xf16>
  return %0 : tensor<1x132x134x16xf16>
}

// CHECK-LABEL: .visible .entry border_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @border(%x: tensor<60x60x64xf16>) -> tensor<64x64x80xf16> {
  %0 = mirage_kernel.pad %x low [2, 2, 8] high [2, 2, 8] value(-1.5) : (tensor<60x60x64xf16>) -> tensor<64x64x80xf16>
  return %0 : tensor<64x64x80xf16>
}

// A border of three columns of few elements: no neighbours stay together.
// CHECK-LABEL: .visible .entry odd_border_
// CHECK-NOT: .v{{[24]}}.
func.func @odd_border(%x: tensor<64x250xf32>) -> tensor<64x256xf32> {
  %0 = mirage_kernel.pad %x low [0, 3] high [0, 3] value(1.0) : (tensor<64x250xf32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// CHECK-LABEL: .visible .entry matrix_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @matrix(%x: tensor<1024x2048xf16>) -> tensor<2048x1024xf16> {
  %0 = mirage_kernel.transpose %x [1, 0] : (tensor<1024x2048xf16>) -> tensor<2048x1024xf16>
  return %0 : tensor<2048x1024xf16>
}

// 150 channels: runs of two, and of eight pixels.
// CHECK-LABEL: .visible .entry images_
// CHECK-DAG: ld.global{{.*}}.v2.b16
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @images(%x: tensor<2x64x64x150xf16>) -> tensor<2x150x64x64xf16> {
  %0 = mirage_kernel.transpose %x [0, 3, 1, 2] : (tensor<2x64x64x150xf16>) -> tensor<2x150x64x64xf16>
  return %0 : tensor<2x150x64x64xf16>
}

// CHECK-LABEL: .visible .entry single_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @single(%x: tensor<4x512x256xf32>) -> tensor<4x256x512xf32> {
  %0 = mirage_kernel.transpose %x [0, 2, 1] : (tensor<4x512x256xf32>) -> tensor<4x256x512xf32>
  return %0 : tensor<4x256x512xf32>
}

// CHECK-LABEL: .visible .entry double_
// CHECK-DAG: ld.global{{.*}}.v2.b64
// CHECK-DAG: st.global{{.*}}.v2.b64
func.func @double(%x: tensor<256x256xf64>) -> tensor<258x256xf64> {
  %0 = mirage_kernel.pad %x low [1, 0] high [1, 0] value(0.25) : (tensor<256x256xf64>) -> tensor<258x256xf64>
  return %0 : tensor<258x256xf64>
}

// In double precision, which no launch takes: columns that are moved, times one number of
// each row, of each column and of all.
// CHECK-LABEL: .visible .entry computed_
// CHECK-DAG: ld.global{{.*}}.v2.b64
// CHECK-DAG: st.global{{.*}}.v2.b64
func.func @computed(%x: tensor<256x256xf64>, %r: tensor<256x1xf64>, %c: tensor<1x260xf64>) -> tensor<256x260xf64> {
  %n = mirage_kernel.constant dense<0.5> : tensor<1x1xf64>
  %0 = mirage_kernel.pad %x low [0, 2] high [0, 2] value(2.0) : (tensor<256x256xf64>) -> tensor<256x260xf64>
  %1 = mirage_kernel.repeat %c times [256, 1] : (tensor<1x260xf64>) -> tensor<256x260xf64>
  %2 = mirage_kernel.mul %0, %r : (tensor<256x260xf64>, tensor<256x1xf64>) -> tensor<256x260xf64>
  %3 = mirage_kernel.add %2, %1 : (tensor<256x260xf64>, tensor<256x260xf64>) -> tensor<256x260xf64>
  %4 = mirage_kernel.mul %3, %n : (tensor<256x260xf64>, tensor<1x1xf64>) -> tensor<256x260xf64>
  return %4 : tensor<256x260xf64>
}

// Rows of halves that change places, under another shape, repeated.
// CHECK-LABEL: .visible .entry halves_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @halves(%x: tensor<256x512xf16>) -> tensor<2x256x2x512xf16> {
  %a:2 = mirage_kernel.split %x dim(1) parts(2) : (tensor<256x512xf16>) -> (tensor<256x256xf16>, tensor<256x256xf16>)
  %b = mirage_kernel.concat dim(1) %a#1, %a#0 : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x512xf16>
  %c = mirage_kernel.reshape %b : tensor<256x512xf16> to tensor<1x256x1x512xf16>
  %0 = mirage_kernel.repeat %c times [2, 1, 2, 1] : (tensor<1x256x1x512xf16>) -> tensor<2x256x2x512xf16>
  return %0 : tensor<2x256x2x512xf16>
}

// CHECK-LABEL: .visible .entry bytes_
// CHECK-DAG: ld.global{{.*}}.v4.b32
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @bytes(%x: tensor<1024x512xf8E5M2>, %y: tensor<1024x32xf8E5M2>) -> tensor<1024x544xf8E5M2> {
  %0 = mirage_kernel.concat dim(1) %x, %y : (tensor<1024x512xf8E5M2>, tensor<1024x32xf8E5M2>) -> tensor<1024x544xf8E5M2>
  return %0 : tensor<1024x544xf8E5M2>
}

// Too few elements for several of each thread.
// CHECK-LABEL: .visible .entry few_
// CHECK-NOT: .v{{[24]}}.
func.func @few(%x: tensor<64x64xf16>) -> tensor<66x64xf16> {
  %0 = mirage_kernel.pad %x low [1, 0] high [1, 0] value(0.0) : (tensor<64x64xf16>) -> tensor<66x64xf16>
  return %0 : tensor<66x64xf16>
}

// Rows of 191 elements, which begin anywhere: each element is moved by itself, and eight that
// are neighbours in memory are stored together, of two rows where one ends.
// CHECK-LABEL: .visible .entry odd_rows_
// CHECK-DAG: ld.global{{.*}}.b16
// CHECK-DAG: st.global{{.*}}.v4.b32
func.func @odd_rows(%x: tensor<1x8x180x188xf16>) -> tensor<1x8x187x191xf16> {
  %0 = mirage_kernel.pad %x low [0, 0, 3, 1] high [0, 0, 4, 2] value(0.5) : (tensor<1x8x180x188xf16>) -> tensor<1x8x187x191xf16>
  return %0 : tensor<1x8x187x191xf16>
}

// Rows of three elements, of which a thread has two.
// CHECK-LABEL: .visible .entry narrow_rows_
// CHECK: st.global{{.*}}.v2.b32
func.func @narrow_rows(%a: tensor<32768x1xf32>, %b: tensor<32768x2xf32>) -> tensor<32768x3xf32> {
  %0 = mirage_kernel.concat dim(1) %a, %b : (tensor<32768x1xf32>, tensor<32768x2xf32>) -> tensor<32768x3xf32>
  return %0 : tensor<32768x3xf32>
}

// CHECK-LABEL: .visible .entry odd_bytes_
// CHECK: st.global{{.*}}.v2.b32
func.func @odd_bytes(%x: tensor<8x190x193xf8E4M3FN>) -> tensor<8x187x191xf8E4M3FN> {
  %0 = mirage_kernel.slice %x[0, 2, 1] [8, 187, 191] [1, 1, 1] : (tensor<8x190x193xf8E4M3FN>) -> tensor<8x187x191xf8E4M3FN>
  return %0 : tensor<8x187x191xf8E4M3FN>
}

// CHECK-LABEL: .visible .entry odd_computed_
// CHECK: st.global{{.*}}.v2.b64
func.func @odd_computed(%x: tensor<256x256xf64>, %r: tensor<256x1xf64>, %c: tensor<1x261xf64>) -> tensor<256x261xf64> {
  %0 = mirage_kernel.pad %x low [0, 2] high [0, 3] value(2.0) : (tensor<256x256xf64>) -> tensor<256x261xf64>
  %1 = mirage_kernel.mul %0, %r : (tensor<256x261xf64>, tensor<256x1xf64>) -> tensor<256x261xf64>
  %2 = mirage_kernel.add %1, %c : (tensor<256x261xf64>, tensor<1x261xf64>) -> tensor<256x261xf64>
  return %2 : tensor<256x261xf64>
}
