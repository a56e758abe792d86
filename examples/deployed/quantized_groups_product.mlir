// The product of such groups: sums of groups are scaled and added.

module {
  func.func @quantized_groups_product(%arg0: tensor<8x16x128xf8E4M3FN>, %arg1: tensor<8x128x512xf8E4M3FN>, %arg2: tensor<8x16x1xbf16>, %arg3: tensor<8x1x1xbf16>) -> tensor<16x512xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<8x16x128xf8E4M3FN>, tensor<8x128x512xf8E4M3FN>) -> tensor<8x16x512xf32>
    %cast = mirage_kernel.cast %arg2 : tensor<8x16x1xbf16> to tensor<8x16x1xf32>
    %cast_0 = mirage_kernel.cast %arg3 : tensor<8x1x1xbf16> to tensor<8x1x1xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<8x16x1xf32>, tensor<8x1x1xf32>) -> tensor<8x16x1xf32>
    %mul_1 = mirage_kernel.mul %matmul, %mul : (tensor<8x16x512xf32>, tensor<8x16x1xf32>) -> tensor<8x16x512xf32>
    %reduce = mirage_kernel.reduce sum %mul_1 dim(0) : (tensor<8x16x512xf32>) -> tensor<16x512xf32>
    %cast_2 = mirage_kernel.cast %reduce : tensor<16x512xf32> to tensor<16x512xbf16>
    return %cast_2 : tensor<16x512xbf16>
  }
}

