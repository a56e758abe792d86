// Layer norms of queries and keys of each head before attention, as ViT-22B.

module {
  func.func @normalized_queries_and_keys(%arg0: tensor<8x196x64xf16>, %arg1: tensor<8x196x64xf16>, %arg2: tensor<8x196x64xf16>, %arg3: tensor<64xf16>, %arg4: tensor<64xf16>) -> tensor<8x196x64xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<8x196x64xf16> to tensor<8x196x64xf32>
    %layer_norm = mirage_kernel.layer_norm %cast epsilon(1.000000e-05) : (tensor<8x196x64xf32>) -> tensor<8x196x64xf32>
    %reshape = mirage_kernel.reshape %arg3 : tensor<64xf16> to tensor<1x1x64xf16>
    %cast_0 = mirage_kernel.cast %reshape : tensor<1x1x64xf16> to tensor<1x1x64xf32>
    %mul = mirage_kernel.mul %layer_norm, %cast_0 : (tensor<8x196x64xf32>, tensor<1x1x64xf32>) -> tensor<8x196x64xf32>
    %cast_1 = mirage_kernel.cast %mul : tensor<8x196x64xf32> to tensor<8x196x64xf16>
    %cast_2 = mirage_kernel.cast %arg1 : tensor<8x196x64xf16> to tensor<8x196x64xf32>
    %layer_norm_3 = mirage_kernel.layer_norm %cast_2 epsilon(1.000000e-05) : (tensor<8x196x64xf32>) -> tensor<8x196x64xf32>
    %reshape_4 = mirage_kernel.reshape %arg4 : tensor<64xf16> to tensor<1x1x64xf16>
    %cast_5 = mirage_kernel.cast %reshape_4 : tensor<1x1x64xf16> to tensor<1x1x64xf32>
    %mul_6 = mirage_kernel.mul %layer_norm_3, %cast_5 : (tensor<8x196x64xf32>, tensor<1x1x64xf32>) -> tensor<8x196x64xf32>
    %cast_7 = mirage_kernel.cast %mul_6 : tensor<8x196x64xf32> to tensor<8x196x64xf16>
    %matmul = mirage_kernel.matmul %cast_1, %cast_7 transpose_rhs : (tensor<8x196x64xf16>, tensor<8x196x64xf16>) -> tensor<8x196x196xf32>
    %scale = mirage_kernel.scale %matmul by 1.250000e-01 : (tensor<8x196x196xf32>) -> tensor<8x196x196xf32>
    %softmax = mirage_kernel.softmax %scale dim(2) : (tensor<8x196x196xf32>) -> tensor<8x196x196xf32>
    %cast_8 = mirage_kernel.cast %softmax : tensor<8x196x196xf32> to tensor<8x196x196xf16>
    %matmul_9 = mirage_kernel.matmul %cast_8, %arg2 : (tensor<8x196x196xf16>, tensor<8x196x64xf16>) -> tensor<8x196x64xf32>
    %cast_10 = mirage_kernel.cast %matmul_9 : tensor<8x196x64xf32> to tensor<8x196x64xf16>
    return %cast_10 : tensor<8x196x64xf16>
  }
}

