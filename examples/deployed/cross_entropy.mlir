// Cross entropy of logits and rows with a one at the label.

module {
  func.func @cross_entropy(%arg0: tensor<64x4096xf32>, %arg1: tensor<64x4096xf32>) -> tensor<64x1xf32> {
    %log_softmax = mirage_kernel.log_softmax %arg0 dim(1) : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %mul = mirage_kernel.mul %log_softmax, %arg1 : (tensor<64x4096xf32>, tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<64x4096xf32>) -> tensor<64x1xf32>
    %scale = mirage_kernel.scale %reduce by -1.000000e+00 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    return %scale : tensor<64x1xf32>
  }
}

