// A product, a bias and a mish, x tanh(log(1 + exp(x))), f32 and odd sizes.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @mish_layer(%arg0: tensor<33x129xf32>, %arg1: tensor<129x257xf32>, %arg2: tensor<257xf32>) -> tensor<33x257xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<33x257xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<33x257xf32>) -> tensor<33x257xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<33x129xf32>, tensor<129x257xf32>) outs(%1 : tensor<33x257xf32>) -> tensor<33x257xf32>
    %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 257] : tensor<257xf32> into tensor<1x257xf32>
    %3 = tensor.empty() : tensor<33x257xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %expanded : tensor<33x257xf32>, tensor<1x257xf32>) outs(%3 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.addf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    %5 = tensor.empty() : tensor<33x257xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<33x257xf32>) outs(%5 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.exp %in : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %7 = tensor.empty() : tensor<33x257xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %cst_0 : tensor<33x257xf32>, tensor<1x1xf32>) outs(%7 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.addf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    %9 = tensor.empty() : tensor<33x257xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<33x257xf32>) outs(%9 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.log %in : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    %11 = tensor.empty() : tensor<33x257xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<33x257xf32>) outs(%11 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.tanh %in : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    %13 = tensor.empty() : tensor<33x257xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %12 : tensor<33x257xf32>, tensor<33x257xf32>) outs(%13 : tensor<33x257xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.mulf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<33x257xf32>
    return %14 : tensor<33x257xf32>
  }
}

