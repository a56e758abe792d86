// The end of a block of ResNet: convolution, norm, residual, rectifier.

module {
  func.func @conv_norm_residual(%arg0: tensor<1x32x28x28xf16>, %arg1: tensor<32x32x3x3xf16>, %arg2: tensor<32xf16>, %arg3: tensor<32xf16>, %arg4: tensor<1x32x28x28xf16>) -> tensor<1x32x28x28xf16> {
    %conv2d = mirage_kernel.conv2d nchw %arg0, %arg1 strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x32x28x28xf16>, tensor<32x32x3x3xf16>) -> tensor<1x32x28x28xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<32xf16> to tensor<1x32x1x1xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x32x1x1xf16> to tensor<1x32x1x1xf32>
    %mul = mirage_kernel.mul %conv2d, %cast : (tensor<1x32x28x28xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x28x28xf32>
    %reshape_0 = mirage_kernel.reshape %arg3 : tensor<32xf16> to tensor<1x32x1x1xf16>
    %cast_1 = mirage_kernel.cast %reshape_0 : tensor<1x32x1x1xf16> to tensor<1x32x1x1xf32>
    %add = mirage_kernel.add %mul, %cast_1 : (tensor<1x32x28x28xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x28x28xf32>
    %cast_2 = mirage_kernel.cast %arg4 : tensor<1x32x28x28xf16> to tensor<1x32x28x28xf32>
    %add_3 = mirage_kernel.add %add, %cast_2 : (tensor<1x32x28x28xf32>, tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32>
    %relu = mirage_kernel.relu %add_3 : (tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32>
    %cast_4 = mirage_kernel.cast %relu : tensor<1x32x28x28xf32> to tensor<1x32x28x28xf16>
    return %cast_4 : tensor<1x32x28x28xf16>
  }
}

