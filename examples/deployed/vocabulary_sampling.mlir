// A temperature and a softmax over 128,256 words.

module {
  func.func @vocabulary_sampling(%arg0: tensor<256x128256xf16>) -> tensor<256x128256xf16> {
    %cast = mirage_kernel.cast %arg0 : tensor<256x128256xf16> to tensor<256x128256xf32>
    %scale = mirage_kernel.scale %cast by 1.4285714626312256 : (tensor<256x128256xf32>) -> tensor<256x128256xf32>
    %softmax = mirage_kernel.softmax %scale dim(1) : (tensor<256x128256xf32>) -> tensor<256x128256xf32>
    %cast_0 = mirage_kernel.cast %softmax : tensor<256x128256xf32> to tensor<256x128256xf16>
    return %cast_0 : tensor<256x128256xf16>
  }
}

