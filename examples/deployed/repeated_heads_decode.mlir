// One step of Llama 3: four heads read each head of keys, which is repeated.

module {
  func.func @repeated_heads_decode(%arg0: tensor<1x32x1x128xbf16>, %arg1: tensor<1x8x512x128xbf16>, %arg2: tensor<1x8x512x128xbf16>) -> tensor<1x32x1x128xbf16> {
    %reshape = mirage_kernel.reshape %arg1 : tensor<1x8x512x128xbf16> to tensor<1x8x1x512x128xbf16>
    %broadcast = mirage_kernel.broadcast %reshape : tensor<1x8x1x512x128xbf16> to tensor<1x8x4x512x128xbf16>
    %reshape_0 = mirage_kernel.reshape %broadcast : tensor<1x8x4x512x128xbf16> to tensor<1x32x512x128xbf16>
    %matmul = mirage_kernel.matmul %arg0, %reshape_0 transpose_rhs : (tensor<1x32x1x128xbf16>, tensor<1x32x512x128xbf16>) -> tensor<1x32x1x512xf32>
    %scale = mirage_kernel.scale %matmul by 0.088388346135616302 : (tensor<1x32x1x512xf32>) -> tensor<1x32x1x512xf32>
    %softmax = mirage_kernel.softmax %scale dim(3) : (tensor<1x32x1x512xf32>) -> tensor<1x32x1x512xf32>
    %cast = mirage_kernel.cast %softmax : tensor<1x32x1x512xf32> to tensor<1x32x1x512xbf16>
    %reshape_1 = mirage_kernel.reshape %arg2 : tensor<1x8x512x128xbf16> to tensor<1x8x1x512x128xbf16>
    %broadcast_2 = mirage_kernel.broadcast %reshape_1 : tensor<1x8x1x512x128xbf16> to tensor<1x8x4x512x128xbf16>
    %reshape_3 = mirage_kernel.reshape %broadcast_2 : tensor<1x8x4x512x128xbf16> to tensor<1x32x512x128xbf16>
    %matmul_4 = mirage_kernel.matmul %cast, %reshape_3 : (tensor<1x32x1x512xbf16>, tensor<1x32x512x128xbf16>) -> tensor<1x32x1x128xf32>
    %cast_5 = mirage_kernel.cast %matmul_4 : tensor<1x32x1x128xf32> to tensor<1x32x1x128xbf16>
    return %cast_5 : tensor<1x32x1x128xbf16>
  }
}

