// EfficientNet: channels scaled by what two products make of their means.

module {
  func.func @squeeze_and_excite(%arg0: tensor<4x144x784xf16>, %arg1: tensor<144x6xf16>, %arg2: tensor<6xf16>, %arg3: tensor<6x144xf16>, %arg4: tensor<144xf16>) -> tensor<4x144x784xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<4x144x784xf16> to tensor<4x144x784xf32>
    %reduce = mirage_kernel.reduce mean %cast dim(2) : (tensor<4x144x784xf32>) -> tensor<4x144xf32>
    %cast_0 = mirage_kernel.cast %reduce : tensor<4x144xf32> to tensor<4x144xf16>
    %matmul = mirage_kernel.matmul %cast_0, %arg1 : (tensor<4x144xf16>, tensor<144x6xf16>) -> tensor<4x6xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<6xf16> to tensor<1x6xf16>
    %cast_1 = mirage_kernel.cast %reshape : tensor<1x6xf16> to tensor<1x6xf32>
    %add = mirage_kernel.add %matmul, %cast_1 : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
    %silu = mirage_kernel.silu %add : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %cast_2 = mirage_kernel.cast %silu : tensor<4x6xf32> to tensor<4x6xf16>
    %matmul_3 = mirage_kernel.matmul %cast_2, %arg3 : (tensor<4x6xf16>, tensor<6x144xf16>) -> tensor<4x144xf32>
    %reshape_4 = mirage_kernel.reshape %arg4 : tensor<144xf16> to tensor<1x144xf16>
    %cast_5 = mirage_kernel.cast %reshape_4 : tensor<1x144xf16> to tensor<1x144xf32>
    %add_6 = mirage_kernel.add %matmul_3, %cast_5 : (tensor<4x144xf32>, tensor<1x144xf32>) -> tensor<4x144xf32>
    %sigmoid = mirage_kernel.sigmoid %add_6 : (tensor<4x144xf32>) -> tensor<4x144xf32>
    %reshape_7 = mirage_kernel.reshape %sigmoid : tensor<4x144xf32> to tensor<4x144x1xf32>
    %mul = mirage_kernel.mul %cast, %reshape_7 : (tensor<4x144x784xf32>, tensor<4x144x1xf32>) -> tensor<4x144x784xf32>
    %cast_8 = mirage_kernel.cast %mul : tensor<4x144x784xf32> to tensor<4x144x784xf16>
    return %cast_8 : tensor<4x144x784xf16>
  }
}

