// SegFormer's attention with its softmax (Korch, Figures 2 and 4): 16,384 pixels, and keys and
// values of 256.

func.func @segformer_attention(%query: tensor<1x16384x32xf16>, %key: tensor<1x256x32xf16>,
                               %value: tensor<1x256x32xf16>) -> tensor<1x16384x32xf16> {
  %0 = mirage_kernel.matmul %query, %key transpose_rhs : (tensor<1x16384x32xf16>, tensor<1x256x32xf16>) -> tensor<1x16384x256xf32>
  %1 = mirage_kernel.scale %0 by 0.17677669529663687 : (tensor<1x16384x256xf32>) -> tensor<1x16384x256xf32>
  %2 = mirage_kernel.softmax %1 dim(2) : (tensor<1x16384x256xf32>) -> tensor<1x16384x256xf32>
  %3 = mirage_kernel.cast %2 : tensor<1x16384x256xf32> to tensor<1x16384x256xf16>
  %4 = mirage_kernel.matmul %3, %value : (tensor<1x16384x256xf16>, tensor<1x256x32xf16>) -> tensor<1x16384x32xf16>
  return %4 : tensor<1x16384x32xf16>
}
