// Linformer: keys and values are projected from 512 to 64 along the sequence.

module {
  func.func @projected_keys(%arg0: tensor<4x512x64xf16>, %arg1: tensor<4x512x64xf16>, %arg2: tensor<4x512x64xf16>, %arg3: tensor<1x64x512xf16>, %arg4: tensor<1x64x512xf16>) -> tensor<4x512x64xf16> {
    %matmul = mirage_kernel.matmul %arg3, %arg1 : (tensor<1x64x512xf16>, tensor<4x512x64xf16>) -> tensor<4x64x64xf32>
    %cast = mirage_kernel.cast %matmul : tensor<4x64x64xf32> to tensor<4x64x64xf16>
    %matmul_0 = mirage_kernel.matmul %arg0, %cast transpose_rhs : (tensor<4x512x64xf16>, tensor<4x64x64xf16>) -> tensor<4x512x64xf32>
    %scale = mirage_kernel.scale %matmul_0 by 1.250000e-01 : (tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %cast_1 = mirage_kernel.cast %softmax : tensor<4x512x64xf32> to tensor<4x512x64xf16>
    %matmul_2 = mirage_kernel.matmul %arg4, %arg2 : (tensor<1x64x512xf16>, tensor<4x512x64xf16>) -> tensor<4x64x64xf32>
    %cast_3 = mirage_kernel.cast %matmul_2 : tensor<4x64x64xf32> to tensor<4x64x64xf16>
    %matmul_4 = mirage_kernel.matmul %cast_1, %cast_3 : (tensor<4x512x64xf16>, tensor<4x64x64xf16>) -> tensor<4x512x64xf32>
    %cast_5 = mirage_kernel.cast %matmul_4 : tensor<4x512x64xf32> to tensor<4x512x64xf16>
    return %cast_5 : tensor<4x512x64xf16>
  }
}

