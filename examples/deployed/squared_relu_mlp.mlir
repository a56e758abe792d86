// Nemotron's layer: rectified and squared between its products.

module {
  func.func @squared_relu_mlp(%arg0: tensor<16x1024xbf16>, %arg1: tensor<1024x4096xbf16>, %arg2: tensor<4096x1024xbf16>) -> tensor<16x1024xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<16x4096xf32>
    %relu = mirage_kernel.relu %matmul : (tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %square = mirage_kernel.square %relu : (tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %cast = mirage_kernel.cast %square : tensor<16x4096xf32> to tensor<16x4096xbf16>
    %matmul_0 = mirage_kernel.matmul %cast, %arg2 : (tensor<16x4096xbf16>, tensor<4096x1024xbf16>) -> tensor<16x1024xf32>
    %cast_1 = mirage_kernel.cast %matmul_0 : tensor<16x1024xf32> to tensor<16x1024xbf16>
    return %cast_1 : tensor<16x1024xbf16>
  }
}

