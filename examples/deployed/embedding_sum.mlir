// The start of BERT: words, positions and segments are added, and a norm.

module {
  func.func @embedding_sum(%arg0: tensor<4x128x768xf16>, %arg1: tensor<1x128x768xf16>, %arg2: tensor<1x1x768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<768xf16>) -> tensor<4x128x768xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<4x128x768xf16> to tensor<4x128x768xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x128x768xf16> to tensor<1x128x768xf32>
    %add = mirage_kernel.add %cast, %cast_0 : (tensor<4x128x768xf32>, tensor<1x128x768xf32>) -> tensor<4x128x768xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<1x1x768xf16> to tensor<1x1x768xf32>
    %add_2 = mirage_kernel.add %add, %cast_1 : (tensor<4x128x768xf32>, tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %layer_norm = mirage_kernel.layer_norm %add_2 epsilon(9.9999999999999998E-13) : (tensor<4x128x768xf32>) -> tensor<4x128x768xf32>
    %reshape = mirage_kernel.reshape %arg3 : tensor<768xf16> to tensor<1x1x768xf16>
    %cast_3 = mirage_kernel.cast %reshape : tensor<1x1x768xf16> to tensor<1x1x768xf32>
    %mul = mirage_kernel.mul %layer_norm, %cast_3 : (tensor<4x128x768xf32>, tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %reshape_4 = mirage_kernel.reshape %arg4 : tensor<768xf16> to tensor<1x1x768xf16>
    %cast_5 = mirage_kernel.cast %reshape_4 : tensor<1x1x768xf16> to tensor<1x1x768xf32>
    %add_6 = mirage_kernel.add %mul, %cast_5 : (tensor<4x128x768xf32>, tensor<1x1x768xf32>) -> tensor<4x128x768xf32>
    %cast_7 = mirage_kernel.cast %add_6 : tensor<4x128x768xf32> to tensor<4x128x768xf16>
    return %cast_7 : tensor<4x128x768xf16>
  }
}

