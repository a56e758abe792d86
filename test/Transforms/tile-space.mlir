// Rule 3 has a switch like the others. Without it tiles that do not divide are
// counted, as the paper's are; what is applied divides all the same.
// RUN: mirage-opt %s --split-input-file --mirage-tile -o %t.with --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --check-prefixes=RULE3,COMMON
// RUN: mirage-opt %s --split-input-file --mirage-tile='rule3=false' -o %t.without --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --check-prefixes=NONE,COMMON
// RUN: cmp %t.with %t.without
// RUN: FileCheck %s < %t.with

// 96 has the multiples 16, 32, 48, 64, 80, 96 of 16, of which 64 and 80 do not
// divide: 3 expressions times 6^4 tiles, or 4^4.
// RULE3: [Analysis] rule2 {{.*}}candidates=3888
// RULE3: [Analysis] rule3 {{.*}}candidates=768
// NONE: [Analysis] rule2 {{.*}}candidates=3888
// NONE: [Analysis] rule3 {{.*}}candidates=3888
// CHECK-LABEL: func.func @sixth
// CHECK: mirage_kernel.launch
func.func @sixth(%a: tensor<96x96xf16>, %b: tensor<96x96xf16>, %d: tensor<96x96xf16>) -> tensor<96x96xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<96x96xf16>, tensor<96x96xf16>) -> tensor<96x96xf16>
  %1 = mirage_kernel.matmul %0, %d : (tensor<96x96xf16>, tensor<96x96xf16>) -> tensor<96x96xf16>
  return %1 : tensor<96x96xf16>
}

// -----

// No multiple of 16 divides 4099 rows: each block has one.
// CHECK-LABEL: func.func @primes
// CHECK: mirage_kernel.launch grid(x = 4099)
func.func @primes(%a: tensor<4099x37xbf16>, %b: tensor<37x101xbf16>, %d: tensor<101x13xbf16>) -> tensor<4099x13xbf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<4099x37xbf16>, tensor<37x101xbf16>) -> tensor<4099x101xf32>
  %1 = mirage_kernel.cast %0 : tensor<4099x101xf32> to tensor<4099x101xbf16>
  %2 = mirage_kernel.matmul %1, %d : (tensor<4099x101xbf16>, tensor<101x13xbf16>) -> tensor<4099x13xf32>
  %3 = mirage_kernel.cast %2 : tensor<4099x13xf32> to tensor<4099x13xbf16>
  return %3 : tensor<4099x13xbf16>
}

// -----

// A chain without a tiling stays, and others do not wait for it: a row of six
// products is more than expressions are generated for.
// COMMON: warning: no tiling of @long was found: expressions are generated for chains of at most 5 products, and this one has 6
// CHECK-LABEL: func.func @long
// CHECK-NEXT: mirage_kernel.matmul
// CHECK-LABEL: func.func @good
// CHECK: mirage_kernel.launch
func.func @long(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = mirage_kernel.matmul %0, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = mirage_kernel.matmul %1, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = mirage_kernel.matmul %2, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = mirage_kernel.matmul %3, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = mirage_kernel.matmul %4, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}
func.func @good(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = mirage_kernel.matmul %0, %d : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
