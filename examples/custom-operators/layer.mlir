// A norm and a gate that Mirage has no operator for, each before a product.
// @norm_linear_plain and @gated_plain say the same in Mirage's own operators.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @norm_linear(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>)
    -> tensor<16x128xf16> {
  %n = example.scaled_norm %x scale(0.5) epsilon(1.0e-5)
      : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %n, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

func.func @norm_linear_plain(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>)
    -> tensor<16x128xf16> {
  %n = mirage_kernel.layer_norm %x epsilon(1.0e-5)
      : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %s = mirage_kernel.scale %n by 0.5 : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %s, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

func.func @gated(%x: tensor<16x256xf16>, %up: tensor<16x256xf16>,
                 %w: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %g = example.swiglu %x, %up
      : (tensor<16x256xf16>, tensor<16x256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %g, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

func.func @gated_plain(%x: tensor<16x256xf16>, %up: tensor<16x256xf16>,
                       %w: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %s = mirage_kernel.sigmoid %x : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %a = mirage_kernel.mul %up, %s
      : (tensor<16x256xf16>, tensor<16x256xf16>) -> tensor<16x256xf16>
  %g = mirage_kernel.mul %x, %a
      : (tensor<16x256xf16>, tensor<16x256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %g, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

// The gate and what it gates exchanged: not the same.
func.func @gated_wrong(%x: tensor<16x256xf16>, %up: tensor<16x256xf16>,
                       %w: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %g = example.swiglu %up, %x
      : (tensor<16x256xf16>, tensor<16x256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %g, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

// Of the two results of one operator.
func.func @spread(%x: tensor<16x256xf32>) -> tensor<16x1xf32> {
  %mean, %variance = example.moments %x
      : (tensor<16x256xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>)
  %y = mirage_kernel.div %variance, %mean
      : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
  return %y : tensor<16x1xf32>
}

func.func @spread_plain(%x: tensor<16x256xf32>) -> tensor<16x1xf32> {
  %mean = mirage_kernel.reduce mean %x dim(1) keep
      : (tensor<16x256xf32>) -> tensor<16x1xf32>
  %variance = mirage_kernel.variance %x dim(1) correction(0.0) keep
      : (tensor<16x256xf32>) -> tensor<16x1xf32>
  %y = mirage_kernel.div %variance, %mean
      : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
  return %y : tensor<16x1xf32>
}

}
