// A head of 32,000 words, its loss, and the square of the logarithm.

module {
  func.func @vocabulary_head_loss(%arg0: tensor<1024x512xbf16>, %arg1: tensor<512x32000xbf16>, %arg2: tensor<1024x32000xbf16>) -> tensor<1024x1xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<1024x512xbf16>, tensor<512x32000xbf16>) -> tensor<1024x32000xf32>
    %reduce = mirage_kernel.reduce max %matmul dim(1) keep : (tensor<1024x32000xf32>) -> tensor<1024x1xf32>
    %sub = mirage_kernel.sub %matmul, %reduce : (tensor<1024x32000xf32>, tensor<1024x1xf32>) -> tensor<1024x32000xf32>
    %exp = mirage_kernel.exp %sub : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %reduce_0 = mirage_kernel.reduce sum %exp dim(1) keep : (tensor<1024x32000xf32>) -> tensor<1024x1xf32>
    %log = mirage_kernel.log %reduce_0 : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %add = mirage_kernel.add %log, %reduce : (tensor<1024x1xf32>, tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %cast = mirage_kernel.cast %arg2 : tensor<1024x32000xbf16> to tensor<1024x32000xf32>
    %mul = mirage_kernel.mul %matmul, %cast : (tensor<1024x32000xf32>, tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %reduce_1 = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<1024x32000xf32>) -> tensor<1024x1xf32>
    %sub_2 = mirage_kernel.sub %add, %reduce_1 : (tensor<1024x1xf32>, tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %square = mirage_kernel.square %add : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %scale = mirage_kernel.scale %square by 9.9999997473787516E-5 : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %add_3 = mirage_kernel.add %sub_2, %scale : (tensor<1024x1xf32>, tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %cast_4 = mirage_kernel.cast %add_3 : tensor<1024x1xf32> to tensor<1024x1xbf16>
    return %cast_4 : tensor<1024x1xbf16>
  }
}

