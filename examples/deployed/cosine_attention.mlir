// Swin V2: cosines of queries and keys, a scale of each head, a bias.

module {
  func.func @cosine_attention(%arg0: tensor<16x64x32xf16>, %arg1: tensor<16x64x32xf16>, %arg2: tensor<16x64x32xf16>, %arg3: tensor<16x1x1xf16>, %arg4: tensor<16x64x64xf16>) -> tensor<16x64x32xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<16x64x32xf16> to tensor<16x64x32xf32>
    %square = mirage_kernel.square %cast : (tensor<16x64x32xf32>) -> tensor<16x64x32xf32>
    %reduce = mirage_kernel.reduce sum %square dim(2) keep : (tensor<16x64x32xf32>) -> tensor<16x64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<16x64x1xf32>, tensor<1x1x1xf32>) -> tensor<16x64x1xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<16x64x1xf32>) -> tensor<16x64x1xf32>
    %mul = mirage_kernel.mul %cast, %rsqrt : (tensor<16x64x32xf32>, tensor<16x64x1xf32>) -> tensor<16x64x32xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<16x64x32xf32> to tensor<16x64x32xf16>
    %cast_1 = mirage_kernel.cast %arg1 : tensor<16x64x32xf16> to tensor<16x64x32xf32>
    %square_2 = mirage_kernel.square %cast_1 : (tensor<16x64x32xf32>) -> tensor<16x64x32xf32>
    %reduce_3 = mirage_kernel.reduce sum %square_2 dim(2) keep : (tensor<16x64x32xf32>) -> tensor<16x64x1xf32>
    %constant_4 = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1x1xf32>
    %add_5 = mirage_kernel.add %reduce_3, %constant_4 : (tensor<16x64x1xf32>, tensor<1x1x1xf32>) -> tensor<16x64x1xf32>
    %rsqrt_6 = mirage_kernel.rsqrt %add_5 : (tensor<16x64x1xf32>) -> tensor<16x64x1xf32>
    %mul_7 = mirage_kernel.mul %cast_1, %rsqrt_6 : (tensor<16x64x32xf32>, tensor<16x64x1xf32>) -> tensor<16x64x32xf32>
    %cast_8 = mirage_kernel.cast %mul_7 : tensor<16x64x32xf32> to tensor<16x64x32xf16>
    %matmul = mirage_kernel.matmul %cast_0, %cast_8 transpose_rhs : (tensor<16x64x32xf16>, tensor<16x64x32xf16>) -> tensor<16x64x64xf32>
    %cast_9 = mirage_kernel.cast %arg3 : tensor<16x1x1xf16> to tensor<16x1x1xf32>
    %mul_10 = mirage_kernel.mul %matmul, %cast_9 : (tensor<16x64x64xf32>, tensor<16x1x1xf32>) -> tensor<16x64x64xf32>
    %cast_11 = mirage_kernel.cast %arg4 : tensor<16x64x64xf16> to tensor<16x64x64xf32>
    %add_12 = mirage_kernel.add %mul_10, %cast_11 : (tensor<16x64x64xf32>, tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %softmax = mirage_kernel.softmax %add_12 dim(2) : (tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %cast_13 = mirage_kernel.cast %softmax : tensor<16x64x64xf32> to tensor<16x64x64xf16>
    %matmul_14 = mirage_kernel.matmul %cast_13, %arg2 : (tensor<16x64x64xf16>, tensor<16x64x32xf16>) -> tensor<16x64x32xf32>
    %cast_15 = mirage_kernel.cast %matmul_14 : tensor<16x64x32xf32> to tensor<16x64x32xf16>
    return %cast_15 : tensor<16x64x32xf16>
  }
}

