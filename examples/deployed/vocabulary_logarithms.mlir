// A head of 32,000 words and the logarithms of its softmax.

module {
  func.func @vocabulary_logarithms(%arg0: tensor<256x4096xbf16>, %arg1: tensor<4096x32000xbf16>) -> tensor<256x32000xbf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<256x4096xbf16>, tensor<4096x32000xbf16>) -> tensor<256x32000xf32>
    %log_softmax = mirage_kernel.log_softmax %matmul dim(1) : (tensor<256x32000xf32>) -> tensor<256x32000xf32>
    %cast = mirage_kernel.cast %log_softmax : tensor<256x32000xf32> to tensor<256x32000xbf16>
    return %cast : tensor<256x32000xbf16>
  }
}

