// A convolution of 3 by 3, a bias and a rectifier, as VGG's.

module {
  func.func @conv_bias_relu(%arg0: tensor<1x32x28x28xf16>, %arg1: tensor<32x32x3x3xf16>, %arg2: tensor<32xf16>) -> tensor<1x32x28x28xf16> {
    %conv2d = mirage_kernel.conv2d nchw %arg0, %arg1 strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x32x28x28xf16>, tensor<32x32x3x3xf16>) -> tensor<1x32x28x28xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<32xf16> to tensor<1x32x1x1xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x32x1x1xf16> to tensor<1x32x1x1xf32>
    %add = mirage_kernel.add %conv2d, %cast : (tensor<1x32x28x28xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x28x28xf32>
    %relu = mirage_kernel.relu %add : (tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32>
    %cast_0 = mirage_kernel.cast %relu : tensor<1x32x28x28xf32> to tensor<1x32x28x28xf16>
    return %cast_0 : tensor<1x32x28x28xf16>
  }
}

