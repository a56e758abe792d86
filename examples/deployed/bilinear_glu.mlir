// A gated layer whose gate is the sigmoid of a product: the first GLU.

module {
  func.func @bilinear_glu(%arg0: tensor<32x1024xf16>, %arg1: tensor<1024x1024xf16>, %arg2: tensor<1024x1024xf16>) -> tensor<32x1024xf16> {
    %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<32x1024xf16>, tensor<1024x1024xf16>) -> tensor<32x1024xf32>
    %sigmoid = mirage_kernel.sigmoid %matmul : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %matmul_0 = mirage_kernel.matmul %arg0, %arg2 : (tensor<32x1024xf16>, tensor<1024x1024xf16>) -> tensor<32x1024xf32>
    %mul = mirage_kernel.mul %sigmoid, %matmul_0 : (tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %cast = mirage_kernel.cast %mul : tensor<32x1024xf32> to tensor<32x1024xf16>
    return %cast : tensor<32x1024xf16>
  }
}

