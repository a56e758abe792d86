// torch-lora-linear
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<6x24xf32>, %arg1: tensor<20x24xf32>, %arg2: tensor<4x24xf32>, %arg3: tensor<20x4xf32>) -> tensor<6x20xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<24x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<20x24xf32>) outs(%0 : tensor<24x20xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<6x24xf32>, tensor<24x20xf32>) outs(%2 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %4 = tensor.empty() : tensor<24x4xf32>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<4x24xf32>) outs(%4 : tensor<24x4xf32>) permutation = [1, 0] 
    %5 = tensor.empty() : tensor<6x4xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %7 = linalg.matmul ins(%arg0, %transposed_1 : tensor<6x24xf32>, tensor<24x4xf32>) outs(%6 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %8 = tensor.empty() : tensor<4x20xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<20x4xf32>) outs(%8 : tensor<4x20xf32>) permutation = [1, 0] 
    %9 = linalg.matmul ins(%7, %transposed_2 : tensor<6x4xf32>, tensor<4x20xf32>) outs(%2 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x20xf32>) outs(%1 : tensor<6x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.mulf %in, %cst_0 : f32
      linalg.yield %12 : f32
    } -> tensor<6x20xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %10 : tensor<6x20xf32>, tensor<6x20xf32>) outs(%1 : tensor<6x20xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %12 = arith.addf %in, %in_3 : f32
      linalg.yield %12 : f32
    } -> tensor<6x20xf32>
    return %11 : tensor<6x20xf32>
  }
}
