// Gated MLP of Falcon-7B, batch 8: examples/gated_mlp.mlir, which explains it, with 64 rows instead
// of 8.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @gatedmlp_bs8(%x: tensor<64x4096xf16>, %w1: tensor<4096x4096xf16>,
                     %w2: tensor<4096x4096xf16>) -> tensor<64x4096xf16> {
  %a = mirage_kernel.matmul %x, %w1
      : (tensor<64x4096xf16>, tensor<4096x4096xf16>) -> tensor<64x4096xf32>
  %g = mirage_kernel.silu %a : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %b = mirage_kernel.matmul %x, %w2
      : (tensor<64x4096xf16>, tensor<4096x4096xf16>) -> tensor<64x4096xf32>
  %m = mirage_kernel.mul %g, %b
      : (tensor<64x4096xf32>, tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %o = mirage_kernel.cast %m : tensor<64x4096xf32> to tensor<64x4096xf16>
  return %o : tensor<64x4096xf16>
}

func.func @gatedmlp_bs8_mugraph(%x: tensor<64x4096xf16>, %w1: tensor<4096x4096xf16>,
                             %w2: tensor<4096x4096xf16>) -> tensor<64x4096xf16> {
  %o = mirage_kernel.launch grid(x = 128)
      (%xa = %x : tensor<64x4096xf16>, %w1a = %w1 : tensor<4096x4096xf16>,
       %w2a = %w2 : tensor<4096x4096xf16>) -> tensor<64x4096xf16> {

    %a, %b = mirage_block.for %k = 0 to 32 -> (tensor<64x32xf32>, tensor<64x32xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<64x4096xf16> to tensor<64x128xf16>
      %w1t = mirage_block.load %w1a imap(x -> 1) fmap(%k -> 0)
          : tensor<4096x4096xf16> to tensor<128x32xf16>
      %w2t = mirage_block.load %w2a imap(x -> 1) fmap(%k -> 0)
          : tensor<4096x4096xf16> to tensor<128x32xf16>

      %at = mirage_block.matmul %xt, %w1t
          : (tensor<64x128xf16>, tensor<128x32xf16>) -> tensor<64x32xf32>
      %bt = mirage_block.matmul %xt, %w2t
          : (tensor<64x128xf16>, tensor<128x32xf16>) -> tensor<64x32xf32>
      %aa = mirage_block.accumulate sum %at : (tensor<64x32xf32>) -> tensor<64x32xf32>
      %ba = mirage_block.accumulate sum %bt : (tensor<64x32xf32>) -> tensor<64x32xf32>
      mirage_block.yield %aa, %ba : tensor<64x32xf32>, tensor<64x32xf32>
    }

    %g = mirage_block.silu %a : (tensor<64x32xf32>) -> tensor<64x32xf32>
    %m = mirage_block.mul %g, %b : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %h = mirage_block.cast %m : tensor<64x32xf32> to tensor<64x32xf16>

    %s = mirage_block.store %h omap(x -> 1) : tensor<64x32xf16> to tensor<64x4096xf16>
    mirage_block.yield %s : tensor<64x4096xf16>
  }
  return %o : tensor<64x4096xf16>
}

}
