// Weights of eight bits with a factor for 128 rows of each channel.

module {
  func.func @weight_only_groups(%arg0: tensor<16x1024xbf16>, %arg1: tensor<8x128x1024xf8E4M3FN>, %arg2: tensor<8x1x1024xbf16>) -> tensor<16x1024xbf16> {
    %cast = mirage_kernel.cast %arg1 : tensor<8x128x1024xf8E4M3FN> to tensor<8x128x1024xf32>
    %cast_0 = mirage_kernel.cast %arg2 : tensor<8x1x1024xbf16> to tensor<8x1x1024xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<8x128x1024xf32>, tensor<8x1x1024xf32>) -> tensor<8x128x1024xf32>
    %reshape = mirage_kernel.reshape %mul : tensor<8x128x1024xf32> to tensor<1024x1024xf32>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
    %matmul = mirage_kernel.matmul %arg0, %cast_1 : (tensor<16x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<16x1024xf32>
    %cast_2 = mirage_kernel.cast %matmul : tensor<16x1024xf32> to tensor<16x1024xbf16>
    return %cast_2 : tensor<16x1024xbf16>
  }
}

