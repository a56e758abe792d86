// Attention that also returns the logarithm of each row's sum.

module {
  func.func @attention_with_logarithms(%arg0: tensor<8x128x64xf16>, %arg1: tensor<8x128x64xf16>, %arg2: tensor<8x128x64xf16>) -> (tensor<8x128x64xf16>, tensor<8x128x1xf16>) {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x128x64xf16>, tensor<8x128x64xf16>) -> tensor<8x128x128xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %reduce = mirage_kernel.reduce max %scale dim(2) keep : (tensor<8x128x128xf32>) -> tensor<8x128x1xf32>
    %sub = mirage_kernel.sub %scale, %reduce : (tensor<8x128x128xf32>, tensor<8x128x1xf32>) -> tensor<8x128x128xf32>
    %exp = mirage_kernel.exp %sub : (tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %cast = mirage_kernel.cast %exp : tensor<8x128x128xf32> to tensor<8x128x128xf16>
    %matmul_0 = mirage_kernel.matmul %cast, %arg2 : (tensor<8x128x128xf16>, tensor<8x128x64xf16>) -> tensor<8x128x64xf32>
    %reduce_1 = mirage_kernel.reduce sum %exp dim(2) keep : (tensor<8x128x128xf32>) -> tensor<8x128x1xf32>
    %div = mirage_kernel.div %matmul_0, %reduce_1 : (tensor<8x128x64xf32>, tensor<8x128x1xf32>) -> tensor<8x128x64xf32>
    %cast_2 = mirage_kernel.cast %div : tensor<8x128x64xf32> to tensor<8x128x64xf16>
    %log = mirage_kernel.log %reduce_1 : (tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %add = mirage_kernel.add %reduce, %log : (tensor<8x128x1xf32>, tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %cast_3 = mirage_kernel.cast %add : tensor<8x128x1xf32> to tensor<8x128x1xf16>
    return %cast_2, %cast_3 : tensor<8x128x64xf16>, tensor<8x128x1xf16>
  }
}

