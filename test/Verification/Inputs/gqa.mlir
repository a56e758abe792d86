// examples/gqa.mlir with small shapes: two heads, 4 queries, 16 keys in two splits of two
// iterations.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @gqa(%q: tensor<2x4x4xf16>, %k: tensor<2x4x16xf16>, %v: tensor<2x16x4xf16>)
    -> tensor<2x4x4xf16> {
  %s = mirage_kernel.matmul %q, %k
      : (tensor<2x4x4xf16>, tensor<2x4x16xf16>) -> tensor<2x4x16xf32>
  %p = mirage_kernel.softmax %s dim(2) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %h = mirage_kernel.cast %p : tensor<2x4x16xf32> to tensor<2x4x16xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<2x4x16xf16>, tensor<2x16x4xf16>) -> tensor<2x4x4xf16>
  return %o : tensor<2x4x4xf16>
}

func.func @gqa_mugraph(%q: tensor<2x4x4xf16>, %k: tensor<2x4x16xf16>,
                       %v: tensor<2x16x4xf16>) -> tensor<2x4x4xf16> {
  %num, %den, %max = mirage_kernel.launch grid(x = 2, y = 2, z = 2)
      (%qa = %q : tensor<2x4x4xf16>, %ka = %k : tensor<2x4x16xf16>,
       %va = %v : tensor<2x16x4xf16>)
      -> (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>, tensor<2x2x4x1xf32>) {

    %qt = mirage_block.load %qa imap(x -> 0, y -> 1, z -> phi)
        : tensor<2x4x4xf16> to tensor<1x2x4xf16>

    %n, %d, %m = mirage_block.for %i = 0 to 2
        -> (tensor<1x2x4xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi, z -> 2) fmap(%i -> 2)
          : tensor<2x4x16xf16> to tensor<1x4x4xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi, z -> 1) fmap(%i -> 1)
          : tensor<2x16x4xf16> to tensor<1x4x4xf16>

      %s = mirage_block.matmul %qt, %kt
          : (tensor<1x2x4xf16>, tensor<1x4x4xf16>) -> tensor<1x2x4xf32>
      %mi = mirage_block.reduce max %s dim(2) keep : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
      %sh = mirage_block.sub %s, %mi
          : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
      %e = mirage_block.exp %sh : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>

      %di = mirage_block.reduce sum %e dim(2) keep : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
      %eh = mirage_block.cast %e : tensor<1x2x4xf32> to tensor<1x2x4xf16>
      %ni = mirage_block.matmul %eh, %vt
          : (tensor<1x2x4xf16>, tensor<1x4x4xf16>) -> tensor<1x2x4xf32>

      %na = mirage_block.accumulate rescaled_sum %ni shift %mi
          : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
      %da = mirage_block.accumulate rescaled_sum %di shift %mi
          : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      %ma = mirage_block.accumulate max %mi : (tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      mirage_block.yield %na, %da, %ma
          : tensor<1x2x4xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
    }

    %n4 = mirage_block.reshape %n : tensor<1x2x4xf32> to tensor<1x1x2x4xf32>
    %d4 = mirage_block.reshape %d : tensor<1x2x1xf32> to tensor<1x1x2x1xf32>
    %m4 = mirage_block.reshape %m : tensor<1x2x1xf32> to tensor<1x1x2x1xf32>
    %ns = mirage_block.store %n4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x2x4xf32> to tensor<2x2x4x4xf32>
    %ds = mirage_block.store %d4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x2x1xf32> to tensor<2x2x4x1xf32>
    %ms = mirage_block.store %m4 omap(x -> 1, y -> 2, z -> 0)
        : tensor<1x1x2x1xf32> to tensor<2x2x4x1xf32>
    mirage_block.yield %ns, %ds, %ms
        : tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>, tensor<2x2x4x1xf32>
  }

  %o = mirage_kernel.launch grid(x = 2, y = 4)
      (%na = %num : tensor<2x2x4x4xf32>, %da = %den : tensor<2x2x4x1xf32>,
       %ma = %max : tensor<2x2x4x1xf32>) -> tensor<2x4x4xf16> {
    %nt = mirage_block.load %na imap(x -> 1, y -> 2)
        : tensor<2x2x4x4xf32> to tensor<2x1x1x4xf32>
    %dt = mirage_block.load %da imap(x -> 1, y -> 2)
        : tensor<2x2x4x1xf32> to tensor<2x1x1x1xf32>
    %mt = mirage_block.load %ma imap(x -> 1, y -> 2)
        : tensor<2x2x4x1xf32> to tensor<2x1x1x1xf32>

    %mm = mirage_block.reduce max %mt dim(0) keep : (tensor<2x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %sh = mirage_block.sub %mt, %mm
        : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %wt = mirage_block.exp %sh : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>

    %nw = mirage_block.mul %nt, %wt
        : (tensor<2x1x1x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x4xf32>
    %dw = mirage_block.mul %dt, %wt
        : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %n = mirage_block.reduce sum %nw dim(0) : (tensor<2x1x1x4xf32>) -> tensor<1x1x4xf32>
    %d = mirage_block.reduce sum %dw dim(0) : (tensor<2x1x1x1xf32>) -> tensor<1x1x1xf32>
    %r = mirage_block.div %n, %d
        : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
    %h = mirage_block.cast %r : tensor<1x1x4xf32> to tensor<1x1x4xf16>
    %s = mirage_block.store %h omap(x -> 0, y -> 1)
        : tensor<1x1x4xf16> to tensor<2x4x4xf16>
    mirage_block.yield %s : tensor<2x4x4xf16>
  }
  return %o : tensor<2x4x4xf16>
}

}
