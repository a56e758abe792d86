// torch-mixtral-expert-f16
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<6x24xf16>, %arg1: tensor<6x1xf16>, %arg2: tensor<28x24xf16>, %arg3: tensor<24x28xf16>, %arg4: tensor<28x24xf16>) -> tensor<6x24xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<24x28xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<28x24xf16>) outs(%0 : tensor<24x28xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x28xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<6x24xf16>, tensor<24x28xf16>) outs(%2 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %4 = tensor.empty() : tensor<6x28xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x28xf32>) outs(%4 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x28xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x28xf16>) outs(%1 : tensor<6x28xf32>) {
    ^bb0(%in: f16, %out: f32):
      %20 = arith.extf %in : f16 to f32
      linalg.yield %20 : f32
    } -> tensor<6x28xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x28xf32>) outs(%1 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.negf %in : f32
      %21 = math.exp %20 : f32
      %22 = arith.addf %21, %cst_0 : f32
      %23 = arith.divf %cst_0, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<6x28xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%1 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %20 = arith.mulf %in, %in_3 : f32
      linalg.yield %20 : f32
    } -> tensor<6x28xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<6x28xf32>) outs(%4 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x28xf16>
    %transposed_1 = linalg.transpose ins(%arg4 : tensor<28x24xf16>) outs(%0 : tensor<24x28xf16>) permutation = [1, 0] 
    %10 = linalg.matmul ins(%arg0, %transposed_1 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%2 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x28xf32>) outs(%4 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x28xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%4 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %20 = arith.mulf %in, %in_3 : f16
      linalg.yield %20 : f16
    } -> tensor<6x28xf16>
    %13 = tensor.empty() : tensor<28x24xf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<24x28xf16>) outs(%13 : tensor<28x24xf16>) permutation = [1, 0] 
    %14 = tensor.empty() : tensor<6x24xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %16 = linalg.matmul ins(%12, %transposed_2 : tensor<6x28xf16>, tensor<28x24xf16>) outs(%15 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %17 = tensor.empty() : tensor<6x24xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<6x24xf32>) outs(%17 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x24xf16>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %arg1 : tensor<6x24xf16>, tensor<6x1xf16>) outs(%17 : tensor<6x24xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %20 = arith.mulf %in, %in_3 : f16
      linalg.yield %20 : f16
    } -> tensor<6x24xf16>
    return %19 : tensor<6x24xf16>
  }
}
