// Attention of 32 heads of queries, four for each head of keys and values.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @shared_heads(%q: tensor<32x32x16x64xf16>, %k: tensor<32x8x1x64x1024xf16>,
                        %v: tensor<32x8x1x1024x64xf16>) -> tensor<32x32x16x64xf16> {
  %heads = mirage_kernel.reshape %q : tensor<32x32x16x64xf16> to tensor<32x8x4x16x64xf16>
  %s = mirage_kernel.matmul %heads, %k
      : (tensor<32x8x4x16x64xf16>, tensor<32x8x1x64x1024xf16>) -> tensor<32x8x4x16x1024xf32>
  %p = mirage_kernel.softmax %s dim(4)
      : (tensor<32x8x4x16x1024xf32>) -> tensor<32x8x4x16x1024xf32>
  %h = mirage_kernel.cast %p : tensor<32x8x4x16x1024xf32> to tensor<32x8x4x16x1024xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<32x8x4x16x1024xf16>, tensor<32x8x1x1024x64xf16>) -> tensor<32x8x4x16x64xf16>
  %r = mirage_kernel.reshape %o : tensor<32x8x4x16x64xf16> to tensor<32x32x16x64xf16>
  return %r : tensor<32x32x16x64xf16>
}
}
