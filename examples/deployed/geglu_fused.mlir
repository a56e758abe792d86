// Gemma's gated layer, both weights in one matrix.

module {
  func.func @geglu_fused(%arg0: tensor<16x1024xbf16>, %arg1: tensor<1024x8192xbf16>) -> tensor<16x4096xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xbf16>, tensor<1024x8192xbf16>) -> tensor<16x8192xf32>
    %slice = mirage_kernel.slice %matmul[0, 0] [16, 4096] [1, 1] : (tensor<16x8192xf32>) -> tensor<16x4096xf32>
    %gelu = mirage_kernel.gelu tanh %slice : (tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %slice_0 = mirage_kernel.slice %matmul[0, 4096] [16, 4096] [1, 1] : (tensor<16x8192xf32>) -> tensor<16x4096xf32>
    %mul = mirage_kernel.mul %gelu, %slice_0 : (tensor<16x4096xf32>, tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %cast = mirage_kernel.cast %mul : tensor<16x4096xf32> to tensor<16x4096xbf16>
    return %cast : tensor<16x4096xbf16>
  }
}

