// Attention as PyTorch exports it: keys and values are repeated for the four
// heads of queries that share them.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @repeated_heads(%q: tensor<2x32x16x64xf16>, %k: tensor<2x8x1024x64xf16>,
                          %v: tensor<2x8x1024x64xf16>) -> tensor<2x32x16x64xf16> {
  %k0 = mirage_kernel.reshape %k : tensor<2x8x1024x64xf16> to tensor<2x8x1x1024x64xf16>
  %k1 = mirage_kernel.broadcast %k0 : tensor<2x8x1x1024x64xf16> to tensor<2x8x4x1024x64xf16>
  %keys = mirage_kernel.reshape %k1 : tensor<2x8x4x1024x64xf16> to tensor<2x32x1024x64xf16>
  %v0 = mirage_kernel.reshape %v : tensor<2x8x1024x64xf16> to tensor<2x8x1x1024x64xf16>
  %v1 = mirage_kernel.broadcast %v0 : tensor<2x8x1x1024x64xf16> to tensor<2x8x4x1024x64xf16>
  %values = mirage_kernel.reshape %v1 : tensor<2x8x4x1024x64xf16> to tensor<2x32x1024x64xf16>
  %o = mirage_kernel.attention %q, %keys, %values scale(0.125)
      : (tensor<2x32x16x64xf16>, tensor<2x32x1024x64xf16>, tensor<2x32x1024x64xf16>)
      -> tensor<2x32x16x64xf16>
  return %o : tensor<2x32x16x64xf16>
}
}
