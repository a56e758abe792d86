// Linear attention with the features elu(x) + 1.

module {
  func.func @linear_attention_elu(%arg0: tensor<8x256x64xf16>, %arg1: tensor<8x256x64xf16>, %arg2: tensor<8x256x64xf16>) -> tensor<8x256x64xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<8x256x64xf16> to tensor<8x256x64xf32>
    %constant = mirage_kernel.constant dense<0.000000e+00> : tensor<1x1x1xf32>
    %compare = mirage_kernel.compare gt %cast, %constant : (tensor<8x256x64xf32>, tensor<1x1x1xf32>) -> tensor<8x256x64xf32>
    %constant_0 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1x1xf32>
    %add = mirage_kernel.add %cast, %constant_0 : (tensor<8x256x64xf32>, tensor<1x1x1xf32>) -> tensor<8x256x64xf32>
    %exp = mirage_kernel.exp %cast : (tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %select = mirage_kernel.select %compare, %add, %exp : (tensor<8x256x64xf32>, tensor<8x256x64xf32>, tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %cast_1 = mirage_kernel.cast %select : tensor<8x256x64xf32> to tensor<8x256x64xf16>
    %cast_2 = mirage_kernel.cast %arg1 : tensor<8x256x64xf16> to tensor<8x256x64xf32>
    %constant_3 = mirage_kernel.constant dense<0.000000e+00> : tensor<1x1x1xf32>
    %compare_4 = mirage_kernel.compare gt %cast_2, %constant_3 : (tensor<8x256x64xf32>, tensor<1x1x1xf32>) -> tensor<8x256x64xf32>
    %constant_5 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1x1xf32>
    %add_6 = mirage_kernel.add %cast_2, %constant_5 : (tensor<8x256x64xf32>, tensor<1x1x1xf32>) -> tensor<8x256x64xf32>
    %exp_7 = mirage_kernel.exp %cast_2 : (tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %select_8 = mirage_kernel.select %compare_4, %add_6, %exp_7 : (tensor<8x256x64xf32>, tensor<8x256x64xf32>, tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %transpose = mirage_kernel.transpose %select_8 [0, 2, 1] : (tensor<8x256x64xf32>) -> tensor<8x64x256xf32>
    %cast_9 = mirage_kernel.cast %transpose : tensor<8x64x256xf32> to tensor<8x64x256xf16>
    %matmul = mirage_kernel.matmul %cast_9, %arg2 : (tensor<8x64x256xf16>, tensor<8x256x64xf16>) -> tensor<8x64x64xf32>
    %cast_10 = mirage_kernel.cast %matmul : tensor<8x64x64xf32> to tensor<8x64x64xf16>
    %matmul_11 = mirage_kernel.matmul %cast_1, %cast_10 : (tensor<8x256x64xf16>, tensor<8x64x64xf16>) -> tensor<8x256x64xf32>
    %reduce = mirage_kernel.reduce sum %select_8 dim(1) keep : (tensor<8x256x64xf32>) -> tensor<8x1x64xf32>
    %mul = mirage_kernel.mul %select, %reduce : (tensor<8x256x64xf32>, tensor<8x1x64xf32>) -> tensor<8x256x64xf32>
    %reduce_12 = mirage_kernel.reduce sum %mul dim(2) keep : (tensor<8x256x64xf32>) -> tensor<8x256x1xf32>
    %constant_13 = mirage_kernel.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
    %add_14 = mirage_kernel.add %reduce_12, %constant_13 : (tensor<8x256x1xf32>, tensor<1x1x1xf32>) -> tensor<8x256x1xf32>
    %div = mirage_kernel.div %matmul_11, %add_14 : (tensor<8x256x64xf32>, tensor<8x256x1xf32>) -> tensor<8x256x64xf32>
    %cast_15 = mirage_kernel.cast %div : tensor<8x256x64xf32> to tensor<8x256x64xf16>
    return %cast_15 : tensor<8x256x64xf16>
  }
}

