// DeepSeek V3: activations in groups of 128, rounded, with their factors.

module {
  func.func @quantized_groups(%arg0: tensor<64x8x128xbf16>) -> (tensor<64x8x128xf8E4M3FN>, tensor<64x8xbf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<64x8x128xbf16> to tensor<64x8x128xf32>
    %abs = mirage_kernel.abs %cast : (tensor<64x8x128xf32>) -> tensor<64x8x128xf32>
    %reduce = mirage_kernel.reduce max %abs dim(2) keep : (tensor<64x8x128xf32>) -> tensor<64x8x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<64x8x1xf32>, tensor<1x1x1xf32>) -> tensor<64x8x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<64x8x1xf32>) -> tensor<64x8x1xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<64x8x128xf32>, tensor<64x8x1xf32>) -> tensor<64x8x128xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<64x8x128xf32> to tensor<64x8x128xf8E4M3FN>
    %reshape = mirage_kernel.reshape %scale : tensor<64x8x1xf32> to tensor<64x8xf32>
    %cast_1 = mirage_kernel.cast %reshape : tensor<64x8xf32> to tensor<64x8xbf16>
    return %cast_0, %cast_1 : tensor<64x8x128xf8E4M3FN>, tensor<64x8xbf16>
  }
}

