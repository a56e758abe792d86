// A layer norm of 127 rows of 509, both prime.

module {
  func.func @layer_norm_prime(%arg0: tensor<127x509xf32>, %arg1: tensor<509xf32>, %arg2: tensor<509xf32>) -> tensor<127x509xf32> {
    %layer_norm = mirage_kernel.layer_norm %arg0 epsilon(1.000000e-05) : (tensor<127x509xf32>) -> tensor<127x509xf32>
    %reshape = mirage_kernel.reshape %arg1 : tensor<509xf32> to tensor<1x509xf32>
    %mul = mirage_kernel.mul %layer_norm, %reshape : (tensor<127x509xf32>, tensor<1x509xf32>) -> tensor<127x509xf32>
    %reshape_0 = mirage_kernel.reshape %arg2 : tensor<509xf32> to tensor<1x509xf32>
    %add = mirage_kernel.add %mul, %reshape_0 : (tensor<127x509xf32>, tensor<1x509xf32>) -> tensor<127x509xf32>
    return %add : tensor<127x509xf32>
  }
}

