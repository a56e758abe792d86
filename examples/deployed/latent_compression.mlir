// The latent of keys and values: a product, and a norm with a weight.

module {
  func.func @latent_compression(%arg0: tensor<64x2048xbf16>, %arg1: tensor<2048x512xbf16>, %arg2: tensor<512xbf16>) -> tensor<64x512xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<64x2048xbf16>, tensor<2048x512xbf16>) -> tensor<64x512xf32>
    %rms_norm = mirage_kernel.rms_norm %matmul epsilon(9.9999999999999995E-7) : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<512xbf16> to tensor<1x512xbf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x512xbf16> to tensor<1x512xf32>
    %mul = mirage_kernel.mul %rms_norm, %cast : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<64x512xf32> to tensor<64x512xbf16>
    return %cast_0 : tensor<64x512xbf16>
  }
}

