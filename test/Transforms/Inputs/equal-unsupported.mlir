func.func @a(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>)
    -> tensor<1x4x6x6xf32> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [0, 0, 0, 0]
      dilations [1, 1] groups(1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}
func.func @b(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>)
    -> tensor<1x4x6x6xf32> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [0, 0, 0, 0]
      dilations [1, 1] groups(1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}
