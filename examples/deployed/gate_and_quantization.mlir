// A gated layer's elementwise part, rounded by a given factor.

module {
  func.func @gate_and_quantization(%arg0: tensor<64x2816xbf16>, %arg1: tensor<64x2816xbf16>, %arg2: tensor<1x1xbf16>) -> tensor<64x2816xf8E4M3FN> {
    %cast = mirage_kernel.cast %arg0 : tensor<64x2816xbf16> to tensor<64x2816xf32>
    %silu = mirage_kernel.silu %cast : (tensor<64x2816xf32>) -> tensor<64x2816xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<64x2816xbf16> to tensor<64x2816xf32>
    %mul = mirage_kernel.mul %silu, %cast_0 : (tensor<64x2816xf32>, tensor<64x2816xf32>) -> tensor<64x2816xf32>
    %cast_1 = mirage_kernel.cast %arg2 : tensor<1x1xbf16> to tensor<1x1xf32>
    %div = mirage_kernel.div %mul, %cast_1 : (tensor<64x2816xf32>, tensor<1x1xf32>) -> tensor<64x2816xf32>
    %cast_2 = mirage_kernel.cast %div : tensor<64x2816xf32> to tensor<64x2816xf8E4M3FN>
    return %cast_2 : tensor<64x2816xf8E4M3FN>
  }
}

