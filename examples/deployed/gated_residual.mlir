// DiT: a product, a bias, a gate of the condition, and the input added.

module {
  func.func @gated_residual(%arg0: tensor<2x256x384xf16>, %arg1: tensor<2x256x384xf16>, %arg2: tensor<1x384x384xf16>, %arg3: tensor<384xf16>, %arg4: tensor<2x1x384xf16>) -> tensor<2x256x384xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x256x384xf16> to tensor<2x256x384xf32>
    %cast_0 = mirage_kernel.cast %arg4 : tensor<2x1x384xf16> to tensor<2x1x384xf32>
    %matmul = mirage_kernel.matmul %arg1, %arg2 : (tensor<2x256x384xf16>, tensor<1x384x384xf16>) -> tensor<2x256x384xf32>
    %reshape = mirage_kernel.reshape %arg3 : tensor<384xf16> to tensor<1x1x384xf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x1x384xf16> to tensor<1x1x384xf32>
    %add = mirage_kernel.add %matmul, %cast_1 : (tensor<2x256x384xf32>, tensor<1x1x384xf32>) -> tensor<2x256x384xf32>
    %mul = mirage_kernel.mul %cast_0, %add : (tensor<2x1x384xf32>, tensor<2x256x384xf32>) -> tensor<2x256x384xf32>
    %add_2 = mirage_kernel.add %cast, %mul : (tensor<2x256x384xf32>, tensor<2x256x384xf32>) -> tensor<2x256x384xf32>
    %cast_3 = mirage_kernel.cast %add_2 : tensor<2x256x384xf32> to tensor<2x256x384xf16>
    return %cast_3 : tensor<2x256x384xf16>
  }
}

