// Attention of 61 tokens with heads of 37, in f32.

module {
  func.func @odd_attention(%arg0: tensor<7x61x37xf32>, %arg1: tensor<7x61x37xf32>, %arg2: tensor<7x61x37xf32>) -> tensor<7x61x37xf32> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 transpose_rhs : (tensor<7x61x37xf32>, tensor<7x61x37xf32>) -> tensor<7x61x61xf32>
    %scale = mirage_kernel.scale %matmul by 0.16439898312091827 : (tensor<7x61x61xf32>) -> tensor<7x61x61xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<7x61x61xf32>) -> tensor<7x61x61xf32>
    %matmul_0 = mirage_kernel.matmul %softmax, %arg2 : (tensor<7x61x61xf32>, tensor<7x61x37xf32>) -> tensor<7x61x37xf32>
    return %matmul_0 : tensor<7x61x37xf32>
  }
}

