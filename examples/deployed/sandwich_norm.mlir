// Gemma 2: a norm behind a product, the residual, and the next norm.

module {
  func.func @sandwich_norm(%arg0: tensor<16x1024xbf16>, %arg1: tensor<1024x1024xbf16>, %arg2: tensor<1024xbf16>, %arg3: tensor<16x1024xbf16>, %arg4: tensor<1024xbf16>) -> (tensor<16x1024xbf16>, tensor<16x1024xbf16>) {
    %cast = mirage_kernel.cast %arg3 : tensor<16x1024xbf16> to tensor<16x1024xf32>
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<16x1024xf32>
    %rms_norm = mirage_kernel.rms_norm %matmul epsilon(9.9999999999999995E-7) : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<1024xbf16> to tensor<1x1024xbf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %mul = mirage_kernel.mul %rms_norm, %cast_0 : (tensor<16x1024xf32>, tensor<1x1024xf32>) -> tensor<16x1024xf32>
    %add = mirage_kernel.add %cast, %mul : (tensor<16x1024xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %rms_norm_1 = mirage_kernel.rms_norm %add epsilon(9.9999999999999995E-7) : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %reshape_2 = mirage_kernel.reshape %arg4 : tensor<1024xbf16> to tensor<1x1024xbf16>
    %cast_3 = mirage_kernel.cast %reshape_2 : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %mul_4 = mirage_kernel.mul %rms_norm_1, %cast_3 : (tensor<16x1024xf32>, tensor<1x1024xf32>) -> tensor<16x1024xf32>
    %cast_5 = mirage_kernel.cast %mul_4 : tensor<16x1024xf32> to tensor<16x1024xbf16>
    %cast_6 = mirage_kernel.cast %add : tensor<16x1024xf32> to tensor<16x1024xbf16>
    return %cast_5, %cast_6 : tensor<16x1024xbf16>, tensor<16x1024xbf16>
  }
}

