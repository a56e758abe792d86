// Divergence of a student from its teacher, both at temperature two.

module {
  func.func @distillation(%arg0: tensor<64x1000xf32>, %arg1: tensor<64x1000xf32>) -> tensor<64x1xf32> {
    %scale = mirage_kernel.scale %arg0 by 5.000000e-01 : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %softmax = mirage_kernel.softmax %scale dim(1) : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %scale_0 = mirage_kernel.scale %arg0 by 5.000000e-01 : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %log_softmax = mirage_kernel.log_softmax %scale_0 dim(1) : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %scale_1 = mirage_kernel.scale %arg1 by 5.000000e-01 : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %log_softmax_2 = mirage_kernel.log_softmax %scale_1 dim(1) : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %sub = mirage_kernel.sub %log_softmax, %log_softmax_2 : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %mul = mirage_kernel.mul %softmax, %sub : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<64x1000xf32>) -> tensor<64x1xf32>
    %scale_3 = mirage_kernel.scale %reduce by 4.000000e+00 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    return %scale_3 : tensor<64x1xf32>
  }
}

