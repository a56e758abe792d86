// DiT: a norm, scaled and shifted by what conditions it, and a product.

module {
  func.func @modulated_norm(%arg0: tensor<2x256x384xf16>, %arg1: tensor<2x1x384xf16>, %arg2: tensor<2x1x384xf16>, %arg3: tensor<1x384x384xf16>) -> tensor<2x256x384xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x256x384xf16> to tensor<2x256x384xf32>
    %layer_norm = mirage_kernel.layer_norm %cast epsilon(9.9999999999999995E-7) : (tensor<2x256x384xf32>) -> tensor<2x256x384xf32>
    %cast_0 = mirage_kernel.cast %arg2 : tensor<2x1x384xf16> to tensor<2x1x384xf32>
    %constant = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %cast_0, %constant : (tensor<2x1x384xf32>, tensor<1x1x1xf32>) -> tensor<2x1x384xf32>
    %mul = mirage_kernel.mul %layer_norm, %add : (tensor<2x256x384xf32>, tensor<2x1x384xf32>) -> tensor<2x256x384xf32>
    %cast_1 = mirage_kernel.cast %arg1 : tensor<2x1x384xf16> to tensor<2x1x384xf32>
    %add_2 = mirage_kernel.add %mul, %cast_1 : (tensor<2x256x384xf32>, tensor<2x1x384xf32>) -> tensor<2x256x384xf32>
    %cast_3 = mirage_kernel.cast %add_2 : tensor<2x256x384xf32> to tensor<2x256x384xf16>
    %matmul = mirage_kernel.matmul %cast_3, %arg3 : (tensor<2x256x384xf16>, tensor<1x384x384xf16>) -> tensor<2x256x384xf32>
    %cast_4 = mirage_kernel.cast %matmul : tensor<2x256x384xf32> to tensor<2x256x384xf16>
    return %cast_4 : tensor<2x256x384xf16>
  }
}

