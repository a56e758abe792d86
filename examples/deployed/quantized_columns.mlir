// Weights quantized per channel, by the largest element of each column.

module {
  func.func @quantized_columns(%arg0: tensor<512x1024xf16>) -> (tensor<512x1024xf8E4M3FN>, tensor<1x1024xf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<512x1024xf16> to tensor<512x1024xf32>
    %abs = mirage_kernel.abs %cast : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %reduce = mirage_kernel.reduce max %abs dim(0) keep : (tensor<512x1024xf32>) -> tensor<1x1024xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<1x1024xf32>, tensor<1x1xf32>) -> tensor<1x1024xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<512x1024xf32>, tensor<1x1024xf32>) -> tensor<512x1024xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<512x1024xf32> to tensor<512x1024xf8E4M3FN>
    %cast_1 = mirage_kernel.cast %scale : tensor<1x1024xf32> to tensor<1x1024xf16>
    return %cast_0, %cast_1 : tensor<512x1024xf8E4M3FN>, tensor<1x1024xf16>
  }
}

