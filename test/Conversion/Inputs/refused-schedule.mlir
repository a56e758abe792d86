// Warps that only load have nothing to do in a launch without a loop.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @no_loop(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %o = mirage_kernel.launch grid(x = 1) (%xl = %x : tensor<64x64xf16>) -> tensor<64x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, loader_warps = 1>} {
    %t = mirage_block.load %xl imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %e = mirage_block.exp %t : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %s = mirage_block.store %e omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %s : tensor<64x64xf16>
  }
  return %o : tensor<64x64xf16>
}
}
