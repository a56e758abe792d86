// Means over tokens, a norm, and the product with the classes.

module {
  func.func @classifier_of_means(%arg0: tensor<8x196x384xf16>, %arg1: tensor<384x1000xf16>, %arg2: tensor<1000xf16>) -> tensor<8x1000xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<8x196x384xf16> to tensor<8x196x384xf32>
    %reduce = mirage_kernel.reduce mean %cast dim(1) keep : (tensor<8x196x384xf32>) -> tensor<8x1x384xf32>
    %reshape = mirage_kernel.reshape %reduce : tensor<8x1x384xf32> to tensor<8x384xf32>
    %layer_norm = mirage_kernel.layer_norm %reshape epsilon(1.000000e-05) : (tensor<8x384xf32>) -> tensor<8x384xf32>
    %cast_0 = mirage_kernel.cast %layer_norm : tensor<8x384xf32> to tensor<8x384xf16>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<8x384xf16>, tensor<384x1000xf16>) -> tensor<8x1000xf32>
    %reshape_1 = mirage_kernel.reshape %arg2 : tensor<1000xf16> to tensor<1x1000xf16>
    %cast_2 = mirage_kernel.cast %reshape_1 : tensor<1x1000xf16> to tensor<1x1000xf32>
    %add = mirage_kernel.add %matmul, %cast_2 : (tensor<8x1000xf32>, tensor<1x1000xf32>) -> tensor<8x1000xf32>
    %cast_3 = mirage_kernel.cast %add : tensor<8x1000xf32> to tensor<8x1000xf16>
    return %cast_3 : tensor<8x1000xf16>
  }
}

