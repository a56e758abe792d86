// IA3: learned vectors scale a hidden layer and the input's products.

module {
  func.func @scaled_activations(%arg0: tensor<32x768xf16>, %arg1: tensor<768x3072xf16>, %arg2: tensor<3072xf16>, %arg3: tensor<3072x768xf16>, %arg4: tensor<768xf16>) -> tensor<32x768xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<32x768xf16>, tensor<768x3072xf16>) -> tensor<32x3072xf32>
    %gelu = mirage_kernel.gelu tanh %matmul : (tensor<32x3072xf32>) -> tensor<32x3072xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<3072xf16> to tensor<1x3072xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x3072xf16> to tensor<1x3072xf32>
    %mul = mirage_kernel.mul %gelu, %cast : (tensor<32x3072xf32>, tensor<1x3072xf32>) -> tensor<32x3072xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<32x3072xf32> to tensor<32x3072xf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg3 : (tensor<32x3072xf16>, tensor<3072x768xf16>) -> tensor<32x768xf32>
    %reshape_2 = mirage_kernel.reshape %arg4 : tensor<768xf16> to tensor<1x768xf16>
    %cast_3 = mirage_kernel.cast %reshape_2 : tensor<1x768xf16> to tensor<1x768xf32>
    %mul_4 = mirage_kernel.mul %matmul_1, %cast_3 : (tensor<32x768xf32>, tensor<1x768xf32>) -> tensor<32x768xf32>
    %cast_5 = mirage_kernel.cast %mul_4 : tensor<32x768xf32> to tensor<32x768xf16>
    return %cast_5 : tensor<32x768xf16>
  }
}

