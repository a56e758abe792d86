// RetinaNet's loss: easy decisions count less.

module {
  func.func @focal_loss(%arg0: tensor<256x91xf32>, %arg1: tensor<256x91xf32>) -> tensor<256x1xf32> {
    %mul = mirage_kernel.mul %arg0, %arg1 : (tensor<256x91xf32>, tensor<256x91xf32>) -> tensor<256x91xf32>
    %sigmoid = mirage_kernel.sigmoid %mul : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %scale = mirage_kernel.scale %sigmoid by -1.000000e+00 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %constant = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add = mirage_kernel.add %scale, %constant : (tensor<256x91xf32>, tensor<1x1xf32>) -> tensor<256x91xf32>
    %square = mirage_kernel.square %add : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %mul_0 = mirage_kernel.mul %arg0, %arg1 : (tensor<256x91xf32>, tensor<256x91xf32>) -> tensor<256x91xf32>
    %constant_1 = mirage_kernel.constant dense<0.000000e+00> : tensor<1x1xf32>
    %min = mirage_kernel.min %mul_0, %constant_1 : (tensor<256x91xf32>, tensor<1x1xf32>) -> tensor<256x91xf32>
    %abs = mirage_kernel.abs %mul_0 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %scale_2 = mirage_kernel.scale %abs by -1.000000e+00 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %exp = mirage_kernel.exp %scale_2 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %constant_3 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add_4 = mirage_kernel.add %exp, %constant_3 : (tensor<256x91xf32>, tensor<1x1xf32>) -> tensor<256x91xf32>
    %log = mirage_kernel.log %add_4 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %sub = mirage_kernel.sub %min, %log : (tensor<256x91xf32>, tensor<256x91xf32>) -> tensor<256x91xf32>
    %scale_5 = mirage_kernel.scale %sub by -2.500000e-01 : (tensor<256x91xf32>) -> tensor<256x91xf32>
    %mul_6 = mirage_kernel.mul %square, %scale_5 : (tensor<256x91xf32>, tensor<256x91xf32>) -> tensor<256x91xf32>
    %reduce = mirage_kernel.reduce sum %mul_6 dim(1) keep : (tensor<256x91xf32>) -> tensor<256x1xf32>
    return %reduce : tensor<256x1xf32>
  }
}

