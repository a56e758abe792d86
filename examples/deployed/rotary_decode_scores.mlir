// A step's queries are rotated, and their scores with cached keys scaled.

module {
  func.func @rotary_decode_scores(%arg0: tensor<8x4x128xbf16>, %arg1: tensor<8x512x128xbf16>, %arg2: tensor<1x1x128xbf16>, %arg3: tensor<1x1x128xbf16>) -> tensor<8x4x512xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<8x4x128xbf16> to tensor<8x4x128xf32>
    %cast_0 = mirage_kernel.cast %arg2 : tensor<1x1x128xbf16> to tensor<1x1x128xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<8x4x128xf32>, tensor<1x1x128xf32>) -> tensor<8x4x128xf32>
    %slice = mirage_kernel.slice %cast[0, 0, 64] [8, 4, 64] [1, 1, 1] : (tensor<8x4x128xf32>) -> tensor<8x4x64xf32>
    %scale = mirage_kernel.scale %slice by -1.000000e+00 : (tensor<8x4x64xf32>) -> tensor<8x4x64xf32>
    %slice_1 = mirage_kernel.slice %cast[0, 0, 0] [8, 4, 64] [1, 1, 1] : (tensor<8x4x128xf32>) -> tensor<8x4x64xf32>
    %concat = mirage_kernel.concat dim(2) %scale, %slice_1 : (tensor<8x4x64xf32>, tensor<8x4x64xf32>) -> tensor<8x4x128xf32>
    %cast_2 = mirage_kernel.cast %arg3 : tensor<1x1x128xbf16> to tensor<1x1x128xf32>
    %mul_3 = mirage_kernel.mul %concat, %cast_2 : (tensor<8x4x128xf32>, tensor<1x1x128xf32>) -> tensor<8x4x128xf32>
    %add = mirage_kernel.add %mul, %mul_3 : (tensor<8x4x128xf32>, tensor<8x4x128xf32>) -> tensor<8x4x128xf32>
    %cast_4 = mirage_kernel.cast %add : tensor<8x4x128xf32> to tensor<8x4x128xbf16>
    %matmul = mirage_kernel.matmul %cast_4, %arg1 transpose_rhs : (tensor<8x4x128xbf16>, tensor<8x512x128xbf16>) -> tensor<8x4x512xf32>
    %scale_5 = mirage_kernel.scale %matmul by 0.088388346135616302 : (tensor<8x4x512xf32>) -> tensor<8x4x512xf32>
    %cast_6 = mirage_kernel.cast %scale_5 : tensor<8x4x512xf32> to tensor<8x4x512xbf16>
    return %cast_6 : tensor<8x4x512xbf16>
  }
}

