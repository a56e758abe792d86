// DeepSeek V3's router: sigmoids divided by their sum, and scaled.

module {
  func.func @sigmoid_gate(%arg0: tensor<64x2048xbf16>, %arg1: tensor<2048x256xbf16>) -> tensor<64x256xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<64x2048xbf16>, tensor<2048x256xbf16>) -> tensor<64x256xf32>
    %sigmoid = mirage_kernel.sigmoid %matmul : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %reduce = mirage_kernel.reduce sum %sigmoid dim(1) keep : (tensor<64x256xf32>) -> tensor<64x1xf32>
    %constant = mirage_kernel.constant dense<9.99999968E-21> : tensor<1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    %div = mirage_kernel.div %sigmoid, %add : (tensor<64x256xf32>, tensor<64x1xf32>) -> tensor<64x256xf32>
    %scale = mirage_kernel.scale %div by 2.500000e+00 : (tensor<64x256xf32>) -> tensor<64x256xf32>
    %cast = mirage_kernel.cast %scale : tensor<64x256xf32> to tensor<64x256xbf16>
    return %cast : tensor<64x256xbf16>
  }
}

