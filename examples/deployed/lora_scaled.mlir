// A product and a low-rank adapter of rank 8, scaled by two, with a bias.

module {
  func.func @lora_scaled(%arg0: tensor<16x1024xbf16>, %arg1: tensor<1024x8xbf16>, %arg2: tensor<8x3072xbf16>, %arg3: tensor<1024x3072xbf16>, %arg4: tensor<3072xbf16>) -> tensor<16x3072xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg3 : (tensor<16x1024xbf16>, tensor<1024x3072xbf16>) -> tensor<16x3072xf32>
    %reshape = mirage_kernel.reshape %arg4 : tensor<3072xbf16> to tensor<1x3072xbf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x3072xbf16> to tensor<1x3072xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<16x3072xf32>, tensor<1x3072xf32>) -> tensor<16x3072xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xbf16>, tensor<1024x8xbf16>) -> tensor<16x8xf32>
    %cast_1 = mirage_kernel.cast %matmul_0 : tensor<16x8xf32> to tensor<16x8xbf16>
    %matmul_2 = mirage_kernel.matmul %cast_1, %arg2 : (tensor<16x8xbf16>, tensor<8x3072xbf16>) -> tensor<16x3072xf32>
    %scale = mirage_kernel.scale %matmul_2 by 2.000000e+00 : (tensor<16x3072xf32>) -> tensor<16x3072xf32>
    %add_3 = mirage_kernel.add %add, %scale : (tensor<16x3072xf32>, tensor<16x3072xf32>) -> tensor<16x3072xf32>
    %cast_4 = mirage_kernel.cast %add_3 : tensor<16x3072xf32> to tensor<16x3072xbf16>
    return %cast_4 : tensor<16x3072xbf16>
  }
}

