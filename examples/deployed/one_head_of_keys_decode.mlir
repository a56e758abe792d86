// One step of multi-query attention, Falcon: all heads read one head of keys.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @one_head_of_keys_decode(%arg0: tensor<4x71x64xbf16>, %arg1: tensor<4x512x64xbf16>, %arg2: tensor<4x512x64xbf16>) -> tensor<4x71x64xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x71x512xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x71x512xf32>) -> tensor<4x71x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x71x64xbf16>, tensor<4x512x64xbf16>) outs(%1 : tensor<4x71x512xf32>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: f32):
      %24 = arith.extf %in : bf16 to f32
      %25 = arith.extf %in_4 : bf16 to f32
      %26 = arith.mulf %24, %25 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<4x71x512xf32>
    %3 = tensor.empty() : tensor<4x71x512xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<4x71x512xf32>) outs(%3 : tensor<4x71x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 1.250000e-01 : f32
      %24 = arith.mulf %in, %cst_4 : f32
      linalg.yield %24 : f32
    } -> tensor<4x71x512xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %5 = tensor.empty() : tensor<4x71xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<4x71xf32>) -> tensor<4x71xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<4x71x512xf32>) outs(%6 : tensor<4x71xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.maximumf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<4x71xf32>
    %expanded = tensor.expand_shape %7 [[0], [1, 2]] output_shape [4, 71, 1] : tensor<4x71xf32> into tensor<4x71x1xf32>
    %8 = tensor.empty() : tensor<4x71x512xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<4x71x512xf32>, tensor<4x71x1xf32>) outs(%8 : tensor<4x71x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.subf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<4x71x512xf32>
    %10 = tensor.empty() : tensor<4x71x512xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<4x71x512xf32>) outs(%10 : tensor<4x71x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = math.exp %in : f32
      linalg.yield %24 : f32
    } -> tensor<4x71x512xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %12 = tensor.empty() : tensor<4x71xf32>
    %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<4x71xf32>) -> tensor<4x71xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<4x71x512xf32>) outs(%13 : tensor<4x71xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<4x71xf32>
    %expanded_2 = tensor.expand_shape %14 [[0], [1, 2]] output_shape [4, 71, 1] : tensor<4x71xf32> into tensor<4x71x1xf32>
    %15 = tensor.empty() : tensor<4x71x512xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %expanded_2 : tensor<4x71x512xf32>, tensor<4x71x1xf32>) outs(%15 : tensor<4x71x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.divf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<4x71x512xf32>
    %17 = tensor.empty() : tensor<4x71x512xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4x71x512xf32>) outs(%17 : tensor<4x71x512xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %24 = arith.truncf %in : f32 to bf16
      linalg.yield %24 : bf16
    } -> tensor<4x71x512xbf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %19 = tensor.empty() : tensor<4x71x64xf32>
    %20 = linalg.fill ins(%cst_3 : f32) outs(%19 : tensor<4x71x64xf32>) -> tensor<4x71x64xf32>
    %21 = linalg.batch_matmul ins(%18, %arg2 : tensor<4x71x512xbf16>, tensor<4x512x64xbf16>) outs(%20 : tensor<4x71x64xf32>) -> tensor<4x71x64xf32>
    %22 = tensor.empty() : tensor<4x71x64xbf16>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<4x71x64xf32>) outs(%22 : tensor<4x71x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %24 = arith.truncf %in : f32 to bf16
      linalg.yield %24 : bf16
    } -> tensor<4x71x64xbf16>
    return %23 : tensor<4x71x64xbf16>
  }
}

