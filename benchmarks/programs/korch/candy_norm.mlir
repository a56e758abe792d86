// Candy's norm of each channel of an image, rectifier and reflection (Korch, Figure 12).

func.func @candy_norm(%x: tensor<1x128x56x56xf16>, %w: tensor<1x128x1x1xf16>,
                      %b: tensor<1x128x1x1xf16>) -> tensor<1x128x58x58xf16> {
  %f = mirage_kernel.cast %x : tensor<1x128x56x56xf16> to tensor<1x128x56x56xf32>
  %rows = mirage_kernel.reshape %f : tensor<1x128x56x56xf32> to tensor<128x3136xf32>
  %n = mirage_kernel.layer_norm %rows epsilon(1.0e-05) : (tensor<128x3136xf32>) -> tensor<128x3136xf32>
  %image = mirage_kernel.reshape %n : tensor<128x3136xf32> to tensor<1x128x56x56xf32>
  %wf = mirage_kernel.cast %w : tensor<1x128x1x1xf16> to tensor<1x128x1x1xf32>
  %bf = mirage_kernel.cast %b : tensor<1x128x1x1xf16> to tensor<1x128x1x1xf32>
  %m = mirage_kernel.mul %image, %wf : (tensor<1x128x56x56xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x56x56xf32>
  %s = mirage_kernel.add %m, %bf : (tensor<1x128x56x56xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x56x56xf32>
  %r = mirage_kernel.relu %s : (tensor<1x128x56x56xf32>) -> tensor<1x128x56x56xf32>
  %h = mirage_kernel.cast %r : tensor<1x128x56x56xf32> to tensor<1x128x56x56xf16>
  %top = mirage_kernel.slice %h[0, 0, 1, 0] [1, 128, 1, 56] [1, 1, 1, 1] : (tensor<1x128x56x56xf16>) -> tensor<1x128x1x56xf16>
  %bottom = mirage_kernel.slice %h[0, 0, 54, 0] [1, 128, 1, 56] [1, 1, 1, 1] : (tensor<1x128x56x56xf16>) -> tensor<1x128x1x56xf16>
  %tall = mirage_kernel.concat dim(2) %top, %h, %bottom : (tensor<1x128x1x56xf16>, tensor<1x128x56x56xf16>, tensor<1x128x1x56xf16>) -> tensor<1x128x58x56xf16>
  %left = mirage_kernel.slice %tall[0, 0, 0, 1] [1, 128, 58, 1] [1, 1, 1, 1] : (tensor<1x128x58x56xf16>) -> tensor<1x128x58x1xf16>
  %right = mirage_kernel.slice %tall[0, 0, 0, 54] [1, 128, 58, 1] [1, 1, 1, 1] : (tensor<1x128x58x56xf16>) -> tensor<1x128x58x1xf16>
  %wide = mirage_kernel.concat dim(3) %left, %tall, %right : (tensor<1x128x58x1xf16>, tensor<1x128x58x56xf16>, tensor<1x128x58x1xf16>) -> tensor<1x128x58x58xf16>
  return %wide : tensor<1x128x58x58xf16>
}
