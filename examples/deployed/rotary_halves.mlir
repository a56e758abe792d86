// Rotary embedding of Llama for a prompt: halves of heads are rotated.

module {
  func.func @rotary_halves(%arg0: tensor<1x32x256x128xbf16>, %arg1: tensor<1x1x256x128xbf16>, %arg2: tensor<1x1x256x128xbf16>) -> tensor<1x32x256x128xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1x32x256x128xbf16> to tensor<1x32x256x128xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x1x256x128xbf16> to tensor<1x1x256x128xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<1x32x256x128xf32>, tensor<1x1x256x128xf32>) -> tensor<1x32x256x128xf32>
    %slice = mirage_kernel.slice %cast[0, 0, 0, 64] [1, 32, 256, 64] [1, 1, 1, 1] : (tensor<1x32x256x128xf32>) -> tensor<1x32x256x64xf32>
    %scale = mirage_kernel.scale %slice by -1.000000e+00 : (tensor<1x32x256x64xf32>) -> tensor<1x32x256x64xf32>
    %slice_1 = mirage_kernel.slice %cast[0, 0, 0, 0] [1, 32, 256, 64] [1, 1, 1, 1] : (tensor<1x32x256x128xf32>) -> tensor<1x32x256x64xf32>
    %concat = mirage_kernel.concat dim(3) %scale, %slice_1 : (tensor<1x32x256x64xf32>, tensor<1x32x256x64xf32>) -> tensor<1x32x256x128xf32>
    %cast_2 = mirage_kernel.cast %arg2 : tensor<1x1x256x128xbf16> to tensor<1x1x256x128xf32>
    %mul_3 = mirage_kernel.mul %concat, %cast_2 : (tensor<1x32x256x128xf32>, tensor<1x1x256x128xf32>) -> tensor<1x32x256x128xf32>
    %add = mirage_kernel.add %mul, %mul_3 : (tensor<1x32x256x128xf32>, tensor<1x32x256x128xf32>) -> tensor<1x32x256x128xf32>
    %cast_4 = mirage_kernel.cast %add : tensor<1x32x256x128xf32> to tensor<1x32x256x128xbf16>
    return %cast_4 : tensor<1x32x256x128xbf16>
  }
}

