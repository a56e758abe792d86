// Group-query attention, two key-value heads with 256 queries each (one GPU's share of
// LLaMA-3-70B on four, batch 1):
//
//   O = softmax(Q K) V
//
// The plain program writes 2x256x4096 scores to device memory and reads them back, several times.
// The µGraph (Mirage paper, figure 4c) keeps scores in shared memory. Heads and rows of queries
// alone would make few blocks, so the keys are split among blocks, too: a first kernel computes
// for each split its part of softmax's numerator and denominator, a second combines the splits.
//
// Why parts can be combined. softmax(s) V = N / D with N = sum_j exp(s_j - M) v_j and
// D = sum_j exp(s_j - M), for any number M: numerator and denominator share the factor exp(-M).
// A part computed relative to its own maximum m becomes one relative to M when it is multiplied
// by exp(m - M). With M the largest m no exponential overflows. The same rule joins the iterations
// of the first kernel's loop (online softmax) and the splits in the second kernel.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @gqa(%q: tensor<2x256x64xf16>, %k: tensor<2x64x4096xf16>, %v: tensor<2x4096x64xf16>)
    -> tensor<2x256x64xf16> {
  %s = mirage_kernel.matmul %q, %k
      : (tensor<2x256x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x256x4096xf32>
  %p = mirage_kernel.softmax %s dim(2) : (tensor<2x256x4096xf32>) -> tensor<2x256x4096xf32>
  %h = mirage_kernel.cast %p : tensor<2x256x4096xf32> to tensor<2x256x4096xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<2x256x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x256x64xf16>
  return %o : tensor<2x256x64xf16>
}

func.func @gqa_mugraph(%q: tensor<2x256x64xf16>, %k: tensor<2x64x4096xf16>,
                       %v: tensor<2x4096x64xf16>) -> tensor<2x256x64xf16> {
  // First kernel. x: the head, y: 64 of the 256 queries, z: 256 of the 4096 keys. 2 x 4 x 16 = 128
  // blocks for the 132 multiprocessors of an H200. Each stores a 64x64 numerator and, per query,
  // a denominator and a maximum, all in f32; the splits become the first dimension of tensors in
  // device memory, 2 MB and twice 32 KB. Shared memory: 66,816 bytes a block: numerator, Q, V
  // and two tiles of scores, at the moment when the maxima are subtracted, and the small tensors.
  %num, %den, %max = mirage_kernel.launch grid(x = 2, y = 4, z = 16)
      (%qa = %q : tensor<2x256x64xf16>, %ka = %k : tensor<2x64x4096xf16>,
       %va = %v : tensor<2x4096x64xf16>)
      -> (tensor<16x2x256x64xf32>, tensor<16x2x256x1xf32>, tensor<16x2x256x1xf32>) {

    // The block's queries: 8 KB that stay in shared memory for the whole loop. All splits of the
    // keys work on the same queries (z -> phi). A head's tile keeps its dimension of size 1.
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1, z -> phi)
        : tensor<2x256x64xf16> to tensor<1x64x64xf16>

    // Four iterations of 64 keys. The accumulators need 16 KB for the numerator and 256 bytes each
    // for denominator and maximum; each rescaled sum also keeps the largest shift so far.
    %n, %d, %m = mirage_block.for %i = 0 to 4
        -> (tensor<1x64x64xf32>, tensor<1x64x1xf32>, tensor<1x64x1xf32>) {
      // Keys are divided twice: by split, then by iteration. Dimension 2 of K is the target of
      // both z and the loop, and the grid divides first, so that split z, iteration i reads keys
      // 256 z + 64 i on. In V the keys are dimension 1. Blocks that differ in y alone read the
      // same keys. 8 KB each.
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi, z -> 2) fmap(%i -> 2)
          : tensor<2x64x4096xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi, z -> 1) fmap(%i -> 1)
          : tensor<2x4096x64xf16> to tensor<1x64x64xf16>

      // 64x64 scores in f32, 16 KB, and their exponentials relative to this iteration's maxima.
      %s = mirage_block.matmul %qt, %kt
          : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %mi = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %sh = mirage_block.sub %s, %mi
          : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %sh : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>

      // This iteration's part of D, in f32, and of N, from exponentials rounded to f16 for the
      // tensor cores, as the plain program rounds its probabilities. They are at most 1.
      %di = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %ni = mirage_block.matmul %eh, %vt
          : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>

      // rescaled_sum: each term is relative to its own shift; after the loop all are relative to
      // the largest, which the max accumulator gives.
      %na = mirage_block.accumulate rescaled_sum %ni shift %mi
          : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %da = mirage_block.accumulate rescaled_sum %di shift %mi
          : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ma = mirage_block.accumulate max %mi : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      mirage_block.yield %na, %da, %ma
          : tensor<1x64x64xf32>, tensor<1x64x1xf32>, tensor<1x64x1xf32>
    }

    // A new first dimension of size 1, along which omap puts the splits: z -> 0. Heads and rows
    // of queries follow as dimensions 1 and 2.
    %n4 = mirage_block.reshape %n : tensor<1x64x64xf32> to tensor<1x1x64x64xf32>
    %d4 = mirage_block.reshape %d : tensor<1x64x1xf32> to tensor<1x1x64x1xf32>
    %m4 = mirage_block.reshape %m : tensor<1x64x1xf32> to tensor<1x1x64x1xf32>
    %ns = mirage_block.store %n4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x64x64xf32> to tensor<16x2x256x64xf32>
    %ds = mirage_block.store %d4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x64x1xf32> to tensor<16x2x256x1xf32>
    %ms = mirage_block.store %m4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x64x1xf32> to tensor<16x2x256x1xf32>
    mirage_block.yield %ns, %ds, %ms
        : tensor<16x2x256x64xf32>, tensor<16x2x256x1xf32>, tensor<16x2x256x1xf32>
  }

  // Second kernel. x: the head, y: 4 of the 256 queries, again 128 blocks; no products, so rows
  // need not come in sixteens. Without a z dimension a block sees all 16 splits of its queries.
  // Shared memory: 33,280 bytes.
  %o = mirage_kernel.launch grid(x = 2, y = 64)
      (%na = %num : tensor<16x2x256x64xf32>, %da = %den : tensor<16x2x256x1xf32>,
       %ma = %max : tensor<16x2x256x1xf32>) -> tensor<2x256x64xf16> {
    // 16 KB of numerators, 256 bytes of denominators and of maxima.
    %nt = mirage_block.load %na imap(x -> 1, y -> 2)
        : tensor<16x2x256x64xf32> to tensor<16x1x4x64xf32>
    %dt = mirage_block.load %da imap(x -> 1, y -> 2)
        : tensor<16x2x256x1xf32> to tensor<16x1x4x1xf32>
    %mt = mirage_block.load %ma imap(x -> 1, y -> 2)
        : tensor<16x2x256x1xf32> to tensor<16x1x4x1xf32>

    // M over all keys, and the splits' weights exp(m - M).
    %mm = mirage_block.reduce max %mt dim(0) keep : (tensor<16x1x4x1xf32>) -> tensor<1x1x4x1xf32>
    %sh = mirage_block.sub %mt, %mm
        : (tensor<16x1x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<16x1x4x1xf32>
    %wt = mirage_block.exp %sh : (tensor<16x1x4x1xf32>) -> tensor<16x1x4x1xf32>

    // N and D: weighted sums over the splits. Without `keep` the dimension of the splits goes.
    %nw = mirage_block.mul %nt, %wt
        : (tensor<16x1x4x64xf32>, tensor<16x1x4x1xf32>) -> tensor<16x1x4x64xf32>
    %dw = mirage_block.mul %dt, %wt
        : (tensor<16x1x4x1xf32>, tensor<16x1x4x1xf32>) -> tensor<16x1x4x1xf32>
    %n = mirage_block.reduce sum %nw dim(0) : (tensor<16x1x4x64xf32>) -> tensor<1x4x64xf32>
    %d = mirage_block.reduce sum %dw dim(0) : (tensor<16x1x4x1xf32>) -> tensor<1x4x1xf32>
    %r = mirage_block.div %n, %d
        : (tensor<1x4x64xf32>, tensor<1x4x1xf32>) -> tensor<1x4x64xf32>
    %h = mirage_block.cast %r : tensor<1x4x64xf32> to tensor<1x4x64xf16>
    %s = mirage_block.store %h omap(x -> 0, y -> 1)
        : tensor<1x4x64xf16> to tensor<2x256x64xf16>
    mirage_block.yield %s : tensor<2x256x64xf16>
  }
  return %o : tensor<2x256x64xf16>
}

}
