// Segmentation: twice the common area divided by both areas.

module {
  func.func @dice_loss(%arg0: tensor<8x4096xf32>, %arg1: tensor<8x4096xf32>) -> tensor<8x1xf32> {
    %sigmoid = mirage_kernel.sigmoid %arg0 : (tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %mul = mirage_kernel.mul %sigmoid, %arg1 : (tensor<8x4096xf32>, tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<8x4096xf32>) -> tensor<8x1xf32>
    %scale = mirage_kernel.scale %reduce by 2.000000e+00 : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %constant = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add = mirage_kernel.add %scale, %constant : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
    %reduce_0 = mirage_kernel.reduce sum %sigmoid dim(1) keep : (tensor<8x4096xf32>) -> tensor<8x1xf32>
    %reduce_1 = mirage_kernel.reduce sum %arg1 dim(1) keep : (tensor<8x4096xf32>) -> tensor<8x1xf32>
    %add_2 = mirage_kernel.add %reduce_0, %reduce_1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %constant_3 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add_4 = mirage_kernel.add %add_2, %constant_3 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
    %div = mirage_kernel.div %add, %add_4 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %scale_5 = mirage_kernel.scale %div by -1.000000e+00 : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %constant_6 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add_7 = mirage_kernel.add %scale_5, %constant_6 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
    return %add_7 : tensor<8x1xf32>
  }
}

