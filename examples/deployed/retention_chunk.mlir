// Retention of RetNet in one chunk: scores decay with distance.

module {
  func.func @retention_chunk(%arg0: tensor<4x128x256xf16>, %arg1: tensor<4x128x256xf16>, %arg2: tensor<4x128x512xf16>, %arg3: tensor<4x128x128xf16>) -> tensor<4x128x512xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<4x128x256xf16>, tensor<4x128x256xf16>) -> tensor<4x128x128xf32>
    %scale = mirage_kernel.scale %matmul by 6.250000e-02 : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    %cast = mirage_kernel.cast %arg3 : tensor<4x128x128xf16> to tensor<4x128x128xf32>
    %mul = mirage_kernel.mul %scale, %cast : (tensor<4x128x128xf32>, tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<4x128x128xf32> to tensor<4x128x128xf16>
    %matmul_1 = mirage_kernel.matmul %cast_0, %arg2 : (tensor<4x128x128xf16>, tensor<4x128x512xf16>) -> tensor<4x128x512xf32>
    %cast_2 = mirage_kernel.cast %matmul_1 : tensor<4x128x512xf32> to tensor<4x128x512xf16>
    return %cast_2 : tensor<4x128x512xf16>
  }
}

