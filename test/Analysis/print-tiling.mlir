// The memory-access optimization on the examples of the MCFuser paper (figures 4 and 5).

// RUN: mirage-opt %s --mirage-print-tiling='expr=mhnk tiles=m:128,n:64,k:32,h:256' -o /dev/null | FileCheck %s --check-prefix=DEEP
// RUN: mirage-opt %s --mirage-print-tiling='expr=mhnk tiles=m:128,n:64,h:256' -o /dev/null | FileCheck %s --check-prefix=UNIT
// RUN: mirage-opt %s --mirage-print-tiling='expr=mn(k,h) tiles=m:128,n:64,k:32,h:256' -o /dev/null | FileCheck %s --check-prefix=FLAT
// RUN: mirage-opt %s --mirage-print-tiling -o /dev/null | FileCheck %s --check-prefix=FOUND
// RUN: mirage-opt %s --mirage-print-tiling='expr=mhnk tiles=m:7' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PADDED
// RUN: not mirage-opt %s --mirage-print-tiling='tiles=m:128' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not mirage-opt %s --mirage-print-tiling='expr=m(h' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not mirage-opt %s --mirage-print-tiling='expr=mn(h,k) tiles=m:128,n:64,k:32,h:256' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER

// m 8, h 2, n 16, k 16. A tile of E has 128 x 256 x 2 bytes, one of A 128 x 32 x 2.
// DEEP: @chain: expr=mhnk tiles=m:128,k:32,n:64,h:256
// DEEP-NEXT: before: mhnk(L_A,L_B,C_C,L_D,C_E,S_E)
// DEEP-NEXT: L_A: 33554432 bytes
// DEEP: S_E: 268435456 bytes
// DEEP-NEXT: after: mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)
// DEEP: S_E: 1048576 bytes

// Without k, A is loaded h n = 32 times less often.
// UNIT: before: mhnk(L_A,L_B,C_C,L_D,C_E,S_E)
// UNIT-NEXT: L_A: 33554432 bytes
// UNIT: after: m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))
// UNIT-NEXT: L_A: 1048576 bytes

// FLAT: before: mn(k(L_A,L_B,C_C),h(L_D,C_E,S_E))
// FLAT: after: m(n(k(L_A,L_B,C_C),h(L_D,C_E)),S_E)
// FLAT: shared memory of one tile each: 126976 bytes

// FOUND: @chain: no tiling expression: the function is not one launch
// PADDED: warning: tile m:7 does not divide the 1024 elements along m: counts are those of padded tiles, which mirage-tile cannot apply
// ALONE: error: option tiles of mirage-print-tiling must be with expr
// TEXT: error: option of mirage-print-tiling, expr=m(h, column 4: expected ',' and what runs after it, found the end
// ORDER: error: no tiling of @chain is expr=mn(h,k) {{.*}}: loop h of product 2 runs before loop k of product 1, whose result it needs

func.func @chain(%a: tensor<1024x512xf16>, %b: tensor<512x1024xf16>, %d: tensor<1024x512xf16>)
    -> tensor<1024x512xf16> {
  %0 = mirage_kernel.matmul %a, %b
      : (tensor<1024x512xf16>, tensor<512x1024xf16>) -> tensor<1024x1024xf16>
  %1 = mirage_kernel.matmul %0, %d
      : (tensor<1024x1024xf16>, tensor<1024x512xf16>) -> tensor<1024x512xf16>
  return %1 : tensor<1024x512xf16>
}
