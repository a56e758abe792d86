// How tiles lie decides which instructions a schedule has for their product, whether the product reads a tile transposed
// or a view does: two columns in memory are no rows of wgmma, whose last ones may lie beyond the end.

// RUN: mirage-opt %s --mirage-print-cost=json -o /dev/null | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK: "function": "by_product"
// CHECK-NEXT: "model": "mirage"
// CHECK-NEXT: "microseconds": [[TIME:[0-9.]+]]
func.func @by_product(%x: tensor<4096x2xf16>, %w: tensor<6144x4096xf16>) -> tensor<2x6144xf32> {
  %0 = mirage_kernel.launch grid(x = 128) (%a = %x : tensor<4096x2xf16>, %b = %w : tensor<6144x4096xf16>) -> tensor<2x6144xf32> {
    %1 = mirage_block.for %i = 0 to 16 -> tensor<2x48xf32> {
      %2 = mirage_block.load %a imap(x -> phi) fmap(%i -> 0) : tensor<4096x2xf16> to tensor<256x2xf16>
      %3 = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<6144x4096xf16> to tensor<48x256xf16>
      %4 = mirage_block.matmul %2, %3 transpose_lhs transpose_rhs : (tensor<256x2xf16>, tensor<48x256xf16>) -> tensor<2x48xf32>
      %5 = mirage_block.accumulate sum %4 : (tensor<2x48xf32>) -> tensor<2x48xf32>
      mirage_block.yield %5 : tensor<2x48xf32>
    }
    %6 = mirage_block.store %1 omap(x -> 1) : tensor<2x48xf32> to tensor<2x6144xf32>
    mirage_block.yield %6 : tensor<2x6144xf32>
  }
  return %0 : tensor<2x6144xf32>
}

// CHECK: "function": "by_view"
// CHECK-NEXT: "model": "mirage"
// CHECK-NEXT: "microseconds": [[TIME]]
func.func @by_view(%x: tensor<4096x2xf16>, %w: tensor<6144x4096xf16>) -> tensor<2x6144xf32> {
  %0 = mirage_kernel.launch grid(x = 128) (%a = %x : tensor<4096x2xf16>, %b = %w : tensor<6144x4096xf16>) -> tensor<2x6144xf32> {
    %1 = mirage_block.for %i = 0 to 16 -> tensor<2x48xf32> {
      %2 = mirage_block.load %a imap(x -> phi) fmap(%i -> 0) : tensor<4096x2xf16> to tensor<256x2xf16>
      %t = mirage_block.transpose %2 [1, 0] : (tensor<256x2xf16>) -> tensor<2x256xf16>
      %3 = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<6144x4096xf16> to tensor<48x256xf16>
      %4 = mirage_block.matmul %t, %3 transpose_rhs : (tensor<2x256xf16>, tensor<48x256xf16>) -> tensor<2x48xf32>
      %5 = mirage_block.accumulate sum %4 : (tensor<2x48xf32>) -> tensor<2x48xf32>
      mirage_block.yield %5 : tensor<2x48xf32>
    }
    %6 = mirage_block.store %1 omap(x -> 1) : tensor<2x48xf32> to tensor<2x6144xf32>
    mirage_block.yield %6 : tensor<2x6144xf32>
  }
  return %0 : tensor<2x6144xf32>
}

}
