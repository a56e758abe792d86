// Which matrix is on the left of a product, as the search makes it first,
// depends on how arguments are stored: queries in columns put keys there, where
// the launch with least traffic takes half as long again. It is found
// all the same, in which keys and values of 512 columns are loaded once.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null | FileCheck %s --check-prefix=COST

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @in_rows_part
// CHECK: verdict = "proved"
// COST-LABEL: @in_rows_part
// COST: total 13.6{{[0-9]}} us
func.func @in_rows(%latent: tensor<1x128x512xf16>, %position: tensor<1x128x64xf16>, %c: tensor<1x4096x512xf16>, %k: tensor<1x4096x64xf16>) -> tensor<1x128x512xf16> {
  %a = mirage_kernel.matmul %latent, %c transpose_rhs : (tensor<1x128x512xf16>, tensor<1x4096x512xf16>) -> tensor<1x128x4096xf32>
  %b = mirage_kernel.matmul %position, %k transpose_rhs : (tensor<1x128x64xf16>, tensor<1x4096x64xf16>) -> tensor<1x128x4096xf32>
  %s = mirage_kernel.add %a, %b : (tensor<1x128x4096xf32>, tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %t = mirage_kernel.scale %s by 7.21687823534011841e-02 : (tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %p = mirage_kernel.softmax %t dim(2) : (tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %h = mirage_kernel.cast %p : tensor<1x128x4096xf32> to tensor<1x128x4096xf16>
  %o = mirage_kernel.matmul %h, %c : (tensor<1x128x4096xf16>, tensor<1x4096x512xf16>) -> tensor<1x128x512xf32>
  %r = mirage_kernel.cast %o : tensor<1x128x512xf32> to tensor<1x128x512xf16>
  return %r : tensor<1x128x512xf16>
}

// CHECK-LABEL: func.func private @in_columns_part
// CHECK: verdict = "proved"
// COST-LABEL: @in_columns_part
// COST: total 13.6{{[0-9]}} us
func.func @in_columns(%columns: tensor<1x512x128xf16>, %position: tensor<1x128x64xf16>, %c: tensor<1x4096x512xf16>, %k: tensor<1x4096x64xf16>) -> tensor<1x128x512xf16> {
  %latent = mirage_kernel.transpose %columns [0, 2, 1] : (tensor<1x512x128xf16>) -> tensor<1x128x512xf16>
  %a = mirage_kernel.matmul %latent, %c transpose_rhs : (tensor<1x128x512xf16>, tensor<1x4096x512xf16>) -> tensor<1x128x4096xf32>
  %b = mirage_kernel.matmul %position, %k transpose_rhs : (tensor<1x128x64xf16>, tensor<1x4096x64xf16>) -> tensor<1x128x4096xf32>
  %s = mirage_kernel.add %a, %b : (tensor<1x128x4096xf32>, tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %t = mirage_kernel.scale %s by 7.21687823534011841e-02 : (tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %p = mirage_kernel.softmax %t dim(2) : (tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
  %h = mirage_kernel.cast %p : tensor<1x128x4096xf32> to tensor<1x128x4096xf16>
  %o = mirage_kernel.matmul %h, %c : (tensor<1x128x4096xf16>, tensor<1x4096x512xf16>) -> tensor<1x128x512xf32>
  %r = mirage_kernel.cast %o : tensor<1x128x512xf32> to tensor<1x128x512xf16>
  return %r : tensor<1x128x512xf16>
}

}
