// SigLIP's loss: each pair of an image and a text is a binary decision.

module {
  func.func @sigmoid_contrastive(%arg0: tensor<128x768xf16>, %arg1: tensor<128x768xf16>, %arg2: tensor<128x128xf16>) -> tensor<128x1xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<128x768xf16> to tensor<128x768xf32>
    %square = mirage_kernel.square %cast : (tensor<128x768xf32>) -> tensor<128x768xf32>
    %reduce = mirage_kernel.reduce sum %square dim(1) keep : (tensor<128x768xf32>) -> tensor<128x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<128x1xf32>, tensor<1x1xf32>) -> tensor<128x1xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %mul = mirage_kernel.mul %cast, %rsqrt : (tensor<128x768xf32>, tensor<128x1xf32>) -> tensor<128x768xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<128x768xf32> to tensor<128x768xf16>
    %cast_1 = mirage_kernel.cast %arg1 : tensor<128x768xf16> to tensor<128x768xf32>
    %square_2 = mirage_kernel.square %cast_1 : (tensor<128x768xf32>) -> tensor<128x768xf32>
    %reduce_3 = mirage_kernel.reduce sum %square_2 dim(1) keep : (tensor<128x768xf32>) -> tensor<128x1xf32>
    %constant_4 = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add_5 = mirage_kernel.add %reduce_3, %constant_4 : (tensor<128x1xf32>, tensor<1x1xf32>) -> tensor<128x1xf32>
    %rsqrt_6 = mirage_kernel.rsqrt %add_5 : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %mul_7 = mirage_kernel.mul %cast_1, %rsqrt_6 : (tensor<128x768xf32>, tensor<128x1xf32>) -> tensor<128x768xf32>
    %cast_8 = mirage_kernel.cast %mul_7 : tensor<128x768xf32> to tensor<128x768xf16>
    %matmul = mirage_kernel.matmul %cast_0, %cast_8 transpose_rhs : (tensor<128x768xf16>, tensor<128x768xf16>) -> tensor<128x128xf32>
    %scale = mirage_kernel.scale %matmul by 1.000000e+01 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %constant_9 = mirage_kernel.constant dense<-1.000000e+01> : tensor<1x1xf32>
    %add_10 = mirage_kernel.add %scale, %constant_9 : (tensor<128x128xf32>, tensor<1x1xf32>) -> tensor<128x128xf32>
    %cast_11 = mirage_kernel.cast %arg2 : tensor<128x128xf16> to tensor<128x128xf32>
    %mul_12 = mirage_kernel.mul %add_10, %cast_11 : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %constant_13 = mirage_kernel.constant dense<0.000000e+00> : tensor<1x1xf32>
    %min = mirage_kernel.min %mul_12, %constant_13 : (tensor<128x128xf32>, tensor<1x1xf32>) -> tensor<128x128xf32>
    %abs = mirage_kernel.abs %mul_12 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %scale_14 = mirage_kernel.scale %abs by -1.000000e+00 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %exp = mirage_kernel.exp %scale_14 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %constant_15 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add_16 = mirage_kernel.add %exp, %constant_15 : (tensor<128x128xf32>, tensor<1x1xf32>) -> tensor<128x128xf32>
    %log = mirage_kernel.log %add_16 : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %sub = mirage_kernel.sub %min, %log : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %reduce_17 = mirage_kernel.reduce sum %sub dim(1) keep : (tensor<128x128xf32>) -> tensor<128x1xf32>
    %scale_18 = mirage_kernel.scale %reduce_17 by -7.812500e-03 : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %cast_19 = mirage_kernel.cast %scale_18 : tensor<128x1xf32> to tensor<128x1xf16>
    return %cast_19 : tensor<128x1xf16>
  }
}

