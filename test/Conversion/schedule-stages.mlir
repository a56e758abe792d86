// The stages of a launch fit into a block's shared memory.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm -o /dev/null

module attributes {mirage.target = #mirage.target<sm_90a>} {

// What merges the groups and blocks after the loop needs more memory than two
// or three stages do, so that stages beyond them cost more than the third one.
// As many are taken as fit.
// CHECK-LABEL: func @merge_larger_than_stages
// CHECK: loop_groups = 2, stages = 3, cluster_blocks = 4
func.func @merge_larger_than_stages(%bias: tensor<1x3072xf16>, %x: tensor<384x3072xf16>, %w: tensor<768x3072xf16>) -> tensor<384x768xf16> {
  %0 = mirage_kernel.launch grid(x = 4, y = 6) (%b0 = %bias : tensor<1x3072xf16>, %x0 = %x : tensor<384x3072xf16>, %w0 = %w : tensor<768x3072xf16>) -> tensor<384x768xf16> {
    %sum = mirage_block.for %i = 0 to 48 -> tensor<96x128xf32> {
      %b = mirage_block.load %b0 imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<1x3072xf16> to tensor<1x64xf16>
      %xt = mirage_block.load %x0 imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<384x3072xf16> to tensor<96x64xf16>
      %wt = mirage_block.load %w0 imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<768x3072xf16> to tensor<128x64xf16>
      %bf = mirage_block.cast %b : tensor<1x64xf16> to tensor<1x64xf32>
      %xf = mirage_block.cast %xt : tensor<96x64xf16> to tensor<96x64xf32>
      %biased = mirage_block.add %bf, %xf : (tensor<1x64xf32>, tensor<96x64xf32>) -> tensor<96x64xf32>
      %active = mirage_block.gelu erf %biased : (tensor<96x64xf32>) -> tensor<96x64xf32>
      %narrow = mirage_block.cast %active : tensor<96x64xf32> to tensor<96x64xf16>
      %product = mirage_block.matmul %narrow, %wt transpose_rhs : (tensor<96x64xf16>, tensor<128x64xf16>) -> tensor<96x128xf32>
      %part = mirage_block.accumulate sum %product : (tensor<96x128xf32>) -> tensor<96x128xf32>
      mirage_block.yield %part : tensor<96x128xf32>
    }
    %result = mirage_block.cast %sum : tensor<96x128xf32> to tensor<96x128xf16>
    %stored = mirage_block.store %result omap(x -> 0, y -> 1) : tensor<96x128xf16> to tensor<384x768xf16>
    mirage_block.yield %stored : tensor<384x768xf16>
  }
  return %0 : tensor<384x768xf16>
}

// There are 32 clusters of four blocks, and 30 have room if each of their blocks has a multiprocessor alone: with
// less shared memory, two blocks share one, and all begin at once.
// CHECK-LABEL: func @clusters_that_share
// CHECK: loop_groups = 2, stages = 3, cluster_blocks = 4
func.func @clusters_that_share(%k: tensor<32x64x4096xf16>, %q: tensor<32x16x64xf16>, %v: tensor<32x4096x64xf16>) -> tensor<32x16x64xf16> {
  %launch = mirage_kernel.launch grid(x = 32) (%k0 = %k : tensor<32x64x4096xf16>, %q0 = %q : tensor<32x16x64xf16>, %v0 = %v : tensor<32x4096x64xf16>) -> tensor<32x16x64xf16> {
    %qt = mirage_block.load %q0 imap(x -> 0) : tensor<32x16x64xf16> to tensor<1x16x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 64 -> (tensor<1x16x1xf32>, tensor<1x16x64xf32>) {
      %kt = mirage_block.load %k0 imap(x -> 0) fmap(%i -> 2) : tensor<32x64x4096xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %v0 imap(x -> 0) fmap(%i -> 1) : tensor<32x4096x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (tensor<1x16x64xf16>, tensor<1x64x64xf16>) -> tensor<1x16x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x16x64xf32>) -> tensor<1x16x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<1x16x64xf32>, tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
      %e = mirage_block.exp %d : (tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
      %p = mirage_block.cast %e : tensor<1x16x64xf32> to tensor<1x16x64xf16>
      %o = mirage_block.matmul %p, %vt : (tensor<1x16x64xf16>, tensor<1x64x64xf16>) -> tensor<1x16x64xf32>
      %r = mirage_block.reduce sum %e dim(2) keep : (tensor<1x16x64xf32>) -> tensor<1x16x1xf32>
      %a = mirage_block.accumulate rescaled_sum %r shift %m : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      %b = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<1x16x64xf32>, tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
      mirage_block.yield %a, %b : tensor<1x16x1xf32>, tensor<1x16x64xf32>
    }
    %n = mirage_block.div %out, %sum : (tensor<1x16x64xf32>, tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
    %c = mirage_block.cast %n : tensor<1x16x64xf32> to tensor<1x16x64xf16>
    %stored = mirage_block.store %c omap(x -> 0) : tensor<1x16x64xf16> to tensor<32x16x64xf16>
    mirage_block.yield %stored : tensor<32x16x64xf16>
  }
  return %launch : tensor<32x16x64xf16>
}

}
