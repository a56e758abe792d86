// A step of attention whose cache has eight bits, and factors of each head.

module {
  func.func @quantized_cache_decode(%arg0: tensor<8x4x128xbf16>, %arg1: tensor<8x512x128xf8E4M3FN>, %arg2: tensor<8x512x128xf8E4M3FN>, %arg3: tensor<8x1x1xbf16>, %arg4: tensor<8x1x1xbf16>) -> tensor<8x4x128xbf16> {
    %cast = mirage_kernel.cast %arg1 : tensor<8x512x128xf8E4M3FN> to tensor<8x512x128xbf16>
    %matmul = mirage_kernel.matmul %arg0, %cast transpose_rhs : (tensor<8x4x128xbf16>, tensor<8x512x128xbf16>) -> tensor<8x4x512xf32>
    %cast_0 = mirage_kernel.cast %arg3 : tensor<8x1x1xbf16> to tensor<8x1x1xf32>
    %scale = mirage_kernel.scale %cast_0 by 0.088388346135616302 : (tensor<8x1x1xf32>) -> tensor<8x1x1xf32>
    %mul = mirage_kernel.mul %matmul, %scale : (tensor<8x4x512xf32>, tensor<8x1x1xf32>) -> tensor<8x4x512xf32>
    %softmax = mirage_kernel.softmax %mul dim(2) : (tensor<8x4x512xf32>) -> tensor<8x4x512xf32>
    %cast_1 = mirage_kernel.cast %softmax : tensor<8x4x512xf32> to tensor<8x4x512xbf16>
    %cast_2 = mirage_kernel.cast %arg2 : tensor<8x512x128xf8E4M3FN> to tensor<8x512x128xbf16>
    %matmul_3 = mirage_kernel.matmul %cast_1, %cast_2 : (tensor<8x4x512xbf16>, tensor<8x512x128xbf16>) -> tensor<8x4x128xf32>
    %cast_4 = mirage_kernel.cast %arg4 : tensor<8x1x1xbf16> to tensor<8x1x1xf32>
    %mul_5 = mirage_kernel.mul %matmul_3, %cast_4 : (tensor<8x4x128xf32>, tensor<8x1x1xf32>) -> tensor<8x4x128xf32>
    %cast_6 = mirage_kernel.cast %mul_5 : tensor<8x4x128xf32> to tensor<8x4x128xbf16>
    return %cast_6 : tensor<8x4x128xbf16>
  }
}

