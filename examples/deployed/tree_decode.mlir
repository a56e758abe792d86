// Speculative decoding: seven drafts, each sees the ones it follows.

module {
  func.func @tree_decode(%arg0: tensor<16x7x64xf16>, %arg1: tensor<16x512x64xf16>, %arg2: tensor<16x512x64xf16>, %arg3: tensor<1x7x512xf16>) -> tensor<16x7x64xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<16x7x64xf16>, tensor<16x512x64xf16>) -> tensor<16x7x512xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<16x7x512xf32>) -> tensor<16x7x512xf32>
    %cast = mirage_kernel.cast %arg3 : tensor<1x7x512xf16> to tensor<1x7x512xf32>
    %add = mirage_kernel.add %scale, %cast : (tensor<16x7x512xf32>, tensor<1x7x512xf32>) -> tensor<16x7x512xf32>
    %softmax = mirage_kernel.softmax %add dim(2) : (tensor<16x7x512xf32>) -> tensor<16x7x512xf32>
    %cast_0 = mirage_kernel.cast %softmax : tensor<16x7x512xf32> to tensor<16x7x512xf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg2 : (tensor<16x7x512xf16>, tensor<16x512x64xf16>) -> tensor<16x7x64xf32>
    %cast_2 = mirage_kernel.cast %matmul_1 : tensor<16x7x64xf32> to tensor<16x7x64xf16>
    return %cast_2 : tensor<16x7x64xf16>
  }
}

