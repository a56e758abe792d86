// Rows that nothing divides are padded for the launch that is searched for, which reads and stores nothing behind them.

// RUN: mirage-opt %s --mirage-optimize=deadline=0 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-opt %t.mlir --mirage-lower-to-launches --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-run %t.mlir --entry=queries --device=threads | FileCheck %s --check-prefix=RESULT
// RESULT: over_bound=0 unbounded=0


// 331 queries and keys are 352 in tiles. A mask hides the keys behind the end.
// CHECK-LABEL: func.func private @queries_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.constant {{.*}} : tensor<1x1x352xf16>
// CHECK: [[PAD:%[^ ]*]] = mirage_kernel.pad %arg0 low [0, 0, 0] high [0, 21, 0]
// CHECK: mirage_kernel.pad %arg1 low [0, 0, 0] high [0, 21, 0]
// CHECK: mirage_kernel.pad %arg2 low [0, 0, 0] high [0, 21, 0]
// CHECK: mirage_kernel.launch grid({{.*}}) ({{.*}} = [[PAD]] : tensor<8x352x64xf16>
// CHECK: [[SLICE:%[^ ]*]] = mirage_kernel.slice {{.*}} [8, 331, 64] [1, 1, 1] : (tensor<8x352x64xf16>)
// CHECK: return [[SLICE]]
// Neither the padding nor the slice is a kernel, nor is the mask.
// COST-LABEL: @queries on
// COST: launch
// COST-NEXT: total
func.func @queries(%q: tensor<8x331x64xf16>, %k: tensor<8x331x64xf16>, %v: tensor<8x331x64xf16>) -> tensor<8x331x64xf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<8x331x64xf16>, tensor<8x331x64xf16>) -> tensor<8x331x331xf32>
  %c = mirage_kernel.scale %s by 1.250000e-01 : (tensor<8x331x331xf32>) -> tensor<8x331x331xf32>
  %p = mirage_kernel.softmax %c dim(2) : (tensor<8x331x331xf32>) -> tensor<8x331x331xf32>
  %h = mirage_kernel.cast %p : tensor<8x331x331xf32> to tensor<8x331x331xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<8x331x331xf16>, tensor<8x331x64xf16>) -> tensor<8x331x64xf32>
  %r = mirage_kernel.cast %o : tensor<8x331x64xf32> to tensor<8x331x64xf16>
  return %r : tensor<8x331x64xf16>
}
