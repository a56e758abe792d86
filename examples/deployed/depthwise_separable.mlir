// MobileNet: a depthwise convolution, a norm, then one of 1 by 1 as a product.

module {
  func.func @depthwise_separable(%arg0: tensor<1x64x28x28xf16>, %arg1: tensor<64x1x3x3xf16>, %arg2: tensor<64xf16>, %arg3: tensor<64xf16>, %arg4: tensor<1x128x64xf16>, %arg5: tensor<128xf16>) -> tensor<1x128x784xf16> {
    %conv2d = mirage_kernel.conv2d nchw %arg0, %arg1 strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(64) : (tensor<1x64x28x28xf16>, tensor<64x1x3x3xf16>) -> tensor<1x64x28x28xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<64xf16> to tensor<1x64x1x1xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x64x1x1xf16> to tensor<1x64x1x1xf32>
    %mul = mirage_kernel.mul %conv2d, %cast : (tensor<1x64x28x28xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x28x28xf32>
    %reshape_0 = mirage_kernel.reshape %arg3 : tensor<64xf16> to tensor<1x64x1x1xf16>
    %cast_1 = mirage_kernel.cast %reshape_0 : tensor<1x64x1x1xf16> to tensor<1x64x1x1xf32>
    %add = mirage_kernel.add %mul, %cast_1 : (tensor<1x64x28x28xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x28x28xf32>
    %clamp = mirage_kernel.clamp %add lower(0.000000e+00) upper(6.000000e+00) : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
    %reshape_2 = mirage_kernel.reshape %clamp : tensor<1x64x28x28xf32> to tensor<1x64x784xf32>
    %cast_3 = mirage_kernel.cast %reshape_2 : tensor<1x64x784xf32> to tensor<1x64x784xf16>
    %matmul = mirage_kernel.matmul %arg4, %cast_3 : (tensor<1x128x64xf16>, tensor<1x64x784xf16>) -> tensor<1x128x784xf32>
    %reshape_4 = mirage_kernel.reshape %arg5 : tensor<128xf16> to tensor<1x128x1xf16>
    %cast_5 = mirage_kernel.cast %reshape_4 : tensor<1x128x1xf16> to tensor<1x128x1xf32>
    %add_6 = mirage_kernel.add %matmul, %cast_5 : (tensor<1x128x784xf32>, tensor<1x128x1xf32>) -> tensor<1x128x784xf32>
    %clamp_7 = mirage_kernel.clamp %add_6 lower(0.000000e+00) upper(6.000000e+00) : (tensor<1x128x784xf32>) -> tensor<1x128x784xf32>
    %cast_8 = mirage_kernel.cast %clamp_7 : tensor<1x128x784xf32> to tensor<1x128x784xf16>
    return %cast_8 : tensor<1x128x784xf16>
  }
}

