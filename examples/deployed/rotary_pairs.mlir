// Rotary embedding of GPT-J: neighbours are rotated.

module {
  func.func @rotary_pairs(%arg0: tensor<16x128x32x2xf16>, %arg1: tensor<1x128x32x1xf16>, %arg2: tensor<1x128x32x1xf16>) -> tensor<16x128x32x2xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<16x128x32x2xf16> to tensor<16x128x32x2xf32>
    %slice = mirage_kernel.slice %cast[0, 0, 0, 0] [16, 128, 32, 1] [1, 1, 1, 1] : (tensor<16x128x32x2xf32>) -> tensor<16x128x32x1xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x128x32x1xf16> to tensor<1x128x32x1xf32>
    %mul = mirage_kernel.mul %slice, %cast_0 : (tensor<16x128x32x1xf32>, tensor<1x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %slice_1 = mirage_kernel.slice %cast[0, 0, 0, 1] [16, 128, 32, 1] [1, 1, 1, 1] : (tensor<16x128x32x2xf32>) -> tensor<16x128x32x1xf32>
    %cast_2 = mirage_kernel.cast %arg2 : tensor<1x128x32x1xf16> to tensor<1x128x32x1xf32>
    %mul_3 = mirage_kernel.mul %slice_1, %cast_2 : (tensor<16x128x32x1xf32>, tensor<1x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %sub = mirage_kernel.sub %mul, %mul_3 : (tensor<16x128x32x1xf32>, tensor<16x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %mul_4 = mirage_kernel.mul %slice_1, %cast_0 : (tensor<16x128x32x1xf32>, tensor<1x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %mul_5 = mirage_kernel.mul %slice, %cast_2 : (tensor<16x128x32x1xf32>, tensor<1x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %add = mirage_kernel.add %mul_4, %mul_5 : (tensor<16x128x32x1xf32>, tensor<16x128x32x1xf32>) -> tensor<16x128x32x1xf32>
    %concat = mirage_kernel.concat dim(3) %sub, %add : (tensor<16x128x32x1xf32>, tensor<16x128x32x1xf32>) -> tensor<16x128x32x2xf32>
    %cast_6 = mirage_kernel.cast %concat : tensor<16x128x32x2xf32> to tensor<16x128x32x2xf16>
    return %cast_6 : tensor<16x128x32x2xf16>
  }
}

