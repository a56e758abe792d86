// Loops whose accumulators may be rescaled by what does not change from one iteration to the next,
// and by no maximum at all.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @invariant(%x: tensor<4x4xf32>, %w: tensor<4x2xf32>, %t: tensor<4x1xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %e = mirage_kernel.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = mirage_kernel.matmul %e, %w
      : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %n, %d : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %o = mirage_kernel.mul %n, %t : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return %q, %o : tensor<4x2xf32>, tensor<4x2xf32>
}

func.func @invariant_mugraph(%x: tensor<4x4xf32>, %w: tensor<4x2xf32>, %t: tensor<4x1xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %q, %o = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<4x4xf32>, %wa = %w : tensor<4x2xf32>, %ta = %t : tensor<4x1xf32>)
      -> (tensor<4x2xf32>, tensor<4x2xf32>) {
    %tt = mirage_block.load %ta imap(x -> 0) : tensor<4x1xf32> to tensor<2x1xf32>
    %n, %d, %p = mirage_block.for %i = 0 to 2
        -> (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>) {
      %xt = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1)
          : tensor<4x4xf32> to tensor<2x2xf32>
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0)
          : tensor<4x2xf32> to tensor<2x2xf32>
      // Relative to the mean of the iteration's part of a row.
      %mi = mirage_block.reduce mean %xt dim(1) keep : (tensor<2x2xf32>) -> tensor<2x1xf32>
      %sh = mirage_block.sub %xt, %mi
          : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
      %e = mirage_block.exp %sh : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %di = mirage_block.reduce sum %e dim(1) keep : (tensor<2x2xf32>) -> tensor<2x1xf32>
      %ni = mirage_block.matmul %e, %wt
          : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %na = mirage_block.accumulate rescaled_sum %ni shift %mi
          : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
      %da = mirage_block.accumulate rescaled_sum %di shift %mi
          : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
      %f = mirage_block.exp %xt : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %pi = mirage_block.matmul %f, %wt
          : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %pa = mirage_block.accumulate sum %pi : (tensor<2x2xf32>) -> tensor<2x2xf32>
      mirage_block.yield %na, %da, %pa
          : tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>
    }
    %r = mirage_block.div %n, %d : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %m = mirage_block.mul %p, %tt : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %rs = mirage_block.store %r omap(x -> 0) : tensor<2x2xf32> to tensor<4x2xf32>
    %ms = mirage_block.store %m omap(x -> 0) : tensor<2x2xf32> to tensor<4x2xf32>
    mirage_block.yield %rs, %ms : tensor<4x2xf32>, tensor<4x2xf32>
  }
  return %q, %o : tensor<4x2xf32>, tensor<4x2xf32>
}

}
