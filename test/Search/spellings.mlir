// Programs in spellings that took other launches than the same programs written otherwise.

// RUN: mirage-opt %s --mirage-optimize=deadline=0 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-opt %t.mlir --mirage-lower-to-launches --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-run %t.mlir --entry=rows_in_two_dimensions --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %t.mlir --entry=reflection --device=threads | FileCheck %s --check-prefix=RESULT
// RESULT: over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Heads stand behind tokens, and tiles have one of them. Tiles of keys are read transposed, and the mask takes the order of the scores, which nothing transposes.
// CHECK-LABEL: func.func private @heads_behind_tokens_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[SCORES:%[^ ]*]] = mirage_block.matmul {{.*}} transpose_rhs
// CHECK-NOT: mirage_block.transpose [[SCORES]]
// CHECK: mirage_block.mul
// CHECK-SAME: tensor<1x
// CHECK: mirage_block.yield
// COST-LABEL: @heads_behind_tokens on
// COST: launch:
// COST-NEXT: total
func.func @heads_behind_tokens(%q: tensor<512x8x128xf16>, %k: tensor<512x8x128xf16>,
                               %v: tensor<512x8x128xf16>, %m: tensor<512x8x512xf16>) -> tensor<512x8x128xf16> {
  %qt = mirage_kernel.transpose %q [1, 0, 2] : (tensor<512x8x128xf16>) -> tensor<8x512x128xf16>
  %kt = mirage_kernel.transpose %k [1, 0, 2] : (tensor<512x8x128xf16>) -> tensor<8x512x128xf16>
  %s = mirage_kernel.matmul %qt, %kt transpose_rhs
      : (tensor<8x512x128xf16>, tensor<8x512x128xf16>) -> tensor<8x512x512xf32>
  %mt = mirage_kernel.transpose %m [1, 0, 2] : (tensor<512x8x512xf16>) -> tensor<8x512x512xf16>
  %mw = mirage_kernel.cast %mt : tensor<8x512x512xf16> to tensor<8x512x512xf32>
  %w = mirage_kernel.mul %s, %mw : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %h = mirage_kernel.cast %w : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %vt = mirage_kernel.transpose %v [1, 0, 2] : (tensor<512x8x128xf16>) -> tensor<8x512x128xf16>
  %o = mirage_kernel.matmul %h, %vt : (tensor<8x512x512xf16>, tensor<8x512x128xf16>) -> tensor<8x512x128xf32>
  %n = mirage_kernel.cast %o : tensor<8x512x128xf32> to tensor<8x512x128xf16>
  %r = mirage_kernel.transpose %n [1, 0, 2] : (tensor<8x512x128xf16>) -> tensor<512x8x128xf16>
  return %r : tensor<512x8x128xf16>
}

// 196 rows are stored as two dimensions, and padded behind both.
// CHECK-LABEL: func.func private @rows_in_two_dimensions_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[ROWS:%[^ ]*]] = mirage_kernel.reshape %arg0 : tensor<2x98x128xf16> to tensor<196x128xf16>
// CHECK: mirage_kernel.pad [[ROWS]] low [0, 0] high [28, 0]
// COST-LABEL: @rows_in_two_dimensions on
// COST: launch:
// COST-NEXT: total
func.func @rows_in_two_dimensions(%x: tensor<2x98x128xf16>, %u: tensor<128x512xf16>,
                                  %v: tensor<512x128xf16>) -> tensor<2x98x128xf16> {
  %rows = mirage_kernel.reshape %x : tensor<2x98x128xf16> to tensor<196x128xf16>
  %a = mirage_kernel.matmul %rows, %u : (tensor<196x128xf16>, tensor<128x512xf16>) -> tensor<196x512xf32>
  %g = mirage_kernel.gelu erf %a : (tensor<196x512xf32>) -> tensor<196x512xf32>
  %h = mirage_kernel.cast %g : tensor<196x512xf32> to tensor<196x512xf16>
  %b = mirage_kernel.matmul %h, %v : (tensor<196x512xf16>, tensor<512x128xf16>) -> tensor<196x128xf32>
  %n = mirage_kernel.cast %b : tensor<196x128xf32> to tensor<196x128xf16>
  %r = mirage_kernel.reshape %n : tensor<196x128xf16> to tensor<2x98x128xf16>
  return %r : tensor<2x98x128xf16>
}

// What is found computes four slices beside the image, and the lowering arranges them in the launch's blocks, as one kernel.
// CHECK-LABEL: func.func private @reflection_part
// CHECK-SAME: verdict = "proved"
// COST-LABEL: @reflection on
// COST: launch:
// COST-NEXT: total
func.func @reflection(%x: tensor<1x3x7x8xf32>) -> tensor<1x3x11x12xf32> {
  %n = mirage_kernel.instance_norm %x epsilon(1.0e-05) : (tensor<1x3x7x8xf32>) -> tensor<1x3x7x8xf32>
  %y = mirage_kernel.relu %n : (tensor<1x3x7x8xf32>) -> tensor<1x3x7x8xf32>
  %0 = mirage_kernel.slice %y[0, 0, 2, 0] [1, 3, 1, 8] [1, 1, 1, 1] : (tensor<1x3x7x8xf32>) -> tensor<1x3x1x8xf32>
  %1 = mirage_kernel.slice %y[0, 0, 1, 0] [1, 3, 1, 8] [1, 1, 1, 1] : (tensor<1x3x7x8xf32>) -> tensor<1x3x1x8xf32>
  %2 = mirage_kernel.slice %y[0, 0, 5, 0] [1, 3, 1, 8] [1, 1, 1, 1] : (tensor<1x3x7x8xf32>) -> tensor<1x3x1x8xf32>
  %3 = mirage_kernel.slice %y[0, 0, 4, 0] [1, 3, 1, 8] [1, 1, 1, 1] : (tensor<1x3x7x8xf32>) -> tensor<1x3x1x8xf32>
  %rows = mirage_kernel.concat dim(2) %0, %1, %y, %2, %3
      : (tensor<1x3x1x8xf32>, tensor<1x3x1x8xf32>, tensor<1x3x7x8xf32>, tensor<1x3x1x8xf32>, tensor<1x3x1x8xf32>) -> tensor<1x3x11x8xf32>
  %4 = mirage_kernel.slice %rows[0, 0, 0, 2] [1, 3, 11, 1] [1, 1, 1, 1] : (tensor<1x3x11x8xf32>) -> tensor<1x3x11x1xf32>
  %5 = mirage_kernel.slice %rows[0, 0, 0, 1] [1, 3, 11, 1] [1, 1, 1, 1] : (tensor<1x3x11x8xf32>) -> tensor<1x3x11x1xf32>
  %6 = mirage_kernel.slice %rows[0, 0, 0, 6] [1, 3, 11, 1] [1, 1, 1, 1] : (tensor<1x3x11x8xf32>) -> tensor<1x3x11x1xf32>
  %7 = mirage_kernel.slice %rows[0, 0, 0, 5] [1, 3, 11, 1] [1, 1, 1, 1] : (tensor<1x3x11x8xf32>) -> tensor<1x3x11x1xf32>
  %r = mirage_kernel.concat dim(3) %4, %5, %rows, %6, %7
      : (tensor<1x3x11x1xf32>, tensor<1x3x11x1xf32>, tensor<1x3x11x8xf32>, tensor<1x3x11x1xf32>, tensor<1x3x11x1xf32>) -> tensor<1x3x11x12xf32>
  return %r : tensor<1x3x11x12xf32>
}

// By the model the best candidate takes 1 % less than the next, and by the instructions of its kernel half as much again.
// CHECK-LABEL: func.func private @adapter_part
// CHECK-SAME: verdict = "proved"
// COST-LABEL: @adapter on
// COST: launch:
// COST-NEXT: total
func.func @adapter(%x: tensor<64x1024xf16>, %w: tensor<1024x1024xf16>, %a: tensor<1024x16xf16>,
                   %b: tensor<16x1024xf16>) -> tensor<64x1024xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<64x1024xf16>, tensor<1024x1024xf16>) -> tensor<64x1024xf32>
  %1 = mirage_kernel.matmul %x, %a : (tensor<64x1024xf16>, tensor<1024x16xf16>) -> tensor<64x16xf32>
  %2 = mirage_kernel.cast %1 : tensor<64x16xf32> to tensor<64x16xf16>
  %3 = mirage_kernel.matmul %2, %b : (tensor<64x16xf16>, tensor<16x1024xf16>) -> tensor<64x1024xf32>
  %4 = mirage_kernel.scale %3 by 2.0 : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %5 = mirage_kernel.add %0, %4 : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %6 = mirage_kernel.cast %5 : tensor<64x1024xf32> to tensor<64x1024xf16>
  return %6 : tensor<64x1024xf16>
}

// The products of the queries' two parts are added, and exchanged together. Queries are stored transposed, and what lies between the
// two launches as the result.
// CHECK-LABEL: func.func private @transposed_queries_part
// CHECK-SAME: verdict = "proved"
// COST-LABEL: @transposed_queries on
// COST: launch:
// COST-NEXT: launch:
// COST-NEXT: total
func.func @transposed_queries(%q: tensor<512x128xf16>, %p: tensor<128x64xf16>, %c: tensor<4096x512xf16>,
                              %k: tensor<4096x64xf16>) -> tensor<128x512xf16> {
  %qt = mirage_kernel.transpose %q [1, 0] : (tensor<512x128xf16>) -> tensor<128x512xf16>
  %0 = mirage_kernel.matmul %qt, %c transpose_rhs : (tensor<128x512xf16>, tensor<4096x512xf16>) -> tensor<128x4096xf32>
  %1 = mirage_kernel.matmul %p, %k transpose_rhs : (tensor<128x64xf16>, tensor<4096x64xf16>) -> tensor<128x4096xf32>
  %2 = mirage_kernel.add %0, %1 : (tensor<128x4096xf32>, tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %3 = mirage_kernel.scale %2 by 7.2e-02 : (tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %4 = mirage_kernel.softmax %3 dim(1) : (tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %5 = mirage_kernel.cast %4 : tensor<128x4096xf32> to tensor<128x4096xf16>
  %6 = mirage_kernel.matmul %5, %c : (tensor<128x4096xf16>, tensor<4096x512xf16>) -> tensor<128x512xf32>
  %7 = mirage_kernel.cast %6 : tensor<128x512xf32> to tensor<128x512xf16>
  return %7 : tensor<128x512xf16>
}

// The launch with both products exchanged is found, although it is no longer slow beside those that were found before it.
// COST-LABEL: @products_in_columns on
// COST: launch:
// COST-NEXT: total 6.39 us
func.func @products_in_columns(%a: tensor<256x512xf16>, %b: tensor<512x256xf16>,
                               %d: tensor<256x512xf16>) -> tensor<512x256xf16> {
  %s = mirage_kernel.matmul %a, %b transpose_lhs transpose_rhs
      : (tensor<256x512xf16>, tensor<512x256xf16>) -> tensor<512x512xf32>
  %n = mirage_kernel.cast %s : tensor<512x512xf32> to tensor<512x512xf16>
  %o = mirage_kernel.matmul %n, %d transpose_rhs
      : (tensor<512x512xf16>, tensor<256x512xf16>) -> tensor<512x256xf32>
  %r = mirage_kernel.cast %o : tensor<512x256xf32> to tensor<512x256xf16>
  return %r : tensor<512x256xf16>
}

// Both products are exchanged, and the decays are transposed as they are loaded, which gains nothing apart. Scores are
// scaled before they are rounded.
// CHECK-LABEL: func.func private @retention_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_block.matmul
// CHECK: mirage_block.scale
// CHECK: mirage_block.cast {{.*}} to tensor<{{.*}}xf16>
// CHECK: mirage_block.matmul
// COST-LABEL: @retention on
// COST: launch:
// COST-NEXT: total 6.87 us
func.func @retention(%q: tensor<8x512x128xf16>, %k: tensor<8x512x128xf16>, %v: tensor<8x512x128xf16>,
                     %decay: tensor<8x512x512xf16>) -> tensor<8x512x128xf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs
      : (tensor<8x512x128xf16>, tensor<8x512x128xf16>) -> tensor<8x512x512xf32>
  %f = mirage_kernel.scale %s by 0.088388346135616302 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %w = mirage_kernel.cast %decay : tensor<8x512x512xf16> to tensor<8x512x512xf32>
  %m = mirage_kernel.mul %f, %w : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %n = mirage_kernel.cast %m : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %o = mirage_kernel.matmul %n, %v : (tensor<8x512x512xf16>, tensor<8x512x128xf16>) -> tensor<8x512x128xf32>
  %r = mirage_kernel.cast %o : tensor<8x512x128xf32> to tensor<8x512x128xf16>
  return %r : tensor<8x512x128xf16>
}

// A product that another one reads transposed on its left has the form of one that is read as it is.
// COST-LABEL: @exchanged_low_rank on
// COST: total 6.51 us
func.func @exchanged_low_rank(%x: tensor<128x2048xf16>, %u: tensor<2048x64xf16>, %v: tensor<64x2048xf16>,
                              %b: tensor<1x2048xf16>) -> tensor<128x2048xf16> {
  %p = mirage_kernel.matmul %u, %x transpose_lhs transpose_rhs
      : (tensor<2048x64xf16>, tensor<128x2048xf16>) -> tensor<64x128xf32>
  %h = mirage_kernel.cast %p : tensor<64x128xf32> to tensor<64x128xf16>
  %o = mirage_kernel.matmul %h, %v transpose_lhs : (tensor<64x128xf16>, tensor<64x2048xf16>) -> tensor<128x2048xf32>
  %c = mirage_kernel.cast %b : tensor<1x2048xf16> to tensor<1x2048xf32>
  %s = mirage_kernel.add %o, %c : (tensor<128x2048xf32>, tensor<1x2048xf32>) -> tensor<128x2048xf32>
  %r = mirage_kernel.cast %s : tensor<128x2048xf32> to tensor<128x2048xf16>
  return %r : tensor<128x2048xf16>
}

}
