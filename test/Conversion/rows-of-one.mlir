// Rows beside a dimension of one element have room for themselves in the chunks
// that wgmma reads, and not for eight rows each.
//
// RUN: mirage-opt %s --mirage-schedule-launches=layouts=false --convert-mirage-block-to-thread \
// RUN:   | FileCheck %s

// CHECK: mirage_thread.shared_buffer {{.*}} : memref<4x2x8x1x64xf16, #mirage_thread.chunked<[1024, 512, 64, 64, 1]
module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @scaled(%x: tensor<8x1x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %0 = mirage_kernel.launch grid(x = 64) (%xb = %x : tensor<8x1x4096xf16>, %wb = %w : tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
    %sum = mirage_block.for %i = 0 to 64 -> tensor<8x64xf32> {
      %xt = mirage_block.load %xb imap(x -> phi) fmap(%i -> 2) : tensor<8x1x4096xf16> to tensor<8x1x64xf16>
      %wt = mirage_block.load %wb imap(x -> 0) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<64x64xf16>
      %s = mirage_block.silu %xt : (tensor<8x1x64xf16>) -> tensor<8x1x64xf16>
      %r = mirage_block.reshape %s : tensor<8x1x64xf16> to tensor<8x64xf16>
      %p = mirage_block.matmul %r, %wt transpose_rhs : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<8x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<8x64xf32>) -> tensor<8x64xf32>
      mirage_block.yield %a : tensor<8x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<8x64xf32> to tensor<8x64xf16>
    %o = mirage_block.store %c omap(x -> 1) : tensor<8x64xf16> to tensor<8x4096xf16>
    mirage_block.yield %o : tensor<8x4096xf16>
  }
  return %0 : tensor<8x4096xf16>
}

}
