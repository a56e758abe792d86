// The same without rounding: divided by row factors, and multiplied behind.

module {
  func.func @scaled_rows_product(%arg0: tensor<32x1024xf16>, %arg1: tensor<1024x1024xf16>) -> tensor<32x1024xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<32x1024xf16> to tensor<32x1024xf32>
    %abs = mirage_kernel.abs %cast : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %reduce = mirage_kernel.reduce max %abs dim(1) keep : (tensor<32x1024xf32>) -> tensor<32x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %max = mirage_kernel.max %reduce, %constant : (tensor<32x1xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
    %scale = mirage_kernel.scale %max by 0.0022321429569274187 : (tensor<32x1xf32>) -> tensor<32x1xf32>
    %div = mirage_kernel.div %cast, %scale : (tensor<32x1024xf32>, tensor<32x1xf32>) -> tensor<32x1024xf32>
    %cast_0 = mirage_kernel.cast %div : tensor<32x1024xf32> to tensor<32x1024xf16>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<32x1024xf16>, tensor<1024x1024xf16>) -> tensor<32x1024xf32>
    %mul = mirage_kernel.mul %matmul, %scale : (tensor<32x1024xf32>, tensor<32x1xf32>) -> tensor<32x1024xf32>
    %cast_1 = mirage_kernel.cast %mul : tensor<32x1024xf32> to tensor<32x1024xf16>
    return %cast_1 : tensor<32x1024xf16>
  }
}

