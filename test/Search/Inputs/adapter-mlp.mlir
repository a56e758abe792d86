func.func @adapter_mlp(%x: tensor<64x16384xf16>, %w1: tensor<16384x16xf16>,
                       %w2: tensor<16x16384xf16>) -> tensor<64x16384xf16> {
  %a = mirage_kernel.matmul %x, %w1
      : (tensor<64x16384xf16>, tensor<16384x16xf16>) -> tensor<64x16xf32>
  %r = mirage_kernel.relu %a : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %h = mirage_kernel.cast %r : tensor<64x16xf32> to tensor<64x16xf16>
  %b = mirage_kernel.matmul %h, %w2
      : (tensor<64x16xf16>, tensor<16x16384xf16>) -> tensor<64x16384xf32>
  %f = mirage_kernel.cast %x : tensor<64x16384xf16> to tensor<64x16384xf32>
  %s = mirage_kernel.add %b, %f
      : (tensor<64x16384xf32>, tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %o = mirage_kernel.cast %s : tensor<64x16384xf32> to tensor<64x16384xf16>
  return %o : tensor<64x16384xf16>
}
