// One step of Mamba 2: states decay by exp(dt a), and take a column times a row.

module {
  func.func @state_space_step(%arg0: tensor<24x64x128xbf16>, %arg1: tensor<24x64x1xbf16>, %arg2: tensor<24x1x128xbf16>, %arg3: tensor<24x128x1xbf16>, %arg4: tensor<24x1x1xbf16>, %arg5: tensor<24x1x1xbf16>) -> (tensor<24x64x1xbf16>, tensor<24x64x128xbf16>) {
    %cast = mirage_kernel.cast %arg0 : tensor<24x64x128xbf16> to tensor<24x64x128xf32>
    %cast_0 = mirage_kernel.cast %arg4 : tensor<24x1x1xbf16> to tensor<24x1x1xf32>
    %cast_1 = mirage_kernel.cast %arg5 : tensor<24x1x1xbf16> to tensor<24x1x1xf32>
    %mul = mirage_kernel.mul %cast_0, %cast_1 : (tensor<24x1x1xf32>, tensor<24x1x1xf32>) -> tensor<24x1x1xf32>
    %exp = mirage_kernel.exp %mul : (tensor<24x1x1xf32>) -> tensor<24x1x1xf32>
    %mul_2 = mirage_kernel.mul %cast, %exp : (tensor<24x64x128xf32>, tensor<24x1x1xf32>) -> tensor<24x64x128xf32>
    %matmul = mirage_kernel.matmul %arg1, %arg2 : (tensor<24x64x1xbf16>, tensor<24x1x128xbf16>) -> tensor<24x64x128xf32>
    %mul_3 = mirage_kernel.mul %matmul, %cast_0 : (tensor<24x64x128xf32>, tensor<24x1x1xf32>) -> tensor<24x64x128xf32>
    %add = mirage_kernel.add %mul_2, %mul_3 : (tensor<24x64x128xf32>, tensor<24x64x128xf32>) -> tensor<24x64x128xf32>
    %cast_4 = mirage_kernel.cast %add : tensor<24x64x128xf32> to tensor<24x64x128xbf16>
    %matmul_5 = mirage_kernel.matmul %cast_4, %arg3 : (tensor<24x64x128xbf16>, tensor<24x128x1xbf16>) -> tensor<24x64x1xf32>
    %cast_6 = mirage_kernel.cast %matmul_5 : tensor<24x64x1xf32> to tensor<24x64x1xbf16>
    %cast_7 = mirage_kernel.cast %add : tensor<24x64x128xf32> to tensor<24x64x128xbf16>
    return %cast_6, %cast_7 : tensor<24x64x1xbf16>, tensor<24x64x128xbf16>
  }
}

