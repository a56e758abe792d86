// Each channel of an image of 512 x 512 by its own mean and variance.

module {
  func.func @instance_norm_of_image(%arg0: tensor<1x32x512x512xf16>) -> tensor<1x32x512x512xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1x32x512x512xf16> to tensor<1x32x512x512xf32>
    %reshape = mirage_kernel.reshape %cast : tensor<1x32x512x512xf32> to tensor<32x262144xf32>
    %layer_norm = mirage_kernel.layer_norm %reshape epsilon(1.000000e-05) : (tensor<32x262144xf32>) -> tensor<32x262144xf32>
    %reshape_0 = mirage_kernel.reshape %layer_norm : tensor<32x262144xf32> to tensor<1x32x512x512xf32>
    %cast_1 = mirage_kernel.cast %reshape_0 : tensor<1x32x512x512xf32> to tensor<1x32x512x512xf16>
    return %cast_1 : tensor<1x32x512x512xf16>
  }
}

