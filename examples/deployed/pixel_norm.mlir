// StyleGAN: a norm over channels of every pixel.

module {
  func.func @pixel_norm(%arg0: tensor<2x128x256xf16>) -> tensor<2x128x256xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x128x256xf16> to tensor<2x128x256xf32>
    %square = mirage_kernel.square %cast : (tensor<2x128x256xf32>) -> tensor<2x128x256xf32>
    %reduce = mirage_kernel.reduce mean %square dim(1) keep : (tensor<2x128x256xf32>) -> tensor<2x1x256xf32>
    %constant = mirage_kernel.constant dense<9.99999993E-9> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %reduce, %constant : (tensor<2x1x256xf32>, tensor<1x1x1xf32>) -> tensor<2x1x256xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<2x1x256xf32>) -> tensor<2x1x256xf32>
    %mul = mirage_kernel.mul %cast, %rsqrt : (tensor<2x128x256xf32>, tensor<2x1x256xf32>) -> tensor<2x128x256xf32>
    %cast_0 = mirage_kernel.cast %mul : tensor<2x128x256xf32> to tensor<2x128x256xf16>
    return %cast_0 : tensor<2x128x256xf16>
  }
}

