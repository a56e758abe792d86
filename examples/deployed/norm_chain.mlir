// Two residuals and two norms, one behind the other.

module {
  func.func @norm_chain(%arg0: tensor<32x2048xf16>, %arg1: tensor<32x2048xf16>, %arg2: tensor<32x2048xf16>) -> tensor<32x2048xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<32x2048xf16> to tensor<32x2048xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<32x2048xf16> to tensor<32x2048xf32>
    %add = mirage_kernel.add %cast, %cast_0 : (tensor<32x2048xf32>, tensor<32x2048xf32>) -> tensor<32x2048xf32>
    %rms_norm = mirage_kernel.rms_norm %add epsilon(9.9999999999999995E-7) : (tensor<32x2048xf32>) -> tensor<32x2048xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<32x2048xf16> to tensor<32x2048xf32>
    %add_2 = mirage_kernel.add %rms_norm, %cast_1 : (tensor<32x2048xf32>, tensor<32x2048xf32>) -> tensor<32x2048xf32>
    %rms_norm_3 = mirage_kernel.rms_norm %add_2 epsilon(9.9999999999999995E-7) : (tensor<32x2048xf32>) -> tensor<32x2048xf32>
    %cast_4 = mirage_kernel.cast %rms_norm_3 : tensor<32x2048xf32> to tensor<32x2048xf16>
    return %cast_4 : tensor<32x2048xf16>
  }
}

