// Per tensor: a product of eight bits with the factor of all elements.

module {
  func.func @quantized_tensor(%arg0: tensor<64x512xf16>, %arg1: tensor<512x512xf8E4M3FN>, %arg2: tensor<1x1xf16>) -> tensor<64x512xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x512xf16> to tensor<64x512xf32>
    %reshape = mirage_kernel.reshape %cast : tensor<64x512xf32> to tensor<1x32768xf32>
    %abs = mirage_kernel.abs %reshape : (tensor<1x32768xf32>) -> tensor<1x32768xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<1x32768xf32>) -> tensor<1x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<64x512xf32>, tensor<1x1xf32>) -> tensor<64x512xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<64x512xf32> to tensor<64x512xf8E4M3FN>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<64x512xf8E4M3FN>, tensor<512x512xf8E4M3FN>) -> tensor<64x512xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<1x1xf16> to tensor<1x1xf32>
    %mul = mirage_kernel.mul %scale, %cast_1 : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %mul_2 = mirage_kernel.mul %matmul, %mul : (tensor<64x512xf32>, tensor<1x1xf32>) -> tensor<64x512xf32>
    %cast_3 = mirage_kernel.cast %mul_2 : tensor<64x512xf32> to tensor<64x512xf16>
    return %cast_3 : tensor<64x512xf16>
  }
}

