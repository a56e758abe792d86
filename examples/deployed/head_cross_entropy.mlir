// The head of a language model and its loss, without logits in memory.

module {
  func.func @head_cross_entropy(%arg0: tensor<32x512xbf16>, %arg1: tensor<512x4096xbf16>, %arg2: tensor<32x4096xbf16>) -> tensor<32x1xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<32x512xbf16>, tensor<512x4096xbf16>) -> tensor<32x4096xf32>
    %reduce = mirage_kernel.reduce max %matmul dim(1) keep : (tensor<32x4096xf32>) -> tensor<32x1xf32>
    %sub = mirage_kernel.sub %matmul, %reduce : (tensor<32x4096xf32>, tensor<32x1xf32>) -> tensor<32x4096xf32>
    %exp = mirage_kernel.exp %sub : (tensor<32x4096xf32>) -> tensor<32x4096xf32>
    %reduce_0 = mirage_kernel.reduce sum %exp dim(1) keep : (tensor<32x4096xf32>) -> tensor<32x1xf32>
    %log = mirage_kernel.log %reduce_0 : (tensor<32x1xf32>) -> tensor<32x1xf32>
    %add = mirage_kernel.add %log, %reduce : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
    %cast = mirage_kernel.cast %arg2 : tensor<32x4096xbf16> to tensor<32x4096xf32>
    %mul = mirage_kernel.mul %matmul, %cast : (tensor<32x4096xf32>, tensor<32x4096xf32>) -> tensor<32x4096xf32>
    %reduce_1 = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<32x4096xf32>) -> tensor<32x1xf32>
    %sub_2 = mirage_kernel.sub %add, %reduce_1 : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
    %cast_3 = mirage_kernel.cast %sub_2 : tensor<32x1xf32> to tensor<32x1xbf16>
    return %cast_3 : tensor<32x1xbf16>
  }
}

