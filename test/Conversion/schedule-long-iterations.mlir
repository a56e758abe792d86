// One warpgroup whose iterations multiply much leaves its loads to the copy engine, also where two have no room. Iterations are
// joined as long as the blocks of a cluster can share them: 250 of 32 columns are not made 125.

// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s

// CHECK: @shared on sm_90a
// CHECK-NEXT: 128 blocks of 160 threads
// CHECK: row_warps = 4: the largest product has 64 rows and 32 columns
// CHECK: wgmma = true
// CHECK: cluster_blocks = 2
// CHECK: loader_warps = 1: the copy engine brings all tiles of loops

// CHECK: @alone on sm_90a
// CHECK-NEXT: 128 blocks of 160 threads
// CHECK: row_warps = 4: the largest product has 64 rows and 64 columns
// CHECK: wgmma = true
// CHECK: loop_groups = 1: more have no room for their stages in shared memory
// CHECK: loader_warps = 1: the copy engine brings all tiles of loops

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @shared(%x: tensor<1024x512xbf16>, %w: tensor<512x32000xbf16>) -> tensor<1024x4xf32> {
  %0 = mirage_kernel.launch grid(x = 16, y = 4) (%p = %x : tensor<1024x512xbf16>, %b = %w : tensor<512x32000xbf16>) -> tensor<1024x4xf32> {
    %l = mirage_block.load %p imap(x -> 0, y -> phi) : tensor<1024x512xbf16> to tensor<64x512xbf16>
    %f = mirage_block.for %i = 0 to 250 -> tensor<64x1xf32> {
      %k = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 1) : tensor<512x32000xbf16> to tensor<512x32xbf16>
      %m = mirage_block.matmul %l, %k : (tensor<64x512xbf16>, tensor<512x32xbf16>) -> tensor<64x32xf32>
      %r = mirage_block.reduce max %m dim(1) keep : (tensor<64x32xf32>) -> tensor<64x1xf32>
      %a = mirage_block.accumulate max %r : (tensor<64x1xf32>) -> tensor<64x1xf32>
      mirage_block.yield %a : tensor<64x1xf32>
    }
    %o = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<64x1xf32> to tensor<1024x4xf32>
    mirage_block.yield %o : tensor<1024x4xf32>
  }
  return %0 : tensor<1024x4xf32>
}

func.func @alone(%x: tensor<1024x512xbf16>, %w: tensor<512x32768xbf16>) -> tensor<1024x8xf32> {
  %0 = mirage_kernel.launch grid(x = 16, y = 8) (%p = %x : tensor<1024x512xbf16>, %b = %w : tensor<512x32768xbf16>) -> tensor<1024x8xf32> {
    %l = mirage_block.load %p imap(x -> 0, y -> phi) : tensor<1024x512xbf16> to tensor<64x512xbf16>
    %f = mirage_block.for %i = 0 to 64 -> tensor<64x1xf32> {
      %k = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 1) : tensor<512x32768xbf16> to tensor<512x64xbf16>
      %m = mirage_block.matmul %l, %k : (tensor<64x512xbf16>, tensor<512x64xbf16>) -> tensor<64x64xf32>
      %r = mirage_block.reduce max %m dim(1) keep : (tensor<64x64xf32>) -> tensor<64x1xf32>
      %a = mirage_block.accumulate max %r : (tensor<64x1xf32>) -> tensor<64x1xf32>
      mirage_block.yield %a : tensor<64x1xf32>
    }
    %o = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<64x1xf32> to tensor<1024x8xf32>
    mirage_block.yield %o : tensor<1024x8xf32>
  }
  return %0 : tensor<1024x8xf32>
}
}
