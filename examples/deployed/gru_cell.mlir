// A step of a gated recurrent unit.

module {
  func.func @gru_cell(%arg0: tensor<16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<256x256xf32>, %arg3: tensor<256x256xf32>, %arg4: tensor<256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256x256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256x256xf32>, %arg9: tensor<256x256xf32>, %arg10: tensor<256xf32>) -> tensor<16x256xf32> {
    %matmul = mirage_kernel.matmul %arg0, %arg8 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg5 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %matmul_1 = mirage_kernel.matmul %arg1, %arg6 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %add = mirage_kernel.add %matmul_0, %matmul_1 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %reshape = mirage_kernel.reshape %arg7 : tensor<256xf32> to tensor<1x256xf32>
    %add_2 = mirage_kernel.add %add, %reshape : (tensor<16x256xf32>, tensor<1x256xf32>) -> tensor<16x256xf32>
    %sigmoid = mirage_kernel.sigmoid %add_2 : (tensor<16x256xf32>) -> tensor<16x256xf32>
    %mul = mirage_kernel.mul %sigmoid, %arg1 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %matmul_3 = mirage_kernel.matmul %mul, %arg9 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %add_4 = mirage_kernel.add %matmul, %matmul_3 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %reshape_5 = mirage_kernel.reshape %arg10 : tensor<256xf32> to tensor<1x256xf32>
    %add_6 = mirage_kernel.add %add_4, %reshape_5 : (tensor<16x256xf32>, tensor<1x256xf32>) -> tensor<16x256xf32>
    %tanh = mirage_kernel.tanh %add_6 : (tensor<16x256xf32>) -> tensor<16x256xf32>
    %matmul_7 = mirage_kernel.matmul %arg0, %arg2 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %matmul_8 = mirage_kernel.matmul %arg1, %arg3 : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %add_9 = mirage_kernel.add %matmul_7, %matmul_8 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %reshape_10 = mirage_kernel.reshape %arg4 : tensor<256xf32> to tensor<1x256xf32>
    %add_11 = mirage_kernel.add %add_9, %reshape_10 : (tensor<16x256xf32>, tensor<1x256xf32>) -> tensor<16x256xf32>
    %sigmoid_12 = mirage_kernel.sigmoid %add_11 : (tensor<16x256xf32>) -> tensor<16x256xf32>
    %sub = mirage_kernel.sub %arg1, %tanh : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %mul_13 = mirage_kernel.mul %sigmoid_12, %sub : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %add_14 = mirage_kernel.add %tanh, %mul_13 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    return %add_14 : tensor<16x256xf32>
  }
}

