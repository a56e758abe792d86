// tosa-gqa-prefill-mask-scale
//   python export_pytorch.py . --output-type=tosa gqa-prefill-mask-scale
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

module {
  func.func @main(%arg0: tensor<2x6x5x8xf32>, %arg1: tensor<2x2x7x8xf32>, %arg2: tensor<2x2x7x8xf32>, %arg3: tensor<2x1x5x7xf32>) -> tensor<2x6x5x8xf32> {
    %0 = tosa.const_shape  {values = dense<[2, 2, 1, 7, 8]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %1 = tosa.const_shape  {values = dense<[1, 1, 3, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %2 = tosa.const_shape  {values = dense<[2, 6, 7, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.const_shape  {values = dense<[12, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = tosa.const_shape  {values = dense<[12, 8, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = tosa.const_shape  {values = dense<[2, 6, 5, 7]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = tosa.const_shape  {values = dense<[12, 5, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %9 = tosa.const_shape  {values = dense<[12, 7, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.const_shape  {values = dense<[2, 6, 5, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %11 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %12 = tosa.reshape %arg1, %0 : (tensor<2x2x7x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x7x8xf32>
    %13 = tosa.tile %12, %1 : (tensor<2x2x1x7x8xf32>, !tosa.shape<5>) -> tensor<2x2x3x7x8xf32>
    %14 = tosa.reshape %13, %2 : (tensor<2x2x3x7x8xf32>, !tosa.shape<4>) -> tensor<2x6x7x8xf32>
    %15 = tosa.reshape %arg2, %0 : (tensor<2x2x7x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x7x8xf32>
    %16 = tosa.tile %15, %1 : (tensor<2x2x1x7x8xf32>, !tosa.shape<5>) -> tensor<2x2x3x7x8xf32>
    %17 = tosa.transpose %14 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x6x7x8xf32>) -> tensor<2x6x8x7xf32>
    %18 = tosa.reshape %arg0, %3 : (tensor<2x6x5x8xf32>, !tosa.shape<3>) -> tensor<12x5x8xf32>
    %19 = tosa.reshape %17, %4 : (tensor<2x6x8x7xf32>, !tosa.shape<3>) -> tensor<12x8x7xf32>
    %20 = tosa.matmul %18, %19, %5, %5 : (tensor<12x5x8xf32>, tensor<12x8x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x5x7xf32>
    %21 = tosa.reshape %20, %6 : (tensor<12x5x7xf32>, !tosa.shape<4>) -> tensor<2x6x5x7xf32>
    %22 = tosa.mul %21, %11, %7 : (tensor<2x6x5x7xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x6x5x7xf32>
    %23 = tosa.add %22, %arg3 : (tensor<2x6x5x7xf32>, tensor<2x1x5x7xf32>) -> tensor<2x6x5x7xf32>
    %24 = tosa.reduce_max %23 {axis = 3 : i32} : (tensor<2x6x5x7xf32>) -> tensor<2x6x5x1xf32>
    %25 = tosa.sub %23, %24 : (tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) -> tensor<2x6x5x7xf32>
    %26 = tosa.exp %25 : (tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
    %27 = tosa.reduce_sum %26 {axis = 3 : i32} : (tensor<2x6x5x7xf32>) -> tensor<2x6x5x1xf32>
    %28 = tosa.reciprocal %27 : (tensor<2x6x5x1xf32>) -> tensor<2x6x5x1xf32>
    %29 = tosa.mul %26, %28, %7 : (tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>, tensor<1xi8>) -> tensor<2x6x5x7xf32>
    %30 = tosa.reshape %29, %8 : (tensor<2x6x5x7xf32>, !tosa.shape<3>) -> tensor<12x5x7xf32>
    %31 = tosa.reshape %16, %9 : (tensor<2x2x3x7x8xf32>, !tosa.shape<3>) -> tensor<12x7x8xf32>
    %32 = tosa.matmul %30, %31, %5, %5 : (tensor<12x5x7xf32>, tensor<12x7x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x5x8xf32>
    %33 = tosa.reshape %32, %10 : (tensor<12x5x8xf32>, !tosa.shape<4>) -> tensor<2x6x5x8xf32>
    return %33 : tensor<2x6x5x8xf32>
  }
}
