// The residual is added first and returned beside the norm, as vLLM does.

module {
  func.func @added_rms_norm(%arg0: tensor<64x4096xbf16>, %arg1: tensor<64x4096xbf16>, %arg2: tensor<4096xbf16>) -> (tensor<64x4096xbf16>, tensor<64x4096xbf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<64x4096xbf16> to tensor<64x4096xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<64x4096xbf16> to tensor<64x4096xf32>
    %add = mirage_kernel.add %cast, %cast_0 : (tensor<64x4096xf32>, tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %rms_norm = mirage_kernel.rms_norm %add epsilon(9.9999999999999995E-7) : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<4096xbf16> to tensor<1x4096xbf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x4096xbf16> to tensor<1x4096xf32>
    %mul = mirage_kernel.mul %rms_norm, %cast_1 : (tensor<64x4096xf32>, tensor<1x4096xf32>) -> tensor<64x4096xf32>
    %cast_2 = mirage_kernel.cast %mul : tensor<64x4096xf32> to tensor<64x4096xbf16>
    %cast_3 = mirage_kernel.cast %add : tensor<64x4096xf32> to tensor<64x4096xbf16>
    return %cast_2, %cast_3 : tensor<64x4096xbf16>, tensor<64x4096xbf16>
  }
}

