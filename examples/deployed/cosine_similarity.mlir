// Cosines of pairs of rows, as sentence encoders compare.

module {
  func.func @cosine_similarity(%arg0: tensor<256x384xf16>, %arg1: tensor<256x384xf16>) -> tensor<256x1xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<256x384xf16> to tensor<256x384xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<256x384xf16> to tensor<256x384xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<256x384xf32>) -> tensor<256x1xf32>
    %square = mirage_kernel.square %cast : (tensor<256x384xf32>) -> tensor<256x384xf32>
    %reduce_1 = mirage_kernel.reduce sum %square dim(1) keep : (tensor<256x384xf32>) -> tensor<256x1xf32>
    %square_2 = mirage_kernel.square %cast_0 : (tensor<256x384xf32>) -> tensor<256x384xf32>
    %reduce_3 = mirage_kernel.reduce sum %square_2 dim(1) keep : (tensor<256x384xf32>) -> tensor<256x1xf32>
    %mul_4 = mirage_kernel.mul %reduce_1, %reduce_3 : (tensor<256x1xf32>, tensor<256x1xf32>) -> tensor<256x1xf32>
    %constant = mirage_kernel.constant dense<9.99999996E-13> : tensor<1x1xf32>
    %add = mirage_kernel.add %mul_4, %constant : (tensor<256x1xf32>, tensor<1x1xf32>) -> tensor<256x1xf32>
    %rsqrt = mirage_kernel.rsqrt %add : (tensor<256x1xf32>) -> tensor<256x1xf32>
    %mul_5 = mirage_kernel.mul %reduce, %rsqrt : (tensor<256x1xf32>, tensor<256x1xf32>) -> tensor<256x1xf32>
    %cast_6 = mirage_kernel.cast %mul_5 : tensor<256x1xf32> to tensor<256x1xf16>
    return %cast_6 : tensor<256x1xf16>
  }
}

