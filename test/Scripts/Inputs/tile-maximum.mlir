// A product of rows divided by their maxima, scaled back. One candidate takes the
// maximum of each tile, which is zero where a tile is, and one does not divide by
// anything, so that the product's operand overflows.
func.func @original(%x: tensor<8x512xf16>, %w: tensor<512x16xf16>) -> tensor<8x16xf16> {
  %0 = mirage_kernel.cast %x : tensor<8x512xf16> to tensor<8x512xf32>
  %1 = mirage_kernel.abs %0 : (tensor<8x512xf32>) -> tensor<8x512xf32>
  %2 = mirage_kernel.reduce max %1 dim(1) keep : (tensor<8x512xf32>) -> tensor<8x1xf32>
  %3 = mirage_kernel.div %0, %2 : (tensor<8x512xf32>, tensor<8x1xf32>) -> tensor<8x512xf32>
  %4 = mirage_kernel.cast %3 : tensor<8x512xf32> to tensor<8x512xf16>
  %5 = mirage_kernel.matmul %4, %w : (tensor<8x512xf16>, tensor<512x16xf16>) -> tensor<8x16xf32>
  %6 = mirage_kernel.mul %5, %2 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %7 = mirage_kernel.cast %6 : tensor<8x16xf32> to tensor<8x16xf16>
  return %7 : tensor<8x16xf16>
}

func.func @rows(%x: tensor<8x512xf16>, %w: tensor<512x16xf16>) -> tensor<8x16xf16>
    attributes {mirage.equivalent_to = @original} {
  %0 = mirage_kernel.launch grid(x = 8) (%xa = %x : tensor<8x512xf16>, %wa = %w : tensor<512x16xf16>) -> tensor<8x16xf16> {
    %1 = mirage_block.load %xa imap(x -> 0) : tensor<8x512xf16> to tensor<1x512xf16>
    %2 = mirage_block.load %wa imap(x -> phi) : tensor<512x16xf16> to tensor<512x16xf16>
    %3 = mirage_block.cast %1 : tensor<1x512xf16> to tensor<1x512xf32>
    %4 = mirage_block.abs %3 : (tensor<1x512xf32>) -> tensor<1x512xf32>
    %5 = mirage_block.reduce max %4 dim(1) keep : (tensor<1x512xf32>) -> tensor<1x1xf32>
    %6 = mirage_block.div %3, %5 : (tensor<1x512xf32>, tensor<1x1xf32>) -> tensor<1x512xf32>
    %7 = mirage_block.cast %6 : tensor<1x512xf32> to tensor<1x512xf16>
    %8 = mirage_block.matmul %7, %2 : (tensor<1x512xf16>, tensor<512x16xf16>) -> tensor<1x16xf32>
    %9 = mirage_block.mul %8, %5 : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
    %10 = mirage_block.cast %9 : tensor<1x16xf32> to tensor<1x16xf16>
    %11 = mirage_block.store %10 omap(x -> 0) : tensor<1x16xf16> to tensor<8x16xf16>
    mirage_block.yield %11 : tensor<8x16xf16>
  }
  return %0 : tensor<8x16xf16>
}

func.func @tiles(%x: tensor<8x512xf16>, %w: tensor<512x16xf16>) -> tensor<8x16xf16>
    attributes {mirage.equivalent_to = @original} {
  %0 = mirage_kernel.launch grid(x = 8) (%xa = %x : tensor<8x512xf16>, %wa = %w : tensor<512x16xf16>) -> tensor<8x16xf16> {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<1x16xf32> {
      %1 = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) : tensor<8x512xf16> to tensor<1x128xf16>
      %2 = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<512x16xf16> to tensor<128x16xf16>
      %3 = mirage_block.cast %1 : tensor<1x128xf16> to tensor<1x128xf32>
      %4 = mirage_block.abs %3 : (tensor<1x128xf32>) -> tensor<1x128xf32>
      %5 = mirage_block.reduce max %4 dim(1) keep : (tensor<1x128xf32>) -> tensor<1x1xf32>
      %6 = mirage_block.div %3, %5 : (tensor<1x128xf32>, tensor<1x1xf32>) -> tensor<1x128xf32>
      %7 = mirage_block.cast %6 : tensor<1x128xf32> to tensor<1x128xf16>
      %8 = mirage_block.matmul %7, %2 : (tensor<1x128xf16>, tensor<128x16xf16>) -> tensor<1x16xf32>
      %9 = mirage_block.mul %8, %5 : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
      %a = mirage_block.accumulate sum %9 : (tensor<1x16xf32>) -> tensor<1x16xf32>
      mirage_block.yield %a : tensor<1x16xf32>
    }
    %10 = mirage_block.cast %sum : tensor<1x16xf32> to tensor<1x16xf16>
    %11 = mirage_block.store %10 omap(x -> 0) : tensor<1x16xf16> to tensor<8x16xf16>
    mirage_block.yield %11 : tensor<8x16xf16>
  }
  return %0 : tensor<8x16xf16>
}

func.func @unscaled(%x: tensor<8x512xf16>, %w: tensor<512x16xf16>) -> tensor<8x16xf16>
    attributes {mirage.equivalent_to = @original} {
  %0 = mirage_kernel.cast %x : tensor<8x512xf16> to tensor<8x512xf32>
  %1 = mirage_kernel.scale %0 by 128.0 : (tensor<8x512xf32>) -> tensor<8x512xf32>
  %2 = mirage_kernel.cast %1 : tensor<8x512xf32> to tensor<8x512xf16>
  %3 = mirage_kernel.matmul %2, %w : (tensor<8x512xf16>, tensor<512x16xf16>) -> tensor<8x16xf32>
  %4 = mirage_kernel.scale %3 by 0.0078125 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = mirage_kernel.cast %4 : tensor<8x16xf32> to tensor<8x16xf16>
  return %5 : tensor<8x16xf16>
}
