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

}
