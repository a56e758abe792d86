// The entropy of the next word, as exploration in training rewards it.

module {
  func.func @vocabulary_entropy(%arg0: tensor<1024x32000xf16>) -> tensor<1024x1xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1024x32000xf16> to tensor<1024x32000xf32>
    %softmax = mirage_kernel.softmax %cast dim(1) : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %log_softmax = mirage_kernel.log_softmax %cast dim(1) : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %mul = mirage_kernel.mul %softmax, %log_softmax : (tensor<1024x32000xf32>, tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<1024x32000xf32>) -> tensor<1024x1xf32>
    %scale = mirage_kernel.scale %reduce by -1.000000e+00 : (tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %cast_0 = mirage_kernel.cast %scale : tensor<1024x1xf32> to tensor<1024x1xf16>
    return %cast_0 : tensor<1024x1xf16>
  }
}

