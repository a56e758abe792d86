// DoRA: columns of the adapted weight are divided by their lengths.

module {
  func.func @lora_weight_decomposed(%arg0: tensor<16x512xf16>, %arg1: tensor<512x512xf16>, %arg2: tensor<512x16xf16>, %arg3: tensor<16x512xf16>, %arg4: tensor<512xf16>) -> tensor<16x512xf16> {
    %cast = mirage_kernel.cast %arg1 : tensor<512x512xf16> to tensor<512x512xf32>
    %matmul = mirage_kernel.matmul %arg2, %arg3 : (tensor<512x16xf16>, tensor<16x512xf16>) -> tensor<512x512xf32>
    %add = mirage_kernel.add %cast, %matmul : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %cast_0 = mirage_kernel.cast %add : tensor<512x512xf32> to tensor<512x512xf16>
    %matmul_1 = mirage_kernel.matmul %arg0, %cast_0 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf32>
    %square = mirage_kernel.square %add : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %reduce = mirage_kernel.reduce sum %square dim(0) keep : (tensor<512x512xf32>) -> tensor<1x512xf32>
    %rsqrt = mirage_kernel.rsqrt %reduce : (tensor<1x512xf32>) -> tensor<1x512xf32>
    %reshape = mirage_kernel.reshape %arg4 : tensor<512xf16> to tensor<1x512xf16>
    %cast_2 = mirage_kernel.cast %reshape : tensor<1x512xf16> to tensor<1x512xf32>
    %mul = mirage_kernel.mul %rsqrt, %cast_2 : (tensor<1x512xf32>, tensor<1x512xf32>) -> tensor<1x512xf32>
    %mul_3 = mirage_kernel.mul %matmul_1, %mul : (tensor<16x512xf32>, tensor<1x512xf32>) -> tensor<16x512xf32>
    %cast_4 = mirage_kernel.cast %mul_3 : tensor<16x512xf32> to tensor<16x512xf16>
    return %cast_4 : tensor<16x512xf16>
  }
}

