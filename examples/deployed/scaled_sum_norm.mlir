// DeepNorm: the input times a factor, a branch, and a layer norm behind.

module {
  func.func @scaled_sum_norm(%arg0: tensor<128x1024xf32>, %arg1: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
    %scale = mirage_kernel.scale %arg0 by 2.6319999694824219 : (tensor<128x1024xf32>) -> tensor<128x1024xf32>
    %add = mirage_kernel.add %scale, %arg1 : (tensor<128x1024xf32>, tensor<128x1024xf32>) -> tensor<128x1024xf32>
    %layer_norm = mirage_kernel.layer_norm %add epsilon(1.000000e-05) : (tensor<128x1024xf32>) -> tensor<128x1024xf32>
    return %layer_norm : tensor<128x1024xf32>
  }
}

