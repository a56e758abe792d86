// PaLM's loss: cross entropy and the square of the logarithm of the sum.

module {
  func.func @entropy_and_z_loss(%arg0: tensor<64x2048xf32>, %arg1: tensor<64x2048xf32>) -> tensor<64x1xf32> {
    %reduce = mirage_kernel.reduce max %arg0 dim(1) keep : (tensor<64x2048xf32>) -> tensor<64x1xf32>
    %sub = mirage_kernel.sub %arg0, %reduce : (tensor<64x2048xf32>, tensor<64x1xf32>) -> tensor<64x2048xf32>
    %exp = mirage_kernel.exp %sub : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %reduce_0 = mirage_kernel.reduce sum %exp dim(1) keep : (tensor<64x2048xf32>) -> tensor<64x1xf32>
    %log = mirage_kernel.log %reduce_0 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %add = mirage_kernel.add %log, %reduce : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
    %mul = mirage_kernel.mul %arg0, %arg1 : (tensor<64x2048xf32>, tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %reduce_1 = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<64x2048xf32>) -> tensor<64x1xf32>
    %sub_2 = mirage_kernel.sub %add, %reduce_1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
    %square = mirage_kernel.square %add : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %scale = mirage_kernel.scale %square by 9.9999997473787516E-5 : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %add_3 = mirage_kernel.add %sub_2, %scale : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
    return %add_3 : tensor<64x1xf32>
  }
}

