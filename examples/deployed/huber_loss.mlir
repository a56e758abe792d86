// Squares of small differences, absolute values of large ones.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @huber_loss(%arg0: tensor<128x300xf32>, %arg1: tensor<128x300xf32>) -> tensor<128x1xf32> {
    %0 = tensor.empty() : tensor<128x300xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<128x300xf32>, tensor<128x300xf32>) outs(%0 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %2 = tensor.empty() : tensor<128x300xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<128x300xf32>) outs(%2 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.absf %in : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %4 = tensor.empty() : tensor<128x300xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst : tensor<128x300xf32>, tensor<1x1xf32>) outs(%4 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.minimumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %6 = tensor.empty() : tensor<128x300xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<128x300xf32>) outs(%6 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 5.000000e-01 : f32
      %17 = arith.mulf %in, %cst_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %8 = tensor.empty() : tensor<128x300xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<128x300xf32>, tensor<128x300xf32>) outs(%8 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %10 = tensor.empty() : tensor<128x300xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %9 : tensor<128x300xf32>, tensor<128x300xf32>) outs(%10 : tensor<128x300xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.mulf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x300xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %12 = tensor.empty() : tensor<128xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<128xf32>) -> tensor<128xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%11 : tensor<128x300xf32>) outs(%13 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<128xf32>
    %expanded = tensor.expand_shape %14 [[0, 1]] output_shape [128, 1] : tensor<128xf32> into tensor<128x1xf32>
    %cst_1 = arith.constant dense<3.000000e+02> : tensor<1x1xf32>
    %15 = tensor.empty() : tensor<128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst_1 : tensor<128x1xf32>, tensor<1x1xf32>) outs(%15 : tensor<128x1xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.divf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x1xf32>
    return %16 : tensor<128x1xf32>
  }
}

