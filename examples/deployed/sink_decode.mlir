// One step of gpt-oss: a learned logit of each head joins the softmax.

module {
  func.func @sink_decode(%arg0: tensor<8x8x64xbf16>, %arg1: tensor<8x1024x64xbf16>, %arg2: tensor<8x1024x64xbf16>, %arg3: tensor<8x8x1xbf16>) -> tensor<8x8x64xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x8x64xbf16>, tensor<8x1024x64xbf16>) -> tensor<8x8x1024xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x8x1024xf32>) -> tensor<8x8x1024xf32>
    %cast = mirage_kernel.cast %arg3 : tensor<8x8x1xbf16> to tensor<8x8x1xf32>
    %concat = mirage_kernel.concat dim(2) %scale, %cast : (tensor<8x8x1024xf32>, tensor<8x8x1xf32>) -> tensor<8x8x1025xf32>
    %softmax = mirage_kernel.softmax %concat dim(2) : (tensor<8x8x1025xf32>) -> tensor<8x8x1025xf32>
    %slice = mirage_kernel.slice %softmax[0, 0, 0] [8, 8, 1024] [1, 1, 1] : (tensor<8x8x1025xf32>) -> tensor<8x8x1024xf32>
    %cast_0 = mirage_kernel.cast %slice : tensor<8x8x1024xf32> to tensor<8x8x1024xbf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg2 : (tensor<8x8x1024xbf16>, tensor<8x1024x64xbf16>) -> tensor<8x8x64xf32>
    %cast_2 = mirage_kernel.cast %matmul_1 : tensor<8x8x64xf32> to tensor<8x8x64xbf16>
    return %cast_2 : tensor<8x8x64xbf16>
  }
}

