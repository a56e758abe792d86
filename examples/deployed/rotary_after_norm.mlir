// Qwen 3's queries: a norm with a weight for each head, then rotation.

module {
  func.func @rotary_after_norm(%arg0: tensor<16x64x128xbf16>, %arg1: tensor<128xbf16>, %arg2: tensor<1x64x128xbf16>, %arg3: tensor<1x64x128xbf16>) -> tensor<16x64x128xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<16x64x128xbf16> to tensor<16x64x128xf32>
    %rms_norm = mirage_kernel.rms_norm %cast epsilon(9.9999999999999995E-7) : (tensor<16x64x128xf32>) -> tensor<16x64x128xf32>
    %reshape = mirage_kernel.reshape %arg1 : tensor<128xbf16> to tensor<1x1x128xbf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x1x128xbf16> to tensor<1x1x128xf32>
    %mul = mirage_kernel.mul %rms_norm, %cast_0 : (tensor<16x64x128xf32>, tensor<1x1x128xf32>) -> tensor<16x64x128xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<1x64x128xbf16> to tensor<1x64x128xf32>
    %mul_2 = mirage_kernel.mul %mul, %cast_1 : (tensor<16x64x128xf32>, tensor<1x64x128xf32>) -> tensor<16x64x128xf32>
    %slice = mirage_kernel.slice %mul[0, 0, 64] [16, 64, 64] [1, 1, 1] : (tensor<16x64x128xf32>) -> tensor<16x64x64xf32>
    %scale = mirage_kernel.scale %slice by -1.000000e+00 : (tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %slice_3 = mirage_kernel.slice %mul[0, 0, 0] [16, 64, 64] [1, 1, 1] : (tensor<16x64x128xf32>) -> tensor<16x64x64xf32>
    %concat = mirage_kernel.concat dim(2) %scale, %slice_3 : (tensor<16x64x64xf32>, tensor<16x64x64xf32>) -> tensor<16x64x128xf32>
    %cast_4 = mirage_kernel.cast %arg3 : tensor<1x64x128xbf16> to tensor<1x64x128xf32>
    %mul_5 = mirage_kernel.mul %concat, %cast_4 : (tensor<16x64x128xf32>, tensor<1x64x128xf32>) -> tensor<16x64x128xf32>
    %add = mirage_kernel.add %mul_2, %mul_5 : (tensor<16x64x128xf32>, tensor<16x64x128xf32>) -> tensor<16x64x128xf32>
    %cast_6 = mirage_kernel.cast %add : tensor<16x64x128xf32> to tensor<16x64x128xbf16>
    return %cast_6 : tensor<16x64x128xbf16>
  }
}

