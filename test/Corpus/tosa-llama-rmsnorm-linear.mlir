// tosa-llama-rmsnorm-linear
//   python export_pytorch.py . --output-type=tosa llama-rmsnorm-linear
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

module {
  func.func @main(%arg0: tensor<6x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<20x24xf32>) -> tensor<6x20xf32> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.const_shape  {values = dense<[1, 24]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = tosa.const_shape  {values = dense<[1, 6, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = tosa.const_shape  {values = dense<[1, 24, 20]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.const_shape  {values = dense<[6, 20]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %6 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.const"() <{values = dense<0.0416666679> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %9 = tosa.pow %arg0, %6 : (tensor<6x24xf32>, tensor<1x1xf32>) -> tensor<6x24xf32>
    %10 = tosa.reduce_sum %9 {axis = 1 : i32} : (tensor<6x24xf32>) -> tensor<6x1xf32>
    %11 = tosa.mul %10, %7, %0 : (tensor<6x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<6x1xf32>
    %12 = tosa.add %11, %8 : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
    %13 = tosa.rsqrt %12 : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %14 = tosa.mul %arg0, %13, %0 : (tensor<6x24xf32>, tensor<6x1xf32>, tensor<1xi8>) -> tensor<6x24xf32>
    %15 = tosa.reshape %arg1, %1 : (tensor<24xf32>, !tosa.shape<2>) -> tensor<1x24xf32>
    %16 = tosa.mul %15, %14, %0 : (tensor<1x24xf32>, tensor<6x24xf32>, tensor<1xi8>) -> tensor<6x24xf32>
    %17 = tosa.transpose %arg2 {perms = array<i32: 1, 0>} : (tensor<20x24xf32>) -> tensor<24x20xf32>
    %18 = tosa.reshape %16, %3 : (tensor<6x24xf32>, !tosa.shape<3>) -> tensor<1x6x24xf32>
    %19 = tosa.reshape %17, %4 : (tensor<24x20xf32>, !tosa.shape<3>) -> tensor<1x24x20xf32>
    %20 = tosa.matmul %18, %19, %2, %2 : (tensor<1x6x24xf32>, tensor<1x24x20xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x20xf32>
    %21 = tosa.reshape %20, %5 : (tensor<1x6x20xf32>, !tosa.shape<2>) -> tensor<6x20xf32>
    return %21 : tensor<6x20xf32>
  }
}
