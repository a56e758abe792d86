// How far a student's words are from a teacher's: Kullback and Leibler.

module {
  func.func @vocabulary_distillation(%arg0: tensor<1024x32000xf16>, %arg1: tensor<1024x32000xf16>) -> tensor<1024x1xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<1024x32000xf16> to tensor<1024x32000xf32>
    %softmax = mirage_kernel.softmax %cast dim(1) : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %log_softmax = mirage_kernel.log_softmax %cast dim(1) : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %cast_0 = mirage_kernel.cast %arg1 : tensor<1024x32000xf16> to tensor<1024x32000xf32>
    %log_softmax_1 = mirage_kernel.log_softmax %cast_0 dim(1) : (tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %sub = mirage_kernel.sub %log_softmax, %log_softmax_1 : (tensor<1024x32000xf32>, tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %mul = mirage_kernel.mul %softmax, %sub : (tensor<1024x32000xf32>, tensor<1024x32000xf32>) -> tensor<1024x32000xf32>
    %reduce = mirage_kernel.reduce sum %mul dim(1) keep : (tensor<1024x32000xf32>) -> tensor<1024x1xf32>
    %cast_2 = mirage_kernel.cast %reduce : tensor<1024x1xf32> to tensor<1024x1xf16>
    return %cast_2 : tensor<1024x1xf16>
  }
}

