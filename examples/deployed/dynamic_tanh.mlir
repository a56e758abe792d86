// A tanh of scaled inputs in place of a norm, and a product.

module {
  func.func @dynamic_tanh(%arg0: tensor<64x768xf16>, %arg1: tensor<1x1xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<768x768xf16>) -> tensor<64x768xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x768xf16> to tensor<64x768xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1x1xf16> to tensor<1x1xf32>
    %mul = mirage_kernel.mul %cast, %cast_0 : (tensor<64x768xf32>, tensor<1x1xf32>) -> tensor<64x768xf32>
    %tanh = mirage_kernel.tanh %mul : (tensor<64x768xf32>) -> tensor<64x768xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<768xf16> to tensor<1x768xf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x768xf16> to tensor<1x768xf32>
    %mul_2 = mirage_kernel.mul %tanh, %cast_1 : (tensor<64x768xf32>, tensor<1x768xf32>) -> tensor<64x768xf32>
    %reshape_3 = mirage_kernel.reshape %arg3 : tensor<768xf16> to tensor<1x768xf16>
    %cast_4 = mirage_kernel.cast %reshape_3 : tensor<1x768xf16> to tensor<1x768xf32>
    %add = mirage_kernel.add %mul_2, %cast_4 : (tensor<64x768xf32>, tensor<1x768xf32>) -> tensor<64x768xf32>
    %cast_5 = mirage_kernel.cast %add : tensor<64x768xf32> to tensor<64x768xf16>
    %matmul = mirage_kernel.matmul %cast_5, %arg4 : (tensor<64x768xf16>, tensor<768x768xf16>) -> tensor<64x768xf32>
    %cast_6 = mirage_kernel.cast %matmul : tensor<64x768xf32> to tensor<64x768xf16>
    return %cast_6 : tensor<64x768xf16>
  }
}

