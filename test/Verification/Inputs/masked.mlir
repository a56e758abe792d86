// Scores under a causal mask of infinities, which are a result beside the
// weights, and a result some elements of which overflow in f16.

func.func @masked(%q: tensor<4x8xf16>, %k: tensor<4x8xf16>)
    -> (tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x9xf16>) {
  %mask = mirage_kernel.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000],
                                        [0.0, 0.0, 0xFF800000, 0xFF800000],
                                        [0.0, 0.0, 0.0, 0xFF800000],
                                        [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %s = mirage_kernel.matmul %q, %k transpose_rhs
      : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x4xf32>
  %m = mirage_kernel.add %s, %mask : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = mirage_kernel.softmax %m dim(1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = mirage_kernel.cast %p : tensor<4x4xf32> to tensor<4x4xf16>
  %large = mirage_kernel.constant dense<6.0e+04> : tensor<4x1xf16>
  %twice = mirage_kernel.add %large, %large
      : (tensor<4x1xf16>, tensor<4x1xf16>) -> tensor<4x1xf16>
  %c = mirage_kernel.concat dim(1) %k, %twice
      : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x9xf16>
  return %m, %w, %c : tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x9xf16>
}

func.func @masked_mugraph(%q: tensor<4x8xf16>, %k: tensor<4x8xf16>)
    -> (tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x9xf16>) {
  %mask = mirage_kernel.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000],
                                        [0.0, 0.0, 0xFF800000, 0xFF800000],
                                        [0.0, 0.0, 0.0, 0xFF800000],
                                        [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %s = mirage_kernel.matmul %q, %k transpose_rhs
      : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x4xf32>
  %m = mirage_kernel.add %mask, %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %max = mirage_kernel.reduce max %m dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %sh = mirage_kernel.sub %m, %max : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %e = mirage_kernel.exp %sh : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %p = mirage_kernel.div %e, %d : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %w = mirage_kernel.cast %p : tensor<4x4xf32> to tensor<4x4xf16>
  %large = mirage_kernel.constant dense<6.0e+04> : tensor<4x1xf16>
  %twice = mirage_kernel.scale %large by 2.0 : (tensor<4x1xf16>) -> tensor<4x1xf16>
  %c = mirage_kernel.concat dim(1) %k, %twice
      : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x9xf16>
  return %m, %w, %c : tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x9xf16>
}
