// Per row: each token's factor, rounded elements and factors are returned.

module {
  func.func @quantized_rows(%arg0: tensor<64x2048xbf16>) -> (tensor<64x2048xf8E4M3FN>, tensor<64x1xbf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<64x2048xbf16> to tensor<64x2048xf32>
    %abs = mirage_kernel.abs %cast : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<64x2048xf32>) -> tensor<64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<64x2048xf32>, tensor<64x1xf32>) -> tensor<64x2048xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<64x2048xf32> to tensor<64x2048xf8E4M3FN>
    %cast_1 = mirage_kernel.cast %scale : tensor<64x1xf32> to tensor<64x1xbf16>
    return %cast_0, %cast_1 : tensor<64x2048xf8E4M3FN>, tensor<64x1xbf16>
  }
}

