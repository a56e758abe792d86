// CLIP's loss of both sides: logarithms of softmax along rows and columns.

module {
  func.func @contrastive_both(%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>) -> tensor<128x1xf32> {
    %log_softmax = mirage_kernel.log_softmax %arg0 dim(1) : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %mul = mirage_kernel.mul %log_softmax, %arg1 : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %log_softmax_0 = mirage_kernel.log_softmax %arg0 dim(0) : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %mul_1 = mirage_kernel.mul %log_softmax_0, %arg1 : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %add = mirage_kernel.add %mul, %mul_1 : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %reduce = mirage_kernel.reduce mean %add dim(1) keep : (tensor<128x128xf32>) -> tensor<128x1xf32>
    %scale = mirage_kernel.scale %reduce by -5.000000e-01 : (tensor<128x1xf32>) -> tensor<128x1xf32>
    return %scale : tensor<128x1xf32>
  }
}

