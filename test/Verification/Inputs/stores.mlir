// What no example has: stores that sum and that take maxima, an accumulator that concatenates, and
// a loop in a loop. All of it products of the same matrices, but for the maxima of rows.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @stores(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %p = mirage_kernel.matmul %x, %y
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  return %p, %m, %p, %p : tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @stores_mugraph(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // x divides rows. y divides what is contracted: its blocks' parts are summed, or of their maxima
  // the maximum is taken.
  %p, %m = mirage_kernel.launch grid(x = 2, y = 2)
      (%xa = %x : tensor<4x4xf32>, %ya = %y : tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<4x1xf32>) {
    %xt = mirage_block.load %xa imap(x -> 0, y -> 1) : tensor<4x4xf32> to tensor<2x2xf32>
    %yt = mirage_block.load %ya imap(x -> phi, y -> 0) : tensor<4x4xf32> to tensor<2x4xf32>
    %pt = mirage_block.matmul %xt, %yt
        : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %mt = mirage_block.reduce max %xt dim(1) keep : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %ps = mirage_block.store %pt omap(x -> 0, y -> sum) : tensor<2x4xf32> to tensor<4x4xf32>
    %ms = mirage_block.store %mt omap(x -> 0, y -> max) : tensor<2x1xf32> to tensor<4x1xf32>
    mirage_block.yield %ps, %ms : tensor<4x4xf32>, tensor<4x1xf32>
  }

  // x divides rows, y columns.
  %c, %n = mirage_kernel.launch grid(x = 2, y = 2)
      (%xa = %x : tensor<4x4xf32>, %ya = %y : tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %xt = mirage_block.load %xa imap(x -> 0, y -> phi) : tensor<4x4xf32> to tensor<2x4xf32>
    // One column of the block's two in an iteration, put side by side.
    %cl = mirage_block.for %i = 0 to 2 -> (tensor<2x2xf32>) {
      %yt = mirage_block.load %ya imap(x -> phi, y -> 1) fmap(%i -> 1)
          : tensor<4x4xf32> to tensor<4x1xf32>
      %ct = mirage_block.matmul %xt, %yt
          : (tensor<2x4xf32>, tensor<4x1xf32>) -> tensor<2x1xf32>
      %ca = mirage_block.accumulate concat %ct dim(1)
          : (tensor<2x1xf32>) -> tensor<2x2xf32>
      mirage_block.yield %ca : tensor<2x2xf32>
    }
    // What is contracted, divided by both loops.
    %nl = mirage_block.for %i = 0 to 2 -> (tensor<2x2xf32>) {
      %ni = mirage_block.for %j = 0 to 2 -> (tensor<2x2xf32>) {
        %xp = mirage_block.load %xa imap(x -> 0, y -> phi) fmap(%i -> 1, %j -> 1)
            : tensor<4x4xf32> to tensor<2x1xf32>
        %yp = mirage_block.load %ya imap(x -> phi, y -> 1) fmap(%i -> 0, %j -> 0)
            : tensor<4x4xf32> to tensor<1x2xf32>
        %nt = mirage_block.matmul %xp, %yp
            : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
        %nb = mirage_block.accumulate sum %nt : (tensor<2x2xf32>) -> tensor<2x2xf32>
        mirage_block.yield %nb : tensor<2x2xf32>
      }
      %na = mirage_block.accumulate sum %ni : (tensor<2x2xf32>) -> tensor<2x2xf32>
      mirage_block.yield %na : tensor<2x2xf32>
    }
    %cs = mirage_block.store %cl omap(x -> 0, y -> 1) : tensor<2x2xf32> to tensor<4x4xf32>
    %ns = mirage_block.store %nl omap(x -> 0, y -> 1) : tensor<2x2xf32> to tensor<4x4xf32>
    mirage_block.yield %cs, %ns : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %p, %m, %c, %n : tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

}
