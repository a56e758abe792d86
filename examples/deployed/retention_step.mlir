// Retention as a recurrence: the state decays, a column times a row is added.

module {
  func.func @retention_step(%arg0: tensor<8x1x128xf32>, %arg1: tensor<8x1x128xf32>, %arg2: tensor<8x1x256xf32>, %arg3: tensor<8x128x256xf32>, %arg4: tensor<8x1x1xf32>) -> (tensor<8x1x256xf32>, tensor<8x128x256xf32>) {
    %mul = mirage_kernel.mul %arg3, %arg4 : (tensor<8x128x256xf32>, tensor<8x1x1xf32>) -> tensor<8x128x256xf32>
    %matmul = mirage_kernel.matmul %arg1, %arg2 transpose_lhs : (tensor<8x1x128xf32>, tensor<8x1x256xf32>) -> tensor<8x128x256xf32>
    %add = mirage_kernel.add %mul, %matmul : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %add : (tensor<8x1x128xf32>, tensor<8x128x256xf32>) -> tensor<8x1x256xf32>
    return %matmul_0, %add : tensor<8x1x256xf32>, tensor<8x128x256xf32>
  }
}

