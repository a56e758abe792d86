// tosa-gated-mlp
//   python export_pytorch.py . --output-type=tosa gated-mlp
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

module {
  func.func @main(%arg0: tensor<6x24xf32>, %arg1: tensor<28x24xf32>, %arg2: tensor<28x24xf32>, %arg3: tensor<24x28xf32>) -> tensor<6x24xf32> {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = tosa.const_shape  {values = dense<[1, 6, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = tosa.const_shape  {values = dense<[1, 24, 28]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = tosa.const_shape  {values = dense<[6, 28]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[1, 6, 28]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[1, 28, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[6, 24]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %8 = tosa.transpose %arg1 {perms = array<i32: 1, 0>} : (tensor<28x24xf32>) -> tensor<24x28xf32>
    %9 = tosa.reshape %arg0, %1 : (tensor<6x24xf32>, !tosa.shape<3>) -> tensor<1x6x24xf32>
    %10 = tosa.reshape %8, %2 : (tensor<24x28xf32>, !tosa.shape<3>) -> tensor<1x24x28xf32>
    %11 = tosa.matmul %9, %10, %0, %0 : (tensor<1x6x24xf32>, tensor<1x24x28xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x28xf32>
    %12 = tosa.reshape %11, %3 : (tensor<1x6x28xf32>, !tosa.shape<2>) -> tensor<6x28xf32>
    %13 = tosa.sigmoid %12 : (tensor<6x28xf32>) -> tensor<6x28xf32>
    %14 = tosa.mul %12, %13, %4 : (tensor<6x28xf32>, tensor<6x28xf32>, tensor<1xi8>) -> tensor<6x28xf32>
    %15 = tosa.transpose %arg2 {perms = array<i32: 1, 0>} : (tensor<28x24xf32>) -> tensor<24x28xf32>
    %16 = tosa.reshape %15, %2 : (tensor<24x28xf32>, !tosa.shape<3>) -> tensor<1x24x28xf32>
    %17 = tosa.matmul %9, %16, %0, %0 : (tensor<1x6x24xf32>, tensor<1x24x28xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x28xf32>
    %18 = tosa.reshape %17, %3 : (tensor<1x6x28xf32>, !tosa.shape<2>) -> tensor<6x28xf32>
    %19 = tosa.mul %14, %18, %4 : (tensor<6x28xf32>, tensor<6x28xf32>, tensor<1xi8>) -> tensor<6x28xf32>
    %20 = tosa.transpose %arg3 {perms = array<i32: 1, 0>} : (tensor<24x28xf32>) -> tensor<28x24xf32>
    %21 = tosa.reshape %19, %5 : (tensor<6x28xf32>, !tosa.shape<3>) -> tensor<1x6x28xf32>
    %22 = tosa.reshape %20, %6 : (tensor<28x24xf32>, !tosa.shape<3>) -> tensor<1x28x24xf32>
    %23 = tosa.matmul %21, %22, %0, %0 : (tensor<1x6x28xf32>, tensor<1x28x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x24xf32>
    %24 = tosa.reshape %23, %7 : (tensor<1x6x24xf32>, !tosa.shape<2>) -> tensor<6x24xf32>
    return %24 : tensor<6x24xf32>
  }
}
