// CLIP's loss of images: cosines, a temperature, logarithms of softmax.

module {
  func.func @contrastive_rows(%arg0: tensor<128x512xf16>, %arg1: tensor<128x512xf16>, %arg2: tensor<128x128xf16>) -> tensor<128x1xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<128x512xf16> to tensor<128x512xf32>
    %square = mirage_kernel.square %cast : (tensor<128x512xf32>) -> tensor<128x512xf32>
    %reduce = mirage_kernel.reduce sum %square dim(1) keep : (tensor<128x512xf32>) -> tensor<128x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<128x1xf32>, tensor<1x1xf32>) -> tensor<128x1xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %mul = mirage_kernel.mul %cast, %rsqrt : (tensor<128x512xf32>, tensor<128x1xf32>) -> tensor<128x512xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<128x512xf32> to tensor<128x512xf16>
    %cast_1 = mirage_kernel.cast %arg1 : tensor<128x512xf16> to tensor<128x512xf32>
    %square_2 = mirage_kernel.square %cast_1 : (tensor<128x512xf32>) -> tensor<128x512xf32>
    %reduce_3 = mirage_kernel.reduce sum %square_2 dim(1) keep : (tensor<128x512xf32>) -> tensor<128x1xf32>
    %constant_4 = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add_5 = mirage_kernel.add %reduce_3, %constant_4 : (tensor<128x1xf32>, tensor<1x1xf32>) -> tensor<128x1xf32>
    %rsqrt_6 = mirage_kernel.rsqrt %add_5 : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %mul_7 = mirage_kernel.mul %cast_1, %rsqrt_6 : (tensor<128x512xf32>, tensor<128x1xf32>) -> tensor<128x512xf32>
    %cast_8 = mirage_kernel.cast %mul_7 : tensor<128x512xf32> to tensor<128x512xf16>
    %matmul = mirage_kernel.matmul %cast_0, %cast_8 transpose_rhs : (tensor<128x512xf16>, tensor<128x512xf16>) -> tensor<128x128xf32>
    %scale = mirage_kernel.scale %matmul by 1.000000e+02 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %log_softmax = mirage_kernel.log_softmax %scale dim(1) : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %cast_9 = mirage_kernel.cast %arg2 : tensor<128x128xf16> to tensor<128x128xf32>
    %mul_10 = mirage_kernel.mul %log_softmax, %cast_9 : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %reduce_11 = mirage_kernel.reduce sum %mul_10 dim(1) keep : (tensor<128x128xf32>) -> tensor<128x1xf32>
    %scale_12 = mirage_kernel.scale %reduce_11 by -1.000000e+00 : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %cast_13 = mirage_kernel.cast %scale_12 : tensor<128x1xf32> to tensor<128x1xf16>
    return %cast_13 : tensor<128x1xf16>
  }
}

