// A gated layer whose gate is rectified, with biases.

module {
  func.func @reglu(%arg0: tensor<32x512xf16>, %arg1: tensor<512x1365xf16>, %arg2: tensor<1365xf16>, %arg3: tensor<512x1365xf16>, %arg4: tensor<1365xf16>) -> tensor<32x1365xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<32x512xf16>, tensor<512x1365xf16>) -> tensor<32x1365xf32>
    %reshape = mirage_kernel.reshape %arg2 : tensor<1365xf16> to tensor<1x1365xf16>
    %cast = mirage_kernel.cast %reshape : tensor<1x1365xf16> to tensor<1x1365xf32>
    %add = mirage_kernel.add %matmul, %cast : (tensor<32x1365xf32>, tensor<1x1365xf32>) -> tensor<32x1365xf32>
    %relu = mirage_kernel.relu %add : (tensor<32x1365xf32>) -> tensor<32x1365xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg3 : (tensor<32x512xf16>, tensor<512x1365xf16>) -> tensor<32x1365xf32>
    %reshape_1 = mirage_kernel.reshape %arg4 : tensor<1365xf16> to tensor<1x1365xf16>
    %cast_2 = mirage_kernel.cast %reshape_1 : tensor<1x1365xf16> to tensor<1x1365xf32>
    %add_3 = mirage_kernel.add %matmul_0, %cast_2 : (tensor<32x1365xf32>, tensor<1x1365xf32>) -> tensor<32x1365xf32>
    %mul = mirage_kernel.mul %relu, %add_3 : (tensor<32x1365xf32>, tensor<32x1365xf32>) -> tensor<32x1365xf32>
    %cast_4 = mirage_kernel.cast %mul : tensor<32x1365xf32> to tensor<32x1365xf16>
    return %cast_4 : tensor<32x1365xf16>
  }
}

