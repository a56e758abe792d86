// Four experts, all computed, weighted by their gate and added.

module {
  func.func @dense_experts(%arg0: tensor<1x16x512xf16>, %arg1: tensor<4x16x1xf16>, %arg2: tensor<4x512x1024xf16>, %arg3: tensor<4x1024x512xf16>) -> tensor<16x512xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg2 : (tensor<1x16x512xf16>, tensor<4x512x1024xf16>) -> tensor<4x16x1024xf32>
    %silu = mirage_kernel.silu %matmul : (tensor<4x16x1024xf32>) -> tensor<4x16x1024xf32>
    %cast = mirage_kernel.cast %silu : tensor<4x16x1024xf32> to tensor<4x16x1024xf16>
    %matmul_0 = mirage_kernel.matmul %cast, %arg3 : (tensor<4x16x1024xf16>, tensor<4x1024x512xf16>) -> tensor<4x16x512xf32>
    %cast_1 = mirage_kernel.cast %arg1 : tensor<4x16x1xf16> to tensor<4x16x1xf32>
    %mul = mirage_kernel.mul %matmul_0, %cast_1 : (tensor<4x16x512xf32>, tensor<4x16x1xf32>) -> tensor<4x16x512xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(0) : (tensor<4x16x512xf32>) -> tensor<16x512xf32>
    %cast_2 = mirage_kernel.cast %reduce : tensor<16x512xf32> to tensor<16x512xf16>
    return %cast_2 : tensor<16x512xf16>
  }
}

