// Guidance without a classifier: conditional noise, exaggerated, then a step.

module {
  func.func @guided_noise(%arg0: tensor<2x4x64x64xf16>, %arg1: tensor<2x4x64x64xf16>, %arg2: tensor<2x4x64x64xf16>) -> tensor<2x4x64x64xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x4x64x64xf16> to tensor<2x4x64x64xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<2x4x64x64xf16> to tensor<2x4x64x64xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<2x4x64x64xf16> to tensor<2x4x64x64xf32>
    %scale = mirage_kernel.scale %cast_0 by -1.000000e+00 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %add = mirage_kernel.add %cast_1, %scale : (tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %scale_2 = mirage_kernel.scale %add by 7.500000e+00 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %add_3 = mirage_kernel.add %cast_0, %scale_2 : (tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %scale_4 = mirage_kernel.scale %add_3 by -0.05000000074505806 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %add_5 = mirage_kernel.add %cast, %scale_4 : (tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %cast_6 = mirage_kernel.cast %add_5 : tensor<2x4x64x64xf32> to tensor<2x4x64x64xf16>
    return %cast_6 : tensor<2x4x64x64xf16>
  }
}

