// Stable Diffusion: a norm of groups, and a convolution of 1 by 1 as a product.

module {
  func.func @group_norm_projection(%arg0: tensor<1x128x16x16xf16>, %arg1: tensor<128xf16>, %arg2: tensor<128xf16>, %arg3: tensor<128x128xf16>) -> tensor<128x256xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1x128x16x16xf16> to tensor<1x128x16x16xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<128xf16> to tensor<128xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<128xf16> to tensor<128xf32>
    %group_norm = mirage_kernel.group_norm %cast weight %cast_0 bias %cast_1 groups(32) epsilon(1.000000e-05) : (tensor<1x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>) -> tensor<1x128x16x16xf32>
    %reshape = mirage_kernel.reshape %group_norm : tensor<1x128x16x16xf32> to tensor<128x256xf32>
    %cast_2 = mirage_kernel.cast %reshape : tensor<128x256xf32> to tensor<128x256xf16>
    %matmul = mirage_kernel.matmul %arg3, %cast_2 : (tensor<128x128xf16>, tensor<128x256xf16>) -> tensor<128x256xf32>
    %cast_3 = mirage_kernel.cast %matmul : tensor<128x256xf32> to tensor<128x256xf16>
    return %cast_3 : tensor<128x256xf16>
  }
}

