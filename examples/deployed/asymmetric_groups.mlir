// Groups of 64 between their least and largest: scaled to 0 ... 15, and back.

module {
  func.func @asymmetric_groups(%arg0: tensor<64x16x64xbf16>) -> tensor<64x16x64xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x16x64xbf16> to tensor<64x16x64xf32>
    %scale = mirage_kernel.scale %cast by -1.000000e+00 : (tensor<64x16x64xf32>) -> tensor<64x16x64xf32>
    %reduce = mirage_kernel.reduce max %scale dim(2) keep : (tensor<64x16x64xf32>) -> tensor<64x16x1xf32>
    %scale_0 = mirage_kernel.scale %reduce by -1.000000e+00 : (tensor<64x16x1xf32>) -> tensor<64x16x1xf32>
    %sub = mirage_kernel.sub %cast, %scale_0 : (tensor<64x16x64xf32>, tensor<64x16x1xf32>) -> tensor<64x16x64xf32>
    %reduce_1 = mirage_kernel.reduce max %cast dim(2) keep : (tensor<64x16x64xf32>) -> tensor<64x16x1xf32>
    %sub_2 = mirage_kernel.sub %reduce_1, %scale_0 : (tensor<64x16x1xf32>, tensor<64x16x1xf32>) -> tensor<64x16x1xf32>
    %scale_3 = mirage_kernel.scale %sub_2 by 0.066666670143604279 : (tensor<64x16x1xf32>) -> tensor<64x16x1xf32>
    %constant = mirage_kernel.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %scale_3, %constant : (tensor<64x16x1xf32>, tensor<1x1x1xf32>) -> tensor<64x16x1xf32>
    %div = mirage_kernel.div %sub, %add : (tensor<64x16x64xf32>, tensor<64x16x1xf32>) -> tensor<64x16x64xf32>
    %clamp = mirage_kernel.clamp %div lower(0.000000e+00) upper(1.500000e+01) : (tensor<64x16x64xf32>) -> tensor<64x16x64xf32>
    %mul = mirage_kernel.mul %clamp, %add : (tensor<64x16x64xf32>, tensor<64x16x1xf32>) -> tensor<64x16x64xf32>
    %add_4 = mirage_kernel.add %mul, %scale_0 : (tensor<64x16x64xf32>, tensor<64x16x1xf32>) -> tensor<64x16x64xf32>
    %cast_5 = mirage_kernel.cast %add_4 : tensor<64x16x64xf32> to tensor<64x16x64xbf16>
    return %cast_5 : tensor<64x16x64xbf16>
  }
}

