// Attention with a sigmoid and a bias in place of the softmax.

module {
  func.func @sigmoid_attention(%arg0: tensor<8x128x64xf16>, %arg1: tensor<8x128x64xf16>, %arg2: tensor<8x128x64xf16>) -> tensor<8x128x64xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x128x64xf16>, tensor<8x128x64xf16>) -> tensor<8x128x128xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %constant = mirage_kernel.constant dense<-4.852000e+00> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %scale, %constant : (tensor<8x128x128xf32>, tensor<1x1x1xf32>) -> tensor<8x128x128xf32>
    %sigmoid = mirage_kernel.sigmoid %add : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %cast = mirage_kernel.cast %sigmoid : tensor<8x128x128xf32> to tensor<8x128x128xf16>
    %matmul_0 = mirage_kernel.matmul %cast, %arg2 : (tensor<8x128x128xf16>, tensor<8x128x64xf16>) -> tensor<8x128x64xf32>
    %cast_1 = mirage_kernel.cast %matmul_0 : tensor<8x128x64xf32> to tensor<8x128x64xf16>
    return %cast_1 : tensor<8x128x64xf16>
  }
}

