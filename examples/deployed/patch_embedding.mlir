// The start of ViT: patches of an image, a product, a bias, and positions.

module {
  func.func @patch_embedding(%arg0: tensor<1x3x14x16x14x16xf16>, %arg1: tensor<768x384xf16>, %arg2: tensor<384xf16>, %arg3: tensor<196x384xf16>) -> tensor<196x384xf16> {
    %transpose = mirage_kernel.transpose %arg0 [0, 2, 4, 1, 3, 5] : (tensor<1x3x14x16x14x16xf16>) -> tensor<1x14x14x3x16x16xf16>
    %reshape = mirage_kernel.reshape %transpose : tensor<1x14x14x3x16x16xf16> to tensor<196x768xf16>
    %matmul = mirage_kernel.matmul %reshape, %arg1 : (tensor<196x768xf16>, tensor<768x384xf16>) -> tensor<196x384xf32>
    %reshape_0 = mirage_kernel.reshape %arg2 : tensor<384xf16> to tensor<1x384xf16>
    %cast = mirage_kernel.cast %reshape_0 : tensor<1x384xf16> to tensor<1x384xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<196x384xf32>, tensor<1x384xf32>) -> tensor<196x384xf32>
    %cast_1 = mirage_kernel.cast %arg3 : tensor<196x384xf16> to tensor<196x384xf32>
    %add_2 = mirage_kernel.add %add, %cast_1 : (tensor<196x384xf32>, tensor<196x384xf32>) -> tensor<196x384xf32>
    %cast_3 = mirage_kernel.cast %add_2 : tensor<196x384xf32> to tensor<196x384xf16>
    return %cast_3 : tensor<196x384xf16>
  }
}

