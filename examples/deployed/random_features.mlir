// Positive random features of Performer: exp(x w - |x|^2 / 2).

module {
  func.func @random_features(%arg0: tensor<8x256x64xf32>, %arg1: tensor<1x64x128xf32>) -> tensor<8x256x128xf32> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<8x256x64xf32>, tensor<1x64x128xf32>) -> tensor<8x256x128xf32>
    %square = mirage_kernel.square %arg0 : (tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %reduce = mirage_kernel.reduce sum %square dim(2) keep : (tensor<8x256x64xf32>) -> tensor<8x256x1xf32>
    %scale = mirage_kernel.scale %reduce by -5.000000e-01 : (tensor<8x256x1xf32>) -> tensor<8x256x1xf32>
    %add = mirage_kernel.add %matmul, %scale : (tensor<8x256x128xf32>, tensor<8x256x1xf32>) -> tensor<8x256x128xf32>
    %exp = mirage_kernel.exp %add : (tensor<8x256x128xf32>) -> tensor<8x256x128xf32>
    %scale_0 = mirage_kernel.scale %exp by 0.088388346135616302 : (tensor<8x256x128xf32>) -> tensor<8x256x128xf32>
    return %scale_0 : tensor<8x256x128xf32>
  }
}

