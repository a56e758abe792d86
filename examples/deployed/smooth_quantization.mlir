// SmoothQuant: channels are smoothed, then rounded per row, then a product.

module {
  func.func @smooth_quantization(%arg0: tensor<32x768xf16>, %arg1: tensor<768xf16>, %arg2: tensor<768x768xf8E4M3FN>, %arg3: tensor<768xf16>) -> tensor<32x768xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<32x768xf16> to tensor<32x768xf32>
    %reshape = mirage_kernel.reshape %arg1 : tensor<768xf16> to tensor<1x768xf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x768xf16> to tensor<1x768xf32>
    %div = mirage_kernel.div %cast, %cast_0 : (tensor<32x768xf32>, tensor<1x768xf32>) -> tensor<32x768xf32>
    %abs = mirage_kernel.abs %div : (tensor<32x768xf32>) -> tensor<32x768xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<32x768xf32>) -> tensor<32x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<32x1xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<32x1xf32>) -> tensor<32x1xf32>
    %div_1 = mirage_kernel.div %div, %scale : (tensor<32x768xf32>, tensor<32x1xf32>) -> tensor<32x768xf32>
    %cast_2 = mirage_kernel.cast %div_1 : tensor<32x768xf32> to tensor<32x768xf8E4M3FN>
    %matmul = mirage_kernel.matmul %cast_2, %arg2 : (tensor<32x768xf8E4M3FN>, tensor<768x768xf8E4M3FN>) -> tensor<32x768xf32>
    %mul = mirage_kernel.mul %matmul, %scale : (tensor<32x768xf32>, tensor<32x1xf32>) -> tensor<32x768xf32>
    %reshape_3 = mirage_kernel.reshape %arg3 : tensor<768xf16> to tensor<1x768xf16>
    %cast_4 = mirage_kernel.cast %reshape_3 : tensor<1x768xf16> to tensor<1x768xf32>
    %mul_5 = mirage_kernel.mul %mul, %cast_4 : (tensor<32x768xf32>, tensor<1x768xf32>) -> tensor<32x768xf32>
    %cast_6 = mirage_kernel.cast %mul_5 : tensor<32x768xf32> to tensor<32x768xf16>
    return %cast_6 : tensor<32x768xf16>
  }
}

