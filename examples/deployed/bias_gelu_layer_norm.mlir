// The head of a masked language model: product, bias, gelu, norm.

module {
  func.func @bias_gelu_layer_norm(%arg0: tensor<64x768xf16>, %arg1: tensor<768x768xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<768xf16>) -> tensor<64x768xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<64x768xf16>, tensor<768x768xf16>) -> tensor<64x768xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<768xf16> to tensor<1x768xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x768xf16> to tensor<1x768xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<64x768xf32>, tensor<1x768xf32>) -> tensor<64x768xf32>
    %gelu = mirage_kernel.gelu erf %add : (tensor<64x768xf32>) -> tensor<64x768xf32>
    %layer_norm = mirage_kernel.layer_norm %gelu epsilon(9.9999999999999998E-13) : (tensor<64x768xf32>) -> tensor<64x768xf32>
    %reshape_0 = mirage_kernel.reshape %arg3 : tensor<768xf16> to tensor<1x768xf16>
    %cast_1 = mirage_kernel.cast %reshape_0 : tensor<1x768xf16> to tensor<1x768xf32>
    %mul = mirage_kernel.mul %layer_norm, %cast_1 : (tensor<64x768xf32>, tensor<1x768xf32>) -> tensor<64x768xf32>
    %reshape_2 = mirage_kernel.reshape %arg4 : tensor<768xf16> to tensor<1x768xf16>
    %cast_3 = mirage_kernel.cast %reshape_2 : tensor<1x768xf16> to tensor<1x768xf32>
    %add_4 = mirage_kernel.add %mul, %cast_3 : (tensor<64x768xf32>, tensor<1x768xf32>) -> tensor<64x768xf32>
    %cast_5 = mirage_kernel.cast %add_4 : tensor<64x768xf32> to tensor<64x768xf16>
    return %cast_5 : tensor<64x768xf16>
  }
}

