// Mixtral's router: a product and a softmax over eight experts.

module {
  func.func @softmax_gate(%arg0: tensor<64x4096xbf16>, %arg1: tensor<4096x8xbf16>) -> tensor<64x8xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<64x4096xbf16>, tensor<4096x8xbf16>) -> tensor<64x8xf32>
    %softmax = mirage_kernel.softmax %matmul dim(1) : (tensor<64x8xf32>) -> tensor<64x8xf32>
    %cast = mirage_kernel.cast %softmax : tensor<64x8xf32> to tensor<64x8xbf16>
    return %cast : tensor<64x8xbf16>
  }
}

