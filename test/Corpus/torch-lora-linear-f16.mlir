// torch-lora-linear-f16
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<6x24xf16>, %arg1: tensor<20x24xf16>, %arg2: tensor<4x24xf16>, %arg3: tensor<20x4xf16>) -> tensor<6x20xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 4.000000e+00 : f16
    %0 = tensor.empty() : tensor<24x20xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<20x24xf16>) outs(%0 : tensor<24x20xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<6x24xf16>, tensor<24x20xf16>) outs(%2 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %4 = tensor.empty() : tensor<6x20xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x20xf32>) outs(%4 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<6x20xf16>
    %6 = tensor.empty() : tensor<24x4xf16>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<4x24xf16>) outs(%6 : tensor<24x4xf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<6x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %9 = linalg.matmul ins(%arg0, %transposed_1 : tensor<6x24xf16>, tensor<24x4xf16>) outs(%8 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %10 = tensor.empty() : tensor<6x4xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x4xf32>) outs(%10 : tensor<6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<6x4xf16>
    %12 = tensor.empty() : tensor<4x20xf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<20x4xf16>) outs(%12 : tensor<4x20xf16>) permutation = [1, 0] 
    %13 = linalg.matmul ins(%11, %transposed_2 : tensor<6x4xf16>, tensor<4x20xf16>) outs(%2 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<6x20xf32>) outs(%4 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<6x20xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<6x20xf16>) outs(%4 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %17 = arith.mulf %in, %cst_0 : f16
      linalg.yield %17 : f16
    } -> tensor<6x20xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %15 : tensor<6x20xf16>, tensor<6x20xf16>) outs(%4 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %17 = arith.addf %in, %in_3 : f16
      linalg.yield %17 : f16
    } -> tensor<6x20xf16>
    return %16 : tensor<6x20xf16>
  }
}
