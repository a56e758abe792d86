// RUN: mirage-opt %s --mirage-transform-graphs='always rules=MergedProducts,MovedTranspose' \
// RUN:   --mirage-split-load | FileCheck %s
// RUN: mirage-opt %s --mirage-transform-graphs --mirage-split-load \
// RUN:   | FileCheck %s --check-prefix=CHOSEN
// RUN: mirage-opt %s --mirage-transform-graphs --remark-policy=all \
// RUN:   --remarks-filter=mirage-transform-graphs -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-transform-graphs='always rules=MergedProducts,SlicedProduct' \
// RUN:   | FileCheck %s --check-prefix=UNDONE

// Products that share their left operand become one, and transposes move behind
// what works element by element.

module attributes {mirage.target = #mirage.target<sm_90a>} {

// One weight is stored transposed, and one is cast: all of that is computed
// once, with the concatenation. What undoes the rule finds the weights again.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: %arg4: tensor<512x640xf16> {mirage.constant})
// CHECK-NEXT: %[[P:.+]] = mirage_kernel.matmul %arg0, %arg4
// CHECK-NEXT: mirage_kernel.slice %[[P]][0, 0] [2048, 384] [1, 1]
// CHECK-NEXT: %[[V:.+]] = mirage_kernel.slice %[[P]][0, 384] [2048, 128] [1, 1]
// CHECK-NEXT: mirage_kernel.slice %[[P]][0, 512] [2048, 128] [1, 1]
// CHECK-NEXT: mirage_kernel.silu %[[V]]
// CHECK-LABEL: func.func @several.load(
// CHECK-DAG: %[[T:.+]] = mirage_kernel.transpose %arg1 [1, 0]
// CHECK-DAG: %[[C:.+]] = mirage_kernel.cast %arg2
// CHECK: mirage_kernel.concat dim(1) %arg0, %[[T]], %[[C]]
// UNDONE-LABEL: func.func @several(
// UNDONE-DAG: %[[T:.+]] = mirage_kernel.transpose %arg2
// UNDONE-DAG: %[[C:.+]] = mirage_kernel.cast %arg3
// UNDONE: mirage_kernel.matmul %arg0, %arg1 :
// UNDONE-NEXT: mirage_kernel.matmul %arg0, %[[T]]
// UNDONE-NEXT: mirage_kernel.matmul %arg0, %[[C]]
// UNDONE-NEXT: mirage_kernel.silu
func.func @several(%x: tensor<2048x512xf16>,
                   %u: tensor<512x384xf16> {mirage.constant},
                   %v: tensor<128x512xf16> {mirage.constant},
                   %w: tensor<512x128xf32> {mirage.constant})
    -> (tensor<2048x384xf16>, tensor<2048x128xf16>, tensor<2048x128xf16>) {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<2048x512xf16>, tensor<512x384xf16>) -> tensor<2048x384xf16>
  %1 = mirage_kernel.matmul %x, %v transpose_rhs
      : (tensor<2048x512xf16>, tensor<128x512xf16>) -> tensor<2048x128xf16>
  %2 = mirage_kernel.silu %1 : (tensor<2048x128xf16>) -> tensor<2048x128xf16>
  %3 = mirage_kernel.cast %w : tensor<512x128xf32> to tensor<512x128xf16>
  %4 = mirage_kernel.matmul %x, %3
      : (tensor<2048x512xf16>, tensor<512x128xf16>) -> tensor<2048x128xf16>
  return %0, %2, %4
      : tensor<2048x384xf16>, tensor<2048x128xf16>, tensor<2048x128xf16>
}

// Three kernels become one where what reads their results can read windows.
// REMARK: remark: [Passed] transform {{.*}}Remark="MergedProducts: {{.*}}, taken"
// REMARK: remark: [Missed] transform {{.*}}Remark="SlicedProduct: {{.*}}, not taken"
// CHOSEN-LABEL: func.func @gates(
// CHOSEN-SAME: %arg4: tensor<512x192xf16> {mirage.constant})
// CHOSEN-NEXT: mirage_kernel.matmul %arg0, %arg4
// CHOSEN-NOT: mirage_kernel.matmul
// CHOSEN-LABEL: func.func @gates.load(
// CHOSEN: mirage_kernel.concat dim(1) %arg0, %arg1, %arg2
func.func @gates(%x: tensor<64x512xf16>,
                 %u: tensor<512x64xf16> {mirage.constant},
                 %v: tensor<512x64xf16> {mirage.constant},
                 %w: tensor<512x64xf16> {mirage.constant})
    -> tensor<64x64xf16> {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %x, %v
      : (tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf16>
  %2 = mirage_kernel.matmul %x, %w
      : (tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf16>
  %3 = mirage_kernel.silu %0 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %4 = mirage_kernel.mul %3, %1
      : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %5 = mirage_kernel.add %4, %2
      : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %5 : tensor<64x64xf16>
}

// Windows of one weight need no concatenation.
// CHECK-LABEL: func.func @windows(
// CHECK-NEXT: mirage_kernel.matmul %arg0, %arg1 :
// CHECK-NEXT: mirage_kernel.slice
// CHECK-NEXT: mirage_kernel.slice
// CHECK-NEXT: return
func.func @windows(%x: tensor<64x128xf16>,
                   %w: tensor<128x96xf16> {mirage.constant})
    -> (tensor<64x64xf16>, tensor<64x32xf16>) {
  %u = mirage_kernel.slice %w[0, 0] [128, 64] [1, 1]
      : (tensor<128x96xf16>) -> tensor<128x64xf16>
  %v = mirage_kernel.slice %w[0, 64] [128, 32] [1, 1]
      : (tensor<128x96xf16>) -> tensor<128x32xf16>
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %x, %v
      : (tensor<64x128xf16>, tensor<128x32xf16>) -> tensor<64x32xf16>
  return %0, %1 : tensor<64x64xf16>, tensor<64x32xf16>
}

// Neither a right operand that is computed in each call, nor another type of
// result, nor another order of the left operand is part of one product.
// CHECK-LABEL: func.func @unlike(
// CHECK-NOT: slice
// CHECK: return
func.func @unlike(%x: tensor<64x64xf16>, %y: tensor<64x32xf16>,
                  %u: tensor<64x32xf16> {mirage.constant},
                  %v: tensor<64x32xf16> {mirage.constant},
                  %w: tensor<64x32xf16> {mirage.constant})
    -> (tensor<64x32xf16>, tensor<64x32xf16>, tensor<64x32xf32>,
        tensor<64x32xf16>) {
  %0 = mirage_kernel.matmul %x, %y
      : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %1 = mirage_kernel.matmul %x, %u
      : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %v
      : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf32>
  %3 = mirage_kernel.matmul %x, %w transpose_lhs
      : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %0, %1, %2, %3
      : tensor<64x32xf16>, tensor<64x32xf16>, tensor<64x32xf32>,
        tensor<64x32xf16>
}

// A weight is transposed when it is loaded, and a row becomes a column. Chosen
// rules let the product read what was transposed.
// CHECK-LABEL: func.func @elements(
// CHECK: %[[A:.+]] = mirage_kernel.add %arg0, %{{.*}} -> tensor<64x128xf16>
// CHECK: mirage_kernel.mul %{{.*}}, %[[A]] : (tensor<64x1xf16>, tensor<64x128xf16>)
// CHECK: silu
// CHECK: max %{{.*}} dim(1) keep {{.*}} -> tensor<64x1xf16>
// CHECK: transpose {{.*}} -> tensor<1x64xf16>
func.func @elements(%x: tensor<64x128xf16>, %y: tensor<1x64xf16>,
                    %b: tensor<128x64xf16> {mirage.constant})
    -> tensor<1x64xf16> {
  %0 = mirage_kernel.transpose %x [1, 0]
      : (tensor<64x128xf16>) -> tensor<128x64xf16>
  %1 = mirage_kernel.add %0, %b
      : (tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<128x64xf16>
  %2 = mirage_kernel.mul %y, %1
      : (tensor<1x64xf16>, tensor<128x64xf16>) -> tensor<128x64xf16>
  %3 = mirage_kernel.silu %2 : (tensor<128x64xf16>) -> tensor<128x64xf16>
  %4 = mirage_kernel.reduce max %3 dim(0) keep
      : (tensor<128x64xf16>) -> tensor<1x64xf16>
  return %4 : tensor<1x64xf16>
}

// What is computed in each call stays in its order.
// CHECK-LABEL: func.func @other_order(
// CHECK: %[[T:.+]] = mirage_kernel.transpose %arg0
// CHECK: mirage_kernel.add %[[T]], %arg1
func.func @other_order(%x: tensor<64x128xf16>, %y: tensor<128x64xf16>)
    -> tensor<128x64xf16> {
  %0 = mirage_kernel.transpose %x [1, 0]
      : (tensor<64x128xf16>) -> tensor<128x64xf16>
  %1 = mirage_kernel.add %0, %y
      : (tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<128x64xf16>
  return %1 : tensor<128x64xf16>
}

}
