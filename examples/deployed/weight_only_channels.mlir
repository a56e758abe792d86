// Weights of eight bits with a factor for each channel, made f16 for a product.

module {
  func.func @weight_only_channels(%arg0: tensor<16x1024xf16>, %arg1: tensor<1024x2048xf8E4M3FN>, %arg2: tensor<2048xf16>) -> tensor<16x2048xf16> {
    %cast = mirage_kernel.cast %arg1 : tensor<1024x2048xf8E4M3FN> to tensor<1024x2048xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<2048xf16> to tensor<1x2048xf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x2048xf16> to tensor<1x2048xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<1024x2048xf32>, tensor<1x2048xf32>) -> tensor<1024x2048xf32>
    %cast_1 = mirage_kernel.cast %mul : tensor<1024x2048xf32> to tensor<1024x2048xf16>
    %matmul = mirage_kernel.matmul %arg0, %cast_1 : (tensor<16x1024xf16>, tensor<1024x2048xf16>) -> tensor<16x2048xf32>
    %cast_2 = mirage_kernel.cast %matmul : tensor<16x2048xf32> to tensor<16x2048xf16>
    return %cast_2 : tensor<16x2048xf16>
  }
}

