// Root-mean-square normalization and the linear layer behind it (LLaMA-2-7B, batch 8):
//
//   O = rms(X) W,   rms(x) = x / sqrt(mean(x^2) + epsilon) for each row x of X
//
// In the plain program rms(X) comes first: it needs whole rows of X, and goes through device memory
// before the product can start. The µGraph is one kernel. Dividing a row by a number commutes with
// the product on its right,
//
//   (x / r) W = (x W) / r,
//
// so the product runs on X itself while the sums of squares are still being collected, over the
// same tile of X, and rows are divided by r once, at the end (Mirage paper, figure 3).

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Both functions add the same epsilon: rms_norm computes in f32 and rounds its epsilon to it.
func.func @rmsnorm_linear(%x: tensor<16x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<16x6144xf16> {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-05)
      : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %p = mirage_kernel.matmul %n, %w
      : (tensor<16x4096xf16>, tensor<4096x6144xf16>) -> tensor<16x6144xf32>
  %o = mirage_kernel.cast %p : tensor<16x6144xf32> to tensor<16x6144xf16>
  return %o : tensor<16x6144xf16>
}

func.func @rmsnorm_linear_mugraph(%x: tensor<16x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<16x6144xf16> {
  // 96 blocks with 64 columns of W and O each: one wave on the 132 multiprocessors of an H200.
  // A row of a W tile is 128 bytes, a full cache line, and no element of W is read twice.
  // Shared memory: 28 KB, as the verifier counts them (launch_c6). That is less than the sizes
  // below add up to: tensors that are not alive at the same time have the same bytes.
  %o = mirage_kernel.launch grid(x = 96)
      (%xa = %x : tensor<16x4096xf16>, %wa = %w : tensor<4096x6144xf16>)
      -> tensor<16x6144xf16> {

    // 32 iterations over k, 128 of the 4096 at a time. The results are the two accumulators'
    // final values. They live in shared memory beside the tiles: the product's 16x64 f32 are
    // 4 KB, the squares' 16x1 f32 are 64 bytes.
    %product, %squares = mirage_block.for %k = 0 to 32 -> (tensor<16x64xf32>, tensor<16x1xf32>) {
      // imap: every block needs all of X (phi replicates it over the grid dimension), fmap: and
      // iteration k reads columns 128 k to 128 k + 127. 4 KB.
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<16x4096xf16> to tensor<16x128xf16>
      // imap: W's columns are divided among the blocks, fmap: its rows among iterations. 16 KB.
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0)
          : tensor<4096x6144xf16> to tensor<128x64xf16>

      // This iteration's part of the product, f16 operands and f32 sums: one row and eight
      // columns of 16x8 tiles for mma.sync.m16n8k16, in eight steps of k = 16.
      %pt = mirage_block.matmul %xt, %wt
          : (tensor<16x128xf16>, tensor<128x64xf16>) -> tensor<16x64xf32>
      %pa = mirage_block.accumulate sum %pt : (tensor<16x64xf32>) -> tensor<16x64xf32>

      // The staged tile of X serves a second time. Squares are taken in f32: in f16 they would
      // overflow from |x| = 256 on. 8 KB each for the cast tile and its squares.
      %xf = mirage_block.cast %xt : tensor<16x128xf16> to tensor<16x128xf32>
      %sq = mirage_block.square %xf : (tensor<16x128xf32>) -> tensor<16x128xf32>
      %st = mirage_block.reduce sum %sq dim(1) keep : (tensor<16x128xf32>) -> tensor<16x1xf32>
      %sa = mirage_block.accumulate sum %st : (tensor<16x1xf32>) -> tensor<16x1xf32>

      mirage_block.yield %pa, %sa : tensor<16x64xf32>, tensor<16x1xf32>
    }

    // After the loop, because it uses the loop's results: r = sqrt(sum / 4096 + epsilon), one
    // number a row, and the division of 64 columns by it (size 1 stands for any size).
    %mean = mirage_block.scale %squares by 2.44140625e-04 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %epsilon = mirage_block.constant dense<1.0e-05> : tensor<16x1xf32>
    %sum = mirage_block.add %mean, %epsilon
        : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %r = mirage_block.sqrt %sum : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %q = mirage_block.div %product, %r : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
    %h = mirage_block.cast %q : tensor<16x64xf32> to tensor<16x64xf16>

    // omap: the blocks' results stand side by side along the columns of O.
    %s = mirage_block.store %h omap(x -> 1) : tensor<16x64xf16> to tensor<16x6144xf16>
    mirage_block.yield %s : tensor<16x6144xf16>
  }
  return %o : tensor<16x6144xf16>
}

}
