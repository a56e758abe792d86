// A step of DDIM: the image that the noise leaves, and the next noisy one.

module {
  func.func @noise_step(%arg0: tensor<2x4x64x64xf16>, %arg1: tensor<2x4x64x64xf16>) -> tensor<2x4x64x64xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x4x64x64xf16> to tensor<2x4x64x64xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<2x4x64x64xf16> to tensor<2x4x64x64xf32>
    %scale = mirage_kernel.scale %cast_0 by -0.60000002384185791 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %add = mirage_kernel.add %cast, %scale : (tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %scale_1 = mirage_kernel.scale %add by 1.250000e+00 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %clamp = mirage_kernel.clamp %scale_1 lower(-1.000000e+00) upper(1.000000e+00) : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %scale_2 = mirage_kernel.scale %clamp by 0.85000002384185791 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %scale_3 = mirage_kernel.scale %cast_0 by 0.52679997682571411 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %add_4 = mirage_kernel.add %scale_2, %scale_3 : (tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %cast_5 = mirage_kernel.cast %add_4 : tensor<2x4x64x64xf32> to tensor<2x4x64x64xf16>
    return %cast_5 : tensor<2x4x64x64xf16>
  }
}

