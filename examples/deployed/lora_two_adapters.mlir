// A product and two adapters of different rank.

module {
  func.func @lora_two_adapters(%arg0: tensor<16x1024xf16>, %arg1: tensor<1024x16xf16>, %arg2: tensor<16x1024xf16>, %arg3: tensor<1024x64xf16>, %arg4: tensor<64x1024xf16>, %arg5: tensor<1024x1024xf16>) -> tensor<16x1024xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg5 : (tensor<16x1024xf16>, tensor<1024x1024xf16>) -> tensor<16x1024xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xf16>, tensor<1024x16xf16>) -> tensor<16x16xf32>
    %cast = mirage_kernel.cast %matmul_0 : tensor<16x16xf32> to tensor<16x16xf16>
    %matmul_1 = mirage_kernel.matmul %cast, %arg2 : (tensor<16x16xf16>, tensor<16x1024xf16>) -> tensor<16x1024xf32>
    %add = mirage_kernel.add %matmul, %matmul_1 : (tensor<16x1024xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %matmul_2 = mirage_kernel.matmul %arg0, %arg3 : (tensor<16x1024xf16>, tensor<1024x64xf16>) -> tensor<16x64xf32>
    %cast_3 = mirage_kernel.cast %matmul_2 : tensor<16x64xf32> to tensor<16x64xf16>
    %matmul_4 = mirage_kernel.matmul %cast_3, %arg4 : (tensor<16x64xf16>, tensor<64x1024xf16>) -> tensor<16x1024xf32>
    %scale = mirage_kernel.scale %matmul_4 by 5.000000e-01 : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %add_5 = mirage_kernel.add %add, %scale : (tensor<16x1024xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %cast_6 = mirage_kernel.cast %add_5 : tensor<16x1024xf32> to tensor<16x1024xf16>
    return %cast_6 : tensor<16x1024xf16>
  }
}

