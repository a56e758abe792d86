func.func @main(%x: tensor<4x16xf16>, %w: tensor<8x16xf16>, %b: tensor<8xf32>) -> (tensor<4x8xf16>, tensor<4x2xf32>) {
  %c = mirage_kernel.constant dense<[[1.0, -2.0, 3.0, 0.5, 1.0, -2.0, 3.0, 0.5]]> : tensor<1x8xf32>
  %0 = mirage_kernel.matmul %x, %w transpose_rhs : (tensor<4x16xf16>, tensor<8x16xf16>) -> tensor<4x8xf32>
  %1 = mirage_kernel.add %0, %c : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %3 = mirage_kernel.div %1, %2 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.reduce max %3 dim(1) group(4) : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %5:2 = mirage_kernel.split %3 dim(1) parts(2) : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %6 = mirage_kernel.concat dim(1) %5#1, %5#0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %7 = mirage_kernel.layer_norm %6 bias %b epsilon(1.0e-5) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %8 = mirage_kernel.compare lt %7, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %9 = mirage_kernel.select %8, %z, %7 : (tensor<4x8xf32>, tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = mirage_kernel.cast %9 : tensor<4x8xf32> to tensor<4x8xf16>
  return %10, %4 : tensor<4x8xf16>, tensor<4x2xf32>
}
