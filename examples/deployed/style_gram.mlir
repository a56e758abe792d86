// Style transfer: products of channels with channels.

module {
  func.func @style_gram(%arg0: tensor<1x64x784xf32>, %arg1: tensor<1x64x784xf32>) -> tensor<1x64x64xf32> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<1x64x784xf32>, tensor<1x64x784xf32>) -> tensor<1x64x64xf32>
    %scale = mirage_kernel.scale %matmul by 1.992984653043095E-5 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    return %scale : tensor<1x64x64xf32>
  }
}

