// Per row and channel, as vLLM: rounded rows, a product, both factors behind.

module {
  func.func @quantized_rows_product(%arg0: tensor<32x1024xbf16>, %arg1: tensor<1024x1024xf8E4M3FN>, %arg2: tensor<1024xbf16>) -> tensor<32x1024xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<32x1024xbf16> to tensor<32x1024xf32>
    %abs = mirage_kernel.abs %cast : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<32x1024xf32>) -> tensor<32x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<32x1xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<32x1xf32>) -> tensor<32x1xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<32x1024xf32>, tensor<32x1xf32>) -> tensor<32x1024xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<32x1024xf32> to tensor<32x1024xf8E4M3FN>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<32x1024xf8E4M3FN>, tensor<1024x1024xf8E4M3FN>) -> tensor<32x1024xf32>
    %mul = mirage_kernel.mul %matmul, %scale : (tensor<32x1024xf32>, tensor<32x1xf32>) -> tensor<32x1024xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<1024xbf16> to tensor<1x1024xbf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %mul_2 = mirage_kernel.mul %mul, %cast_1 : (tensor<32x1024xf32>, tensor<1x1024xf32>) -> tensor<32x1024xf32>
    %cast_3 = mirage_kernel.cast %mul_2 : tensor<32x1024xf32> to tensor<32x1024xbf16>
    return %cast_3 : tensor<32x1024xbf16>
  }
}

