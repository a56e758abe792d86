// Attention behind one product for queries, keys and values. The launch takes
// the weight in three parts, and each of its two blocks computes all keys and
// values again for its two queries.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @fused_qkv(%x: tensor<4x8xf16>, %w: tensor<8x12xf16>) -> tensor<4x4xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x12xf16>) -> tensor<4x12xf32>
  %h = mirage_kernel.cast %y : tensor<4x12xf32> to tensor<4x12xf16>
  %q = mirage_kernel.slice %h[0, 0] [4, 4] [1, 1] : (tensor<4x12xf16>) -> tensor<4x4xf16>
  %k = mirage_kernel.slice %h[0, 4] [4, 4] [1, 1] : (tensor<4x12xf16>) -> tensor<4x4xf16>
  %v = mirage_kernel.slice %h[0, 8] [4, 4] [1, 1] : (tensor<4x12xf16>) -> tensor<4x4xf16>
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
  %p = mirage_kernel.softmax %s dim(1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = mirage_kernel.cast %p : tensor<4x4xf32> to tensor<4x4xf16>
  %o = mirage_kernel.matmul %c, %v : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
  %r = mirage_kernel.cast %o : tensor<4x4xf32> to tensor<4x4xf16>
  return %r : tensor<4x4xf16>
}

func.func @fused_qkv_mugraph(%x: tensor<4x8xf16>, %w: tensor<8x12xf16>) -> tensor<4x4xf16> {
  %wq = mirage_kernel.slice %w[0, 0] [8, 4] [1, 1] : (tensor<8x12xf16>) -> tensor<8x4xf16>
  %wk = mirage_kernel.slice %w[0, 4] [8, 4] [1, 1] : (tensor<8x12xf16>) -> tensor<8x4xf16>
  %wv = mirage_kernel.slice %w[0, 8] [8, 4] [1, 1] : (tensor<8x12xf16>) -> tensor<8x4xf16>
  %o = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<4x8xf16>, %qa = %wq : tensor<8x4xf16>,
       %ka = %wk : tensor<8x4xf16>, %va = %wv : tensor<8x4xf16>) -> tensor<4x4xf16> {
    %own = mirage_block.load %xa imap(x -> 0) : tensor<4x8xf16> to tensor<2x8xf16>
    %all = mirage_block.load %xa imap(x -> phi) : tensor<4x8xf16> to tensor<4x8xf16>
    %qt = mirage_block.load %qa imap(x -> phi) : tensor<8x4xf16> to tensor<8x4xf16>
    %kt = mirage_block.load %ka imap(x -> phi) : tensor<8x4xf16> to tensor<8x4xf16>
    %vt = mirage_block.load %va imap(x -> phi) : tensor<8x4xf16> to tensor<8x4xf16>
    %q = mirage_block.matmul %own, %qt : (tensor<2x8xf16>, tensor<8x4xf16>) -> tensor<2x4xf32>
    %qh = mirage_block.cast %q : tensor<2x4xf32> to tensor<2x4xf16>
    %k = mirage_block.matmul %all, %kt : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
    %kh = mirage_block.cast %k : tensor<4x4xf32> to tensor<4x4xf16>
    %v = mirage_block.matmul %all, %vt : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
    %vh = mirage_block.cast %v : tensor<4x4xf32> to tensor<4x4xf16>
    %s = mirage_block.matmul %qh, %kh transpose_rhs : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf32>
    %m = mirage_block.reduce max %s dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %d = mirage_block.sub %s, %m : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %e = mirage_block.exp %d : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %t = mirage_block.reduce sum %e dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %eh = mirage_block.cast %e : tensor<2x4xf32> to tensor<2x4xf16>
    %p = mirage_block.matmul %eh, %vh : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf32>
    %r = mirage_block.div %p, %t : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %h = mirage_block.cast %r : tensor<2x4xf32> to tensor<2x4xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<2x4xf16> to tensor<4x4xf16>
    mirage_block.yield %st : tensor<4x4xf16>
  }
  return %o : tensor<4x4xf16>
}

}
