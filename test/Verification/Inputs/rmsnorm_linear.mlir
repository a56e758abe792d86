// examples/rmsnorm_linear.mlir with small shapes: 3 blocks, 2 iterations.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @rmsnorm_linear(%x: tensor<2x8xf16>, %w: tensor<8x6xf16>)
    -> tensor<2x6xf16> {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-05)
      : (tensor<2x8xf16>) -> tensor<2x8xf16>
  %p = mirage_kernel.matmul %n, %w
      : (tensor<2x8xf16>, tensor<8x6xf16>) -> tensor<2x6xf32>
  %o = mirage_kernel.cast %p : tensor<2x6xf32> to tensor<2x6xf16>
  return %o : tensor<2x6xf16>
}

func.func @rmsnorm_linear_mugraph(%x: tensor<2x8xf16>, %w: tensor<8x6xf16>)
    -> tensor<2x6xf16> {
  %o = mirage_kernel.launch grid(x = 3)
      (%xa = %x : tensor<2x8xf16>, %wa = %w : tensor<8x6xf16>)
      -> tensor<2x6xf16> {

    %product, %squares = mirage_block.for %k = 0 to 2 -> (tensor<2x2xf32>, tensor<2x1xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<2x8xf16> to tensor<2x4xf16>
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0)
          : tensor<8x6xf16> to tensor<4x2xf16>

      %pt = mirage_block.matmul %xt, %wt
          : (tensor<2x4xf16>, tensor<4x2xf16>) -> tensor<2x2xf32>
      %pa = mirage_block.accumulate sum %pt : (tensor<2x2xf32>) -> tensor<2x2xf32>

      %xf = mirage_block.cast %xt : tensor<2x4xf16> to tensor<2x4xf32>
      %sq = mirage_block.square %xf : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %st = mirage_block.reduce sum %sq dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
      %sa = mirage_block.accumulate sum %st : (tensor<2x1xf32>) -> tensor<2x1xf32>

      mirage_block.yield %pa, %sa : tensor<2x2xf32>, tensor<2x1xf32>
    }

    %mean = mirage_block.scale %squares by 1.250000e-01 : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %epsilon = mirage_block.constant dense<1.0e-05> : tensor<2x1xf32>
    %sum = mirage_block.add %mean, %epsilon
        : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %r = mirage_block.sqrt %sum : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %q = mirage_block.div %product, %r : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %h = mirage_block.cast %q : tensor<2x2xf32> to tensor<2x2xf16>

    %s = mirage_block.store %h omap(x -> 1) : tensor<2x2xf16> to tensor<2x6xf16>
    mirage_block.yield %s : tensor<2x6xf16>
  }
  return %o : tensor<2x6xf16>
}

}
