// A norm of each head, and a gate, as behind retention and in Mamba 2.

module {
  func.func @grouped_heads_norm(%arg0: tensor<64x16x128xbf16>, %arg1: tensor<64x2048xbf16>) -> tensor<64x2048xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x16x128xbf16> to tensor<64x16x128xf32>
    %rms_norm = mirage_kernel.rms_norm %cast epsilon(9.9999999999999995E-7) : (tensor<64x16x128xf32>) -> tensor<64x16x128xf32>
    %reshape = mirage_kernel.reshape %rms_norm : tensor<64x16x128xf32> to tensor<64x2048xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<64x2048xbf16> to tensor<64x2048xf32>
    %silu = mirage_kernel.silu %cast_0 : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %mul = mirage_kernel.mul %reshape, %silu : (tensor<64x2048xf32>, tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %cast_1 = mirage_kernel.cast %mul : tensor<64x2048xf32> to tensor<64x2048xbf16>
    return %cast_1 : tensor<64x2048xbf16>
  }
}

