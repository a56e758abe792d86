// Channels last, with the mean and the variance of the batch itself.

module {
  func.func @batch_norm_in_training(%arg0: tensor<65536x256xf16>) -> tensor<65536x256xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<65536x256xf16> to tensor<65536x256xf32>
    %reduce = mirage_kernel.reduce mean %cast dim(0) keep : (tensor<65536x256xf32>) -> tensor<1x256xf32>
    %sub = mirage_kernel.sub %cast, %reduce : (tensor<65536x256xf32>, tensor<1x256xf32>) -> tensor<65536x256xf32>
    %square = mirage_kernel.square %sub : (tensor<65536x256xf32>) -> tensor<65536x256xf32>
    %reduce_0 = mirage_kernel.reduce mean %square dim(0) keep : (tensor<65536x256xf32>) -> tensor<1x256xf32>
    %constant = mirage_kernel.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %add = mirage_kernel.add %reduce_0, %constant : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<1x256xf32>) -> tensor<1x256xf32>
    %mul = mirage_kernel.mul %sub, %rsqrt : (tensor<65536x256xf32>, tensor<1x256xf32>) -> tensor<65536x256xf32>
    %cast_1 = mirage_kernel.cast %mul : tensor<65536x256xf32> to tensor<65536x256xf16>
    return %cast_1 : tensor<65536x256xf16>
  }
}

