// The gated layer of a feed-forward network (Falcon-7B, batch 1):
//
//   O = silu(X W1) * (X W2),   silu(x) = x / (1 + exp(-x)),   * elementwise
//
// The plain program writes both products to device memory and reads them back. The µGraph is one
// kernel: a block computes the same columns of both products, so that silu and the elementwise
// product find their operands on the spot, and one staged tile of X feeds both.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @gated_mlp(%x: tensor<8x4096xf16>, %w1: tensor<4096x4096xf16>,
                     %w2: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %a = mirage_kernel.matmul %x, %w1
      : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf32>
  %g = mirage_kernel.silu %a : (tensor<8x4096xf32>) -> tensor<8x4096xf32>
  %b = mirage_kernel.matmul %x, %w2
      : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf32>
  %m = mirage_kernel.mul %g, %b
      : (tensor<8x4096xf32>, tensor<8x4096xf32>) -> tensor<8x4096xf32>
  %o = mirage_kernel.cast %m : tensor<8x4096xf32> to tensor<8x4096xf16>
  return %o : tensor<8x4096xf16>
}

func.func @gated_mlp_mugraph(%x: tensor<8x4096xf16>, %w1: tensor<4096x4096xf16>,
                             %w2: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  // 128 blocks with 32 columns of W1, W2 and O each: nearly all of an H200's 132 multiprocessors
  // stream weights, 67 MB, on which nearly all of this program's time is spent. Shared memory:
  // 21,504 bytes (as the verifier counts them; tensors not alive at the same time share bytes).
  %o = mirage_kernel.launch grid(x = 128)
      (%xa = %x : tensor<8x4096xf16>, %w1a = %w1 : tensor<4096x4096xf16>,
       %w2a = %w2 : tensor<4096x4096xf16>) -> tensor<8x4096xf16> {

    // 32 iterations over k, 128 of the 4096 at a time, and two sums: 1 KB of shared memory each.
    %a, %b = mirage_block.for %k = 0 to 32 -> (tensor<8x32xf32>, tensor<8x32xf32>) {
      // Every block needs all rows and columns of X: phi. Its tile, 2 KB, is read once in an
      // iteration and used twice.
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<8x4096xf16> to tensor<8x128xf16>
      // The same part of both weights: columns by block, rows by iteration. 8 KB each.
      %w1t = mirage_block.load %w1a imap(x -> 1) fmap(%k -> 0)
          : tensor<4096x4096xf16> to tensor<128x32xf16>
      %w2t = mirage_block.load %w2a imap(x -> 1) fmap(%k -> 0)
          : tensor<4096x4096xf16> to tensor<128x32xf16>

      // mma.sync.m16n8k16 multiplies 16 rows: with 8 rows of X half of each instruction works on
      // zeros. That costs nothing here, since memory is what the kernel waits for.
      %at = mirage_block.matmul %xt, %w1t
          : (tensor<8x128xf16>, tensor<128x32xf16>) -> tensor<8x32xf32>
      %bt = mirage_block.matmul %xt, %w2t
          : (tensor<8x128xf16>, tensor<128x32xf16>) -> tensor<8x32xf32>
      %aa = mirage_block.accumulate sum %at : (tensor<8x32xf32>) -> tensor<8x32xf32>
      %ba = mirage_block.accumulate sum %bt : (tensor<8x32xf32>) -> tensor<8x32xf32>
      mirage_block.yield %aa, %ba : tensor<8x32xf32>, tensor<8x32xf32>
    }

    // silu is not linear: it has to wait for the whole sum, so it stands after the loop.
    %g = mirage_block.silu %a : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %m = mirage_block.mul %g, %b : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %h = mirage_block.cast %m : tensor<8x32xf32> to tensor<8x32xf16>

    // omap: block x's columns are part x of O's columns.
    %s = mirage_block.store %h omap(x -> 1) : tensor<8x32xf16> to tensor<8x4096xf16>
    mirage_block.yield %s : tensor<8x4096xf16>
  }
  return %o : tensor<8x4096xf16>
}

}
