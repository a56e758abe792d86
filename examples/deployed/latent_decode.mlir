// Multi-head latent attention, decoding with absorbed weights, DeepSeek V2 Lite.

module {
  func.func @latent_decode(%arg0: tensor<1x16x512xf16>, %arg1: tensor<1x16x64xf16>, %arg2: tensor<1x1024x512xf16>, %arg3: tensor<1x1024x64xf16>) -> tensor<1x16x512xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg2 transpose_rhs : (tensor<1x16x512xf16>, tensor<1x1024x512xf16>) -> tensor<1x16x1024xf32>
    %matmul_0 = mirage_kernel.matmul %arg1, %arg3 transpose_rhs : (tensor<1x16x64xf16>, tensor<1x1024x64xf16>) -> tensor<1x16x1024xf32>
    %add = mirage_kernel.add %matmul, %matmul_0 : (tensor<1x16x1024xf32>, tensor<1x16x1024xf32>) -> tensor<1x16x1024xf32>
    %scale = mirage_kernel.scale %add by 0.072168782353401184 : (tensor<1x16x1024xf32>) -> tensor<1x16x1024xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<1x16x1024xf32>) -> tensor<1x16x1024xf32>
    %cast = mirage_kernel.cast %softmax : tensor<1x16x1024xf32> to tensor<1x16x1024xf16>
    %matmul_1 = mirage_kernel.matmul %cast, %arg2 : (tensor<1x16x1024xf16>, tensor<1x1024x512xf16>) -> tensor<1x16x512xf32>
    %cast_2 = mirage_kernel.cast %matmul_1 : tensor<1x16x512xf32> to tensor<1x16x512xf16>
    return %cast_2 : tensor<1x16x512xf16>
  }
}

