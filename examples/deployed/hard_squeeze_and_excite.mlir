// MobileNet V3: the same with a hard sigmoid.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (0, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @hard_squeeze_and_excite(%arg0: tensor<2x72x784xf32>, %arg1: tensor<72x24xf32>, %arg2: tensor<24x72xf32>) -> tensor<2x72x784xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x72xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x72xf32>) -> tensor<2x72xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x72x784xf32>) outs(%1 : tensor<2x72xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<2x72xf32>
    %cst_0 = arith.constant dense<7.840000e+02> : tensor<1x1xf32>
    %3 = tensor.empty() : tensor<2x72xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%2, %cst_0 : tensor<2x72xf32>, tensor<1x1xf32>) outs(%3 : tensor<2x72xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %21 = arith.divf %in, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x72xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %5 = tensor.empty() : tensor<2x24xf32>
    %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %7 = linalg.matmul ins(%4, %arg1 : tensor<2x72xf32>, tensor<72x24xf32>) outs(%6 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %8 = tensor.empty() : tensor<2x24xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%7, %cst_2 : tensor<2x24xf32>, tensor<1x1xf32>) outs(%8 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %21 = arith.maximumf %in, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x24xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<2x72xf32>
    %11 = linalg.fill ins(%cst_3 : f32) outs(%10 : tensor<2x72xf32>) -> tensor<2x72xf32>
    %12 = linalg.matmul ins(%9, %arg2 : tensor<2x24xf32>, tensor<24x72xf32>) outs(%11 : tensor<2x72xf32>) -> tensor<2x72xf32>
    %cst_4 = arith.constant dense<3.000000e+00> : tensor<1x1xf32>
    %13 = tensor.empty() : tensor<2x72xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%12, %cst_4 : tensor<2x72xf32>, tensor<1x1xf32>) outs(%13 : tensor<2x72xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %21 = arith.addf %in, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x72xf32>
    %15 = tensor.empty() : tensor<2x72xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2x72xf32>) outs(%15 : tensor<2x72xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_5 = arith.constant 0.000000e+00 : f32
      %21 = arith.maximumf %in, %cst_5 : f32
      %cst_6 = arith.constant 6.000000e+00 : f32
      %22 = arith.minimumf %21, %cst_6 : f32
      linalg.yield %22 : f32
    } -> tensor<2x72xf32>
    %17 = tensor.empty() : tensor<2x72xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<2x72xf32>) outs(%17 : tensor<2x72xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_5 = arith.constant 0.166666672 : f32
      %21 = arith.mulf %in, %cst_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x72xf32>
    %expanded = tensor.expand_shape %18 [[0], [1, 2]] output_shape [2, 72, 1] : tensor<2x72xf32> into tensor<2x72x1xf32>
    %19 = tensor.empty() : tensor<2x72x784xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<2x72x784xf32>, tensor<2x72x1xf32>) outs(%19 : tensor<2x72x784xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %21 = arith.mulf %in, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x72x784xf32>
    return %20 : tensor<2x72x784xf32>
  }
}

