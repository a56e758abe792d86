// Whisper's decoder reads 1,500 frames of its encoder.

module {
  func.func @cross_attention_speech(%arg0: tensor<8x1x64xf16>, %arg1: tensor<8x1500x64xf16>, %arg2: tensor<8x1500x64xf16>) -> tensor<8x1x64xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<8x1x64xf16>, tensor<8x1500x64xf16>) -> tensor<8x1x1500xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x1x1500xf32>) -> tensor<8x1x1500xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<8x1x1500xf32>) -> tensor<8x1x1500xf32>
    %cast = mirage_kernel.cast %softmax : tensor<8x1x1500xf32> to tensor<8x1x1500xf16>
    %matmul_0 = mirage_kernel.matmul %cast, %arg2 : (tensor<8x1x1500xf16>, tensor<8x1500x64xf16>) -> tensor<8x1x64xf32>
    %cast_1 = mirage_kernel.cast %matmul_0 : tensor<8x1x64xf32> to tensor<8x1x64xf16>
    return %cast_1 : tensor<8x1x64xf16>
  }
}

