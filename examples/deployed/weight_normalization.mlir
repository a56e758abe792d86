// A product with g v / |v|, rows of v are those of outputs.

module {
  func.func @weight_normalization(%arg0: tensor<64x512xf16>, %arg1: tensor<512x512xf16>, %arg2: tensor<512x1xf16>, %arg3: tensor<512xf16>) -> tensor<64x512xf16> {
    %cast = mirage_kernel.cast %arg1 : tensor<512x512xf16> to tensor<512x512xf32>
    %cast_0 = mirage_kernel.cast %arg2 : tensor<512x1xf16> to tensor<512x1xf32>
    %square = mirage_kernel.square %cast : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %reduce = mirage_kernel.reduce sum %square dim(1) keep : (tensor<512x512xf32>) -> tensor<512x1xf32>
    %rsqrt = mirage_kernel.rsqrt %reduce : (tensor<512x1xf32>) -> tensor<512x1xf32>
    %mul = mirage_kernel.mul %cast_0, %rsqrt : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
    %mul_1 = mirage_kernel.mul %cast, %mul : (tensor<512x512xf32>, tensor<512x1xf32>) -> tensor<512x512xf32>
    %cast_2 = mirage_kernel.cast %mul_1 : tensor<512x512xf32> to tensor<512x512xf16>
    %matmul = mirage_kernel.matmul %arg0, %cast_2 transpose_rhs : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf32>
    %reshape = mirage_kernel.reshape %arg3 : tensor<512xf16> to tensor<1x512xf16>
    %cast_3 = mirage_kernel.cast %reshape : tensor<1x512xf16> to tensor<1x512xf32>
    %add = mirage_kernel.add %matmul, %cast_3 : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
    %cast_4 = mirage_kernel.cast %add : tensor<64x512xf32> to tensor<64x512xf16>
    return %cast_4 : tensor<64x512xf16>
  }
}

