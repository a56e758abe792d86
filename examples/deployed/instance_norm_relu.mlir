// Style transfer: a norm of each channel of each image, and a rectifier.

module {
  func.func @instance_norm_relu(%arg0: tensor<1x32x56x56xf16>) -> tensor<1x32x56x56xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1x32x56x56xf16> to tensor<1x32x56x56xf32>
    %instance_norm = mirage_kernel.instance_norm %cast epsilon(1.000000e-05) : (tensor<1x32x56x56xf32>) -> tensor<1x32x56x56xf32>
    %relu = mirage_kernel.relu %instance_norm : (tensor<1x32x56x56xf32>) -> tensor<1x32x56x56xf32>
    %cast_0 = mirage_kernel.cast %relu : tensor<1x32x56x56xf32> to tensor<1x32x56x56xf16>
    return %cast_0 : tensor<1x32x56x56xf16>
  }
}

