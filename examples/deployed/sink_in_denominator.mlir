// The same sink as a term of the denominator, as kernels write it.

module {
  func.func @sink_in_denominator(%arg0: tensor<8x8x64xf16>, %arg1: tensor<8x512x64xf16>, %arg2: tensor<8x512x64xf16>, %arg3: tensor<8x8x1xf16>) -> tensor<8x8x64xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x8x64xf16>, tensor<8x512x64xf16>) -> tensor<8x8x512xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x8x512xf32>) -> tensor<8x8x512xf32>
    %reduce = mirage_kernel.reduce max %scale dim(2) keep : (tensor<8x8x512xf32>) -> tensor<8x8x1xf32>
    %cast = mirage_kernel.cast %arg3 : tensor<8x8x1xf16> to tensor<8x8x1xf32>
    %max = mirage_kernel.max %reduce, %cast : (tensor<8x8x1xf32>, tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
    %sub = mirage_kernel.sub %scale, %max : (tensor<8x8x512xf32>, tensor<8x8x1xf32>) -> tensor<8x8x512xf32>
    %exp = mirage_kernel.exp %sub : (tensor<8x8x512xf32>) -> tensor<8x8x512xf32>
    %reduce_0 = mirage_kernel.reduce sum %exp dim(2) keep : (tensor<8x8x512xf32>) -> tensor<8x8x1xf32>
    %sub_1 = mirage_kernel.sub %cast, %max : (tensor<8x8x1xf32>, tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
    %exp_2 = mirage_kernel.exp %sub_1 : (tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
    %add = mirage_kernel.add %reduce_0, %exp_2 : (tensor<8x8x1xf32>, tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
    %div = mirage_kernel.div %exp, %add : (tensor<8x8x512xf32>, tensor<8x8x1xf32>) -> tensor<8x8x512xf32>
    %cast_3 = mirage_kernel.cast %div : tensor<8x8x512xf32> to tensor<8x8x512xf16>
    %matmul_4 = mirage_kernel.matmul %cast_3, %arg2 : (tensor<8x8x512xf16>, tensor<8x512x64xf16>) -> tensor<8x8x64xf32>
    %cast_5 = mirage_kernel.cast %matmul_4 : tensor<8x8x64xf32> to tensor<8x8x64xf16>
    return %cast_5 : tensor<8x8x64xf16>
  }
}

