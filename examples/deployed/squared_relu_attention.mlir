// Gated attention unit of FLASH: squares of rectified scores.

module {
  func.func @squared_relu_attention(%arg0: tensor<4x256x128xf16>, %arg1: tensor<4x256x128xf16>, %arg2: tensor<4x256x128xf16>, %arg3: tensor<4x256x128xf16>) -> tensor<4x256x128xf16> {
    %cast = mirage_kernel.cast %arg3 : tensor<4x256x128xf16> to tensor<4x256x128xf32>
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<4x256x128xf16>, tensor<4x256x128xf16>) -> tensor<4x256x256xf32>
    %scale = mirage_kernel.scale %matmul by 3.906250e-03 : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
    %relu = mirage_kernel.relu %scale : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
    %square = mirage_kernel.square %relu : (tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
    %cast_0 = mirage_kernel.cast %square : tensor<4x256x256xf32> to tensor<4x256x256xf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg2 : (tensor<4x256x256xf16>, tensor<4x256x128xf16>) -> tensor<4x256x128xf32>
    %mul = mirage_kernel.mul %cast, %matmul_1 : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %cast_2 = mirage_kernel.cast %mul : tensor<4x256x128xf32> to tensor<4x256x128xf16>
    return %cast_2 : tensor<4x256x128xf16>
  }
}

