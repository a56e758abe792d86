// Each of four requests has an adapter of its own.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @lora_batched(%arg0: tensor<4x16x1024xf16>, %arg1: tensor<1x1024x1024xf16>, %arg2: tensor<4x1024x16xf16>, %arg3: tensor<4x16x1024xf16>) -> tensor<4x16x1024xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x16x1024xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x16x1024xf32>) -> tensor<4x16x1024xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x16x1024xf16>, tensor<1x1024x1024xf16>) outs(%1 : tensor<4x16x1024xf32>) {
    ^bb0(%in: f16, %in_2: f16, %out: f32):
      %15 = arith.extf %in : f16 to f32
      %16 = arith.extf %in_2 : f16 to f32
      %17 = arith.mulf %15, %16 : f32
      %18 = arith.addf %out, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<4x16x1024xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %3 = tensor.empty() : tensor<4x16x16xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %5 = linalg.batch_matmul ins(%arg0, %arg2 : tensor<4x16x1024xf16>, tensor<4x1024x16xf16>) outs(%4 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %6 = tensor.empty() : tensor<4x16x16xf16>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<4x16x16xf32>) outs(%6 : tensor<4x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %15 = arith.truncf %in : f32 to f16
      linalg.yield %15 : f16
    } -> tensor<4x16x16xf16>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<4x16x1024xf32>
    %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<4x16x1024xf32>) -> tensor<4x16x1024xf32>
    %10 = linalg.batch_matmul ins(%7, %arg3 : tensor<4x16x16xf16>, tensor<4x16x1024xf16>) outs(%9 : tensor<4x16x1024xf32>) -> tensor<4x16x1024xf32>
    %11 = tensor.empty() : tensor<4x16x1024xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %10 : tensor<4x16x1024xf32>, tensor<4x16x1024xf32>) outs(%11 : tensor<4x16x1024xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %15 = arith.addf %in, %in_2 : f32
      linalg.yield %15 : f32
    } -> tensor<4x16x1024xf32>
    %13 = tensor.empty() : tensor<4x16x1024xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<4x16x1024xf32>) outs(%13 : tensor<4x16x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %15 = arith.truncf %in : f32 to f16
      linalg.yield %15 : f16
    } -> tensor<4x16x1024xf16>
    return %14 : tensor<4x16x1024xf16>
  }
}

