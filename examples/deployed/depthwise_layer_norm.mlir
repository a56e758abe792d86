// The start of a block of ConvNeXt: depthwise 7 by 7, channels last, a norm.

module {
  func.func @depthwise_layer_norm(%arg0: tensor<1x48x28x28xf16>, %arg1: tensor<48x1x7x7xf16>, %arg2: tensor<48xf16>, %arg3: tensor<48xf16>, %arg4: tensor<48xf16>) -> tensor<784x48xf16> {
    %conv2d = mirage_kernel.conv2d nchw %arg0, %arg1 strides [1, 1] padding [3, 3, 3, 3] dilations [1, 1] groups(48) : (tensor<1x48x28x28xf16>, tensor<48x1x7x7xf16>) -> tensor<1x48x28x28xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<48xf16> to tensor<1x48x1x1xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x48x1x1xf16> to tensor<1x48x1x1xf32>
    %add = mirage_kernel.add %conv2d, %cast : (tensor<1x48x28x28xf32>, tensor<1x48x1x1xf32>) -> tensor<1x48x28x28xf32>
    %transpose = mirage_kernel.transpose %add [0, 2, 3, 1] : (tensor<1x48x28x28xf32>) -> tensor<1x28x28x48xf32>
    %reshape_0 = mirage_kernel.reshape %transpose : tensor<1x28x28x48xf32> to tensor<784x48xf32>
    %layer_norm = mirage_kernel.layer_norm %reshape_0 epsilon(9.9999999999999995E-7) : (tensor<784x48xf32>) -> tensor<784x48xf32>
    %reshape_1 = mirage_kernel.reshape %arg3 : tensor<48xf16> to tensor<1x48xf16>
    %cast_2 = mirage_kernel.cast %reshape_1 : tensor<1x48xf16> to tensor<1x48xf32>
    %mul = mirage_kernel.mul %layer_norm, %cast_2 : (tensor<784x48xf32>, tensor<1x48xf32>) -> tensor<784x48xf32>
    %reshape_3 = mirage_kernel.reshape %arg4 : tensor<48xf16> to tensor<1x48xf16>
    %cast_4 = mirage_kernel.cast %reshape_3 : tensor<1x48xf16> to tensor<1x48xf32>
    %add_5 = mirage_kernel.add %mul, %cast_4 : (tensor<784x48xf32>, tensor<1x48xf32>) -> tensor<784x48xf32>
    %cast_6 = mirage_kernel.cast %add_5 : tensor<784x48xf32> to tensor<784x48xf16>
    return %cast_6 : tensor<784x48xf16>
  }
}

