// tosa-candy-block
//   python export_pytorch.py . --output-type=tosa candy-block
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

module {
  func.func @main(%arg0: tensor<1x3x7x8xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<1x3x14x11xf32> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.const_shape  {values = dense<[1, 3, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %2 = tosa.const_shape  {values = dense<[0, 0, 0, 0, 3, 4, 1, 2]> : tensor<8xindex>} : () -> !tosa.shape<8>
    %3 = "tosa.const"() <{values = dense<0.017857142857142856> : tensor<1x1x1x1xf64>}> : () -> tensor<1x1x1x1xf64>
    %4 = "tosa.const"() <{values = dense<0.0178571437> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %6 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = tosa.cast %arg0 : (tensor<1x3x7x8xf32>) -> tensor<1x3x7x8xf64>
    %8 = tosa.reduce_sum %7 {axis = 2 : i32} : (tensor<1x3x7x8xf64>) -> tensor<1x3x1x8xf64>
    %9 = tosa.reduce_sum %8 {axis = 3 : i32} : (tensor<1x3x1x8xf64>) -> tensor<1x3x1x1xf64>
    %10 = tosa.mul %9, %3, %0 : (tensor<1x3x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1xi8>) -> tensor<1x3x1x1xf64>
    %11 = tosa.sub %7, %10 : (tensor<1x3x7x8xf64>, tensor<1x3x1x1xf64>) -> tensor<1x3x7x8xf64>
    %12 = tosa.mul %11, %11, %0 : (tensor<1x3x7x8xf64>, tensor<1x3x7x8xf64>, tensor<1xi8>) -> tensor<1x3x7x8xf64>
    %13 = tosa.reduce_sum %12 {axis = 2 : i32} : (tensor<1x3x7x8xf64>) -> tensor<1x3x1x8xf64>
    %14 = tosa.reduce_sum %13 {axis = 3 : i32} : (tensor<1x3x1x8xf64>) -> tensor<1x3x1x1xf64>
    %15 = tosa.mul %14, %3, %0 : (tensor<1x3x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1xi8>) -> tensor<1x3x1x1xf64>
    %16 = tosa.cast %15 : (tensor<1x3x1x1xf64>) -> tensor<1x3x1x1xf32>
    %17 = tosa.reduce_sum %arg0 {axis = 2 : i32} : (tensor<1x3x7x8xf32>) -> tensor<1x3x1x8xf32>
    %18 = tosa.reduce_sum %17 {axis = 3 : i32} : (tensor<1x3x1x8xf32>) -> tensor<1x3x1x1xf32>
    %19 = tosa.mul %18, %4, %0 : (tensor<1x3x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1x1xf32>
    %20 = tosa.add %16, %5 : (tensor<1x3x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x1x1xf32>
    %21 = tosa.rsqrt %20 : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
    %22 = tosa.sub %arg0, %19 : (tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x7x8xf32>
    %23 = tosa.mul %22, %21, %0 : (tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>, tensor<1xi8>) -> tensor<1x3x7x8xf32>
    %24 = tosa.reshape %arg1, %1 : (tensor<3xf32>, !tosa.shape<4>) -> tensor<1x3x1x1xf32>
    %25 = tosa.mul %23, %24, %0 : (tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>, tensor<1xi8>) -> tensor<1x3x7x8xf32>
    %26 = tosa.reshape %arg2, %1 : (tensor<3xf32>, !tosa.shape<4>) -> tensor<1x3x1x1xf32>
    %27 = tosa.add %25, %26 : (tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x7x8xf32>
    %28 = tosa.clamp %27 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x3x7x8xf32>) -> tensor<1x3x7x8xf32>
    %29 = tosa.pad %28, %2, %6 : (tensor<1x3x7x8xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x3x14x11xf32>
    return %29 : tensor<1x3x14x11xf32>
  }
}
