// examples/gated_mlp.mlir with small shapes: 4 blocks, 3 iterations.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @gated_mlp(%x: tensor<2x12xf16>, %w1: tensor<12x12xf16>,
                     %w2: tensor<12x12xf16>) -> tensor<2x12xf16> {
  %a = mirage_kernel.matmul %x, %w1
      : (tensor<2x12xf16>, tensor<12x12xf16>) -> tensor<2x12xf32>
  %g = mirage_kernel.silu %a : (tensor<2x12xf32>) -> tensor<2x12xf32>
  %b = mirage_kernel.matmul %x, %w2
      : (tensor<2x12xf16>, tensor<12x12xf16>) -> tensor<2x12xf32>
  %m = mirage_kernel.mul %g, %b
      : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
  %o = mirage_kernel.cast %m : tensor<2x12xf32> to tensor<2x12xf16>
  return %o : tensor<2x12xf16>
}

func.func @gated_mlp_mugraph(%x: tensor<2x12xf16>, %w1: tensor<12x12xf16>,
                             %w2: tensor<12x12xf16>) -> tensor<2x12xf16> {
  %o = mirage_kernel.launch grid(x = 4)
      (%xa = %x : tensor<2x12xf16>, %w1a = %w1 : tensor<12x12xf16>,
       %w2a = %w2 : tensor<12x12xf16>) -> tensor<2x12xf16> {

    %a, %b = mirage_block.for %k = 0 to 3 -> (tensor<2x3xf32>, tensor<2x3xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<2x12xf16> to tensor<2x4xf16>
      %w1t = mirage_block.load %w1a imap(x -> 1) fmap(%k -> 0)
          : tensor<12x12xf16> to tensor<4x3xf16>
      %w2t = mirage_block.load %w2a imap(x -> 1) fmap(%k -> 0)
          : tensor<12x12xf16> to tensor<4x3xf16>

      %at = mirage_block.matmul %xt, %w1t
          : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf32>
      %bt = mirage_block.matmul %xt, %w2t
          : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf32>
      %aa = mirage_block.accumulate sum %at : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %ba = mirage_block.accumulate sum %bt : (tensor<2x3xf32>) -> tensor<2x3xf32>
      mirage_block.yield %aa, %ba : tensor<2x3xf32>, tensor<2x3xf32>
    }

    %g = mirage_block.silu %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %m = mirage_block.mul %g, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %h = mirage_block.cast %m : tensor<2x3xf32> to tensor<2x3xf16>

    %s = mirage_block.store %h omap(x -> 1) : tensor<2x3xf16> to tensor<2x12xf16>
    mirage_block.yield %s : tensor<2x12xf16>
  }
  return %o : tensor<2x12xf16>
}

}
