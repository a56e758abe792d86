// A highway layer: a gate chooses between the input and what is made of it.

module {
  func.func @highway(%arg0: tensor<64x512xf16>, %arg1: tensor<512x512xf16>, %arg2: tensor<512xf16>, %arg3: tensor<512x512xf16>, %arg4: tensor<512xf16>) -> tensor<64x512xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<512xf16> to tensor<1x512xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x512xf16> to tensor<1x512xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
    %sigmoid = mirage_kernel.sigmoid %add : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg3 : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf32>
    %reshape_1 = mirage_kernel.reshape %arg4 : tensor<512xf16> to tensor<1x512xf16>
    %cast_2 = mirage_kernel.cast %reshape_1 : tensor<1x512xf16> to tensor<1x512xf32>
    %add_3 = mirage_kernel.add %matmul_0, %cast_2 : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
    %relu = mirage_kernel.relu %add_3 : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %mul = mirage_kernel.mul %sigmoid, %relu : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
    %scale = mirage_kernel.scale %sigmoid by -1.000000e+00 : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %constant = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add_4 = mirage_kernel.add %scale, %constant : (tensor<64x512xf32>, tensor<1x1xf32>) -> tensor<64x512xf32>
    %cast_5 = mirage_kernel.cast %arg0 : tensor<64x512xf16> to tensor<64x512xf32>
    %mul_6 = mirage_kernel.mul %add_4, %cast_5 : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
    %add_7 = mirage_kernel.add %mul, %mul_6 : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
    %cast_8 = mirage_kernel.cast %add_7 : tensor<64x512xf32> to tensor<64x512xf16>
    return %cast_8 : tensor<64x512xf16>
  }
}

