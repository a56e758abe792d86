// One step of a differential transformer, and the norm of its heads.

module {
  func.func @differential_decode(%arg0: tensor<8x1x64xf16>, %arg1: tensor<8x1x64xf16>, %arg2: tensor<8x512x64xf16>, %arg3: tensor<8x512x64xf16>, %arg4: tensor<8x512x128xf16>, %arg5: tensor<8x1x1xf16>) -> tensor<8x1x128xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg2 transpose_rhs : (tensor<8x1x64xf16>, tensor<8x512x64xf16>) -> tensor<8x1x512xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x1x512xf32>) -> tensor<8x1x512xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<8x1x512xf32>) -> tensor<8x1x512xf32>
    %matmul_0 = mirage_kernel.matmul %arg1, %arg3 transpose_rhs : (tensor<8x1x64xf16>, tensor<8x512x64xf16>) -> tensor<8x1x512xf32>
    %scale_1 = mirage_kernel.scale %matmul_0 by 1.250000e-01 : (tensor<8x1x512xf32>) -> tensor<8x1x512xf32>
    %softmax_2 = mirage_kernel.softmax %scale_1 dim(2) : (tensor<8x1x512xf32>) -> tensor<8x1x512xf32>
    %cast = mirage_kernel.cast %arg5 : tensor<8x1x1xf16> to tensor<8x1x1xf32>
    %mul = mirage_kernel.mul %softmax_2, %cast : (tensor<8x1x512xf32>, tensor<8x1x1xf32>) -> tensor<8x1x512xf32>
    %sub = mirage_kernel.sub %softmax, %mul : (tensor<8x1x512xf32>, tensor<8x1x512xf32>) -> tensor<8x1x512xf32>
    %cast_3 = mirage_kernel.cast %sub : tensor<8x1x512xf32> to tensor<8x1x512xf16>
    %matmul_4 = mirage_kernel.matmul %cast_3, %arg4 : (tensor<8x1x512xf16>, tensor<8x512x128xf16>) -> tensor<8x1x128xf32>
    %rms_norm = mirage_kernel.rms_norm %matmul_4 epsilon(9.9999999999999995E-7) : (tensor<8x1x128xf32>) -> tensor<8x1x128xf32>
    %scale_5 = mirage_kernel.scale %rms_norm by 0.20000000298023224 : (tensor<8x1x128xf32>) -> tensor<8x1x128xf32>
    %cast_6 = mirage_kernel.cast %scale_5 : tensor<8x1x128xf32> to tensor<8x1x128xf16>
    return %cast_6 : tensor<8x1x128xf16>
  }
}

