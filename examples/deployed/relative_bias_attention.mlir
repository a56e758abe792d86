// T5's encoder: no scale, and a bias of each head and distance.

module {
  func.func @relative_bias_attention(%arg0: tensor<8x128x64xbf16>, %arg1: tensor<8x128x64xbf16>, %arg2: tensor<8x128x64xbf16>, %arg3: tensor<8x128x128xbf16>) -> tensor<8x128x64xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x128x64xbf16>, tensor<8x128x64xbf16>) -> tensor<8x128x128xf32>
    %scale = mirage_kernel.scale %matmul by 1.000000e+00 : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %cast = mirage_kernel.cast %arg3 : tensor<8x128x128xbf16> to tensor<8x128x128xf32>
    %add = mirage_kernel.add %scale, %cast : (tensor<8x128x128xf32>, tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %softmax = mirage_kernel.softmax %add dim(2) : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %cast_0 = mirage_kernel.cast %softmax : tensor<8x128x128xf32> to tensor<8x128x128xbf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg2 : (tensor<8x128x128xbf16>, tensor<8x128x64xbf16>) -> tensor<8x128x64xf32>
    %cast_2 = mirage_kernel.cast %matmul_1 : tensor<8x128x64xf32> to tensor<8x128x64xbf16>
    return %cast_2 : tensor<8x128x64xbf16>
  }
}

