// A norm with a weight, rounded per row: one kernel in serving engines.

module {
  func.func @norm_and_quantization(%arg0: tensor<64x1024xbf16>, %arg1: tensor<1024xbf16>) -> (tensor<64x1024xf8E4M3FN>, tensor<64x1xbf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<64x1024xbf16> to tensor<64x1024xf32>
    %rms_norm = mirage_kernel.rms_norm %cast epsilon(9.9999999999999995E-7) : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
    %reshape = mirage_kernel.reshape %arg1 : tensor<1024xbf16> to tensor<1x1024xbf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %mul = mirage_kernel.mul %rms_norm, %cast_0 : (tensor<64x1024xf32>, tensor<1x1024xf32>) -> tensor<64x1024xf32>
    %abs = mirage_kernel.abs %mul : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<64x1024xf32>) -> tensor<64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %div = mirage_kernel.div %mul, %scale : (tensor<64x1024xf32>, tensor<64x1xf32>) -> tensor<64x1024xf32>
    %cast_1 = mirage_kernel.cast %div : tensor<64x1024xf32> to tensor<64x1024xf8E4M3FN>
    %cast_2 = mirage_kernel.cast %scale : tensor<64x1xf32> to tensor<64x1xbf16>
    return %cast_1, %cast_2 : tensor<64x1024xf8E4M3FN>, tensor<64x1xbf16>
  }
}

