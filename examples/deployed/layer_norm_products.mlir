// A norm, and three products of it: the start of every block of BERT and GPT.

module {
  func.func @layer_norm_products(%arg0: tensor<128x768xf16>, %arg1: tensor<768x768xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768x768xf16>, %arg4: tensor<768xf16>, %arg5: tensor<768x768xf16>, %arg6: tensor<768xf16>) -> (tensor<128x768xf16>, tensor<128x768xf16>, tensor<128x768xf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<128x768xf16> to tensor<128x768xf32>
    %layer_norm = mirage_kernel.layer_norm %cast epsilon(1.000000e-05) : (tensor<128x768xf32>) -> tensor<128x768xf32>
    %cast_0 = mirage_kernel.cast %layer_norm : tensor<128x768xf32> to tensor<128x768xf16>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<128x768xf16>, tensor<768x768xf16>) -> tensor<128x768xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<768xf16> to tensor<1x768xf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x768xf16> to tensor<1x768xf32>
    %add = mirage_kernel.add %matmul, %cast_1 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %cast_2 = mirage_kernel.cast %add : tensor<128x768xf32> to tensor<128x768xf16>
    %cast_3 = mirage_kernel.cast %layer_norm : tensor<128x768xf32> to tensor<128x768xf16>
    %matmul_4 = mirage_kernel.matmul %cast_3, %arg3 : (tensor<128x768xf16>, tensor<768x768xf16>) -> tensor<128x768xf32>
    %reshape_5 = mirage_kernel.reshape %arg4 : tensor<768xf16> to tensor<1x768xf16>
    %cast_6 = mirage_kernel.cast %reshape_5 : tensor<1x768xf16> to tensor<1x768xf32>
    %add_7 = mirage_kernel.add %matmul_4, %cast_6 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %cast_8 = mirage_kernel.cast %add_7 : tensor<128x768xf32> to tensor<128x768xf16>
    %cast_9 = mirage_kernel.cast %layer_norm : tensor<128x768xf32> to tensor<128x768xf16>
    %matmul_10 = mirage_kernel.matmul %cast_9, %arg5 : (tensor<128x768xf16>, tensor<768x768xf16>) -> tensor<128x768xf32>
    %reshape_11 = mirage_kernel.reshape %arg6 : tensor<768xf16> to tensor<1x768xf16>
    %cast_12 = mirage_kernel.cast %reshape_11 : tensor<1x768xf16> to tensor<1x768xf32>
    %add_13 = mirage_kernel.add %matmul_10, %cast_12 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %cast_14 = mirage_kernel.cast %add_13 : tensor<128x768xf32> to tensor<128x768xf16>
    return %cast_2, %cast_8, %cast_14 : tensor<128x768xf16>, tensor<128x768xf16>, tensor<128x768xf16>
  }
}

