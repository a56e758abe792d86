// Qwen's shared expert: a gated layer, scaled by a sigmoid of its own.

module {
  func.func @shared_expert(%arg0: tensor<16x1024xbf16>, %arg1: tensor<1024x1408xbf16>, %arg2: tensor<1024x1408xbf16>, %arg3: tensor<1024x1xbf16>, %arg4: tensor<1408x1024xbf16>) -> tensor<16x1024xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg3 : (tensor<16x1024xbf16>, tensor<1024x1xbf16>) -> tensor<16x1xf32>
    %sigmoid = mirage_kernel.sigmoid %matmul : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg1 : (tensor<16x1024xbf16>, tensor<1024x1408xbf16>) -> tensor<16x1408xf32>
    %silu = mirage_kernel.silu %matmul_0 : (tensor<16x1408xf32>) -> tensor<16x1408xf32>
    %matmul_1 = mirage_kernel.matmul %arg0, %arg2 : (tensor<16x1024xbf16>, tensor<1024x1408xbf16>) -> tensor<16x1408xf32>
    %mul = mirage_kernel.mul %silu, %matmul_1 : (tensor<16x1408xf32>, tensor<16x1408xf32>) -> tensor<16x1408xf32>
    %cast = mirage_kernel.cast %mul : tensor<16x1408xf32> to tensor<16x1408xbf16>
    %matmul_2 = mirage_kernel.matmul %cast, %arg4 : (tensor<16x1408xbf16>, tensor<1408x1024xbf16>) -> tensor<16x1024xf32>
    %mul_3 = mirage_kernel.mul %sigmoid, %matmul_2 : (tensor<16x1xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %cast_4 = mirage_kernel.cast %mul_3 : tensor<16x1024xf32> to tensor<16x1024xbf16>
    return %cast_4 : tensor<16x1024xbf16>
  }
}

