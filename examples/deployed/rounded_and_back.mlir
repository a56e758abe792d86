// Simulated quantization per row: rounded to eight bits and back.

module {
  func.func @rounded_and_back(%arg0: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
    %abs = mirage_kernel.abs %arg0 : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<64x1000xf32>) -> tensor<64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %div = mirage_kernel.div %arg0, %scale : (tensor<64x1000xf32>, tensor<64x1xf32>) -> tensor<64x1000xf32>
    %cast = mirage_kernel.cast %div : tensor<64x1000xf32> to tensor<64x1000xf8E4M3FN>
    %cast_0 = mirage_kernel.cast %cast : tensor<64x1000xf8E4M3FN> to tensor<64x1000xf32>
    %mul = mirage_kernel.mul %cast_0, %scale : (tensor<64x1000xf32>, tensor<64x1xf32>) -> tensor<64x1000xf32>
    return %mul : tensor<64x1000xf32>
  }
}

