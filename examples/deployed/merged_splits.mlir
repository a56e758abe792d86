// Partial results of split keys, put together by their logarithms of sums.

module {
  func.func @merged_splits(%arg0: tensor<16x8x128xf32>, %arg1: tensor<16x8x1xf32>) -> tensor<16x1x128xf32> {
    %reduce = mirage_kernel.reduce max %arg1 dim(1) keep : (tensor<16x8x1xf32>) -> tensor<16x1x1xf32>
    %sub = mirage_kernel.sub %arg1, %reduce : (tensor<16x8x1xf32>, tensor<16x1x1xf32>) -> tensor<16x8x1xf32>
    %exp = mirage_kernel.exp %sub : (tensor<16x8x1xf32>) -> tensor<16x8x1xf32>
    %mul = mirage_kernel.mul %arg0, %exp : (tensor<16x8x128xf32>, tensor<16x8x1xf32>) -> tensor<16x8x128xf32>
    %reduce_0 = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<16x8x128xf32>) -> tensor<16x1x128xf32>
    %reduce_1 = mirage_kernel.reduce sum %exp dim(1) keep : (tensor<16x8x1xf32>) -> tensor<16x1x1xf32>
    %div = mirage_kernel.div %reduce_0, %reduce_1 : (tensor<16x1x128xf32>, tensor<16x1x1xf32>) -> tensor<16x1x128xf32>
    return %div : tensor<16x1x128xf32>
  }
}

