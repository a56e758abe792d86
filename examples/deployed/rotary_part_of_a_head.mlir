// Rotary embedding of Phi: 32 of 80 elements of each head are rotated.

module {
  func.func @rotary_part_of_a_head(%arg0: tensor<32x128x80xf16>, %arg1: tensor<1x128x32xf16>, %arg2: tensor<1x128x32xf16>) -> tensor<32x128x80xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<32x128x80xf16> to tensor<32x128x80xf32>
    %slice = mirage_kernel.slice %cast[0, 0, 0] [32, 128, 32] [1, 1, 1] : (tensor<32x128x80xf32>) -> tensor<32x128x32xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x128x32xf16> to tensor<1x128x32xf32>
    %mul = mirage_kernel.mul %slice, %cast_0 : (tensor<32x128x32xf32>, tensor<1x128x32xf32>) -> tensor<32x128x32xf32>
    %slice_1 = mirage_kernel.slice %slice[0, 0, 16] [32, 128, 16] [1, 1, 1] : (tensor<32x128x32xf32>) -> tensor<32x128x16xf32>
    %scale = mirage_kernel.scale %slice_1 by -1.000000e+00 : (tensor<32x128x16xf32>) -> tensor<32x128x16xf32>
    %slice_2 = mirage_kernel.slice %slice[0, 0, 0] [32, 128, 16] [1, 1, 1] : (tensor<32x128x32xf32>) -> tensor<32x128x16xf32>
    %concat = mirage_kernel.concat dim(2) %scale, %slice_2 : (tensor<32x128x16xf32>, tensor<32x128x16xf32>) -> tensor<32x128x32xf32>
    %cast_3 = mirage_kernel.cast %arg2 : tensor<1x128x32xf16> to tensor<1x128x32xf32>
    %mul_4 = mirage_kernel.mul %concat, %cast_3 : (tensor<32x128x32xf32>, tensor<1x128x32xf32>) -> tensor<32x128x32xf32>
    %add = mirage_kernel.add %mul, %mul_4 : (tensor<32x128x32xf32>, tensor<32x128x32xf32>) -> tensor<32x128x32xf32>
    %slice_5 = mirage_kernel.slice %cast[0, 0, 32] [32, 128, 48] [1, 1, 1] : (tensor<32x128x80xf32>) -> tensor<32x128x48xf32>
    %concat_6 = mirage_kernel.concat dim(2) %add, %slice_5 : (tensor<32x128x32xf32>, tensor<32x128x48xf32>) -> tensor<32x128x80xf32>
    %cast_7 = mirage_kernel.cast %concat_6 : tensor<32x128x80xf32> to tensor<32x128x80xf16>
    return %cast_7 : tensor<32x128x80xf16>
  }
}

