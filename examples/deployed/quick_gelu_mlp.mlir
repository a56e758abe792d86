// CLIP's layer: x sigmoid(1.702 x) between its products, with biases.

module {
  func.func @quick_gelu_mlp(%arg0: tensor<77x512xf16>, %arg1: tensor<512x2048xf16>, %arg2: tensor<2048xf16>, %arg3: tensor<2048x512xf16>, %arg4: tensor<512xf16>) -> tensor<77x512xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<77x512xf16>, tensor<512x2048xf16>) -> tensor<77x2048xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<2048xf16> to tensor<1x2048xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x2048xf16> to tensor<1x2048xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<77x2048xf32>, tensor<1x2048xf32>) -> tensor<77x2048xf32>
    %scale = mirage_kernel.scale %add by 1.7020000219345093 : (tensor<77x2048xf32>) -> tensor<77x2048xf32>
    %sigmoid = mirage_kernel.sigmoid %scale : (tensor<77x2048xf32>) -> tensor<77x2048xf32>
    %mul = mirage_kernel.mul %add, %sigmoid : (tensor<77x2048xf32>, tensor<77x2048xf32>) -> tensor<77x2048xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<77x2048xf32> to tensor<77x2048xf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg3 : (tensor<77x2048xf16>, tensor<2048x512xf16>) -> tensor<77x512xf32>
    %reshape_2 = mirage_kernel.reshape %arg4 : tensor<512xf16> to tensor<1x512xf16>
    %cast_3 = mirage_kernel.cast %reshape_2 : tensor<1x512xf16> to tensor<1x512xf32>
    %add_4 = mirage_kernel.add %matmul_1, %cast_3 : (tensor<77x512xf32>, tensor<1x512xf32>) -> tensor<77x512xf32>
    %cast_5 = mirage_kernel.cast %add_4 : tensor<77x512xf32> to tensor<77x512xf16>
    return %cast_5 : tensor<77x512xf16>
  }
}

