// ScaleNorm: rows divided by their length, one learned factor, a product.

module {
  func.func @norm_by_length(%arg0: tensor<64x512xf16>, %arg1: tensor<1x1xf16>, %arg2: tensor<512x512xf16>) -> tensor<64x512xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x512xf16> to tensor<64x512xf32>
    %square = mirage_kernel.square %cast : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %reduce = mirage_kernel.reduce sum %square dim(1) keep : (tensor<64x512xf32>) -> tensor<64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %mul = mirage_kernel.mul %cast, %rsqrt : (tensor<64x512xf32>, tensor<64x1xf32>) -> tensor<64x512xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x1xf16> to tensor<1x1xf32>
    %mul_1 = mirage_kernel.mul %mul, %cast_0 : (tensor<64x512xf32>, tensor<1x1xf32>) -> tensor<64x512xf32>
    %cast_2 = mirage_kernel.cast %mul_1 : tensor<64x512xf32> to tensor<64x512xf16>
    %matmul = mirage_kernel.matmul %cast_2, %arg2 : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf32>
    %cast_3 = mirage_kernel.cast %matmul : tensor<64x512xf32> to tensor<64x512xf16>
    return %cast_3 : tensor<64x512xf16>
  }
}

