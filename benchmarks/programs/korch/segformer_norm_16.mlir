// A residual and a norm of each pixel's channels, as at the end of a stage of SegFormer: bound by
// memory, and possibly one kernel, as what Korch's Figure 11 shows with batch 1 and 16.

func.func @segformer_norm_16(%x: tensor<16x16384x32xf16>, %residual: tensor<16x16384x32xf16>,
                           %w: tensor<32xf16>, %b: tensor<32xf16>) -> tensor<16x16384x32xf16> {
  %0 = mirage_kernel.add %x, %residual : (tensor<16x16384x32xf16>, tensor<16x16384x32xf16>) -> tensor<16x16384x32xf16>
  %1 = mirage_kernel.layer_norm %0 weight %w bias %b epsilon(1.0e-05) : (tensor<16x16384x32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<16x16384x32xf16>
  return %1 : tensor<16x16384x32xf16>
}
