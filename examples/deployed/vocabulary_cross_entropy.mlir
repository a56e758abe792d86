// Cross entropy of LLaMA 3's vocabulary; a row is larger than shared memory.

module {
  func.func @vocabulary_cross_entropy(%arg0: tensor<1024x128256xbf16>, %arg1: tensor<1024x128256xbf16>) -> tensor<1024x1xbf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1024x128256xbf16> to tensor<1024x128256xf32>
    %log_softmax = mirage_kernel.log_softmax %cast dim(1) : (tensor<1024x128256xf32>) -> tensor<1024x128256xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1024x128256xbf16> to tensor<1024x128256xf32>
    %mul = mirage_kernel.mul %log_softmax, %cast_0 : (tensor<1024x128256xf32>, tensor<1024x128256xf32>) -> tensor<1024x128256xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<1024x128256xf32>) -> tensor<1024x1xf32>
    %scale = mirage_kernel.scale %reduce by -1.000000e+00 : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %cast_1 = mirage_kernel.cast %scale : tensor<1024x1xf32> to tensor<1024x1xbf16>
    return %cast_1 : tensor<1024x1xbf16>
  }
}

