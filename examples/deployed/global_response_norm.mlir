// ConvNeXt V2: channels are scaled by their share of the image's length.

module {
  func.func @global_response_norm(%arg0: tensor<2x196x384xf16>, %arg1: tensor<384xf16>, %arg2: tensor<384xf16>) -> tensor<2x196x384xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<2x196x384xf16> to tensor<2x196x384xf32>
    %square = mirage_kernel.square %cast : (tensor<2x196x384xf32>) -> tensor<2x196x384xf32>
    %reduce = mirage_kernel.reduce sum %square dim(1) keep : (tensor<2x196x384xf32>) -> tensor<2x1x384xf32>
    %sqrt = mirage_kernel.sqrt %reduce : (tensor<2x1x384xf32>) -> tensor<2x1x384xf32>
    %reduce_0 = mirage_kernel.reduce mean %sqrt dim(2) keep : (tensor<2x1x384xf32>) -> tensor<2x1x1xf32>
    %constant = mirage_kernel.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %reduce_0, %constant : (tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
    %div = mirage_kernel.div %sqrt, %add : (tensor<2x1x384xf32>, tensor<2x1x1xf32>) -> tensor<2x1x384xf32>
    %mul = mirage_kernel.mul %cast, %div : (tensor<2x196x384xf32>, tensor<2x1x384xf32>) -> tensor<2x196x384xf32>
    %reshape = mirage_kernel.reshape %arg1 : tensor<384xf16> to tensor<1x1x384xf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x1x384xf16> to tensor<1x1x384xf32>
    %mul_2 = mirage_kernel.mul %mul, %cast_1 : (tensor<2x196x384xf32>, tensor<1x1x384xf32>) -> tensor<2x196x384xf32>
    %reshape_3 = mirage_kernel.reshape %arg2 : tensor<384xf16> to tensor<1x1x384xf16>
    %cast_4 = mirage_kernel.cast %reshape_3 : tensor<1x1x384xf16> to tensor<1x1x384xf32>
    %add_5 = mirage_kernel.add %mul_2, %cast_4 : (tensor<2x196x384xf32>, tensor<1x1x384xf32>) -> tensor<2x196x384xf32>
    %add_6 = mirage_kernel.add %add_5, %cast : (tensor<2x196x384xf32>, tensor<2x196x384xf32>) -> tensor<2x196x384xf32>
    %cast_7 = mirage_kernel.cast %add_6 : tensor<2x196x384xf32> to tensor<2x196x384xf16>
    return %cast_7 : tensor<2x196x384xf16>
  }
}

