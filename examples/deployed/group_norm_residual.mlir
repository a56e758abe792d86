// A norm of 8 groups with odd sizes, and a residual.

module {
  func.func @group_norm_residual(%arg0: tensor<2x24x15x17xf32>, %arg1: tensor<24xf32>, %arg2: tensor<24xf32>) -> tensor<2x24x15x17xf32> {
    %group_norm = mirage_kernel.group_norm %arg0 weight %arg1 bias %arg2 groups(8) epsilon(1.000000e-05) : (tensor<2x24x15x17xf32>, tensor<24xf32>, tensor<24xf32>) -> tensor<2x24x15x17xf32>
    %add = mirage_kernel.add %group_norm, %arg0 : (tensor<2x24x15x17xf32>, tensor<2x24x15x17xf32>) -> tensor<2x24x15x17xf32>
    return %add : tensor<2x24x15x17xf32>
  }
}

