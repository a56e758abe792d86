// The start of a block of Stable Diffusion: a norm of 32 groups, and a SiLU.

module {
  func.func @group_norm_silu(%arg0: tensor<1x128x32x32xf16>, %arg1: tensor<128xf16>, %arg2: tensor<128xf16>) -> tensor<1x128x32x32xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1x128x32x32xf16> to tensor<1x128x32x32xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<128xf16> to tensor<128xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<128xf16> to tensor<128xf32>
    %group_norm = mirage_kernel.group_norm %cast weight %cast_0 bias %cast_1 groups(32) epsilon(1.000000e-05) : (tensor<1x128x32x32xf32>, tensor<128xf32>, tensor<128xf32>) -> tensor<1x128x32x32xf32>
    %silu = mirage_kernel.silu %group_norm : (tensor<1x128x32x32xf32>) -> tensor<1x128x32x32xf32>
    %cast_2 = mirage_kernel.cast %silu : tensor<1x128x32x32xf32> to tensor<1x128x32x32xf16>
    return %cast_2 : tensor<1x128x32x32xf16>
  }
}

