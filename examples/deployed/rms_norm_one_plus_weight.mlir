// Gemma's norm, whose weight has one added, and a product.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @rms_norm_one_plus_weight(%arg0: tensor<16x2048xbf16>, %arg1: tensor<2048xbf16>, %arg2: tensor<2048x2048xbf16>) -> tensor<16x2048xbf16> {
    %0 = tensor.empty() : tensor<16x2048xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<16x2048xbf16>) outs(%0 : tensor<16x2048xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %28 = arith.extf %in : bf16 to f32
      linalg.yield %28 : f32
    } -> tensor<16x2048xf32>
    %2 = tensor.empty() : tensor<16x2048xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %1 : tensor<16x2048xf32>, tensor<16x2048xf32>) outs(%2 : tensor<16x2048xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.mulf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<16x2048xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %4 = tensor.empty() : tensor<16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<16xf32>) -> tensor<16xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<16x2048xf32>) outs(%5 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<16xf32>
    %expanded = tensor.expand_shape %6 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %cst_0 = arith.constant dense<2.048000e+03> : tensor<1x1xf32>
    %7 = tensor.empty() : tensor<16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst_0 : tensor<16x1xf32>, tensor<1x1xf32>) outs(%7 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.divf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<16x1xf32>
    %cst_1 = arith.constant dense<9.99999997E-7> : tensor<1x1xf32>
    %9 = tensor.empty() : tensor<16x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %cst_1 : tensor<16x1xf32>, tensor<1x1xf32>) outs(%9 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.addf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<16x1xf32>
    %11 = tensor.empty() : tensor<16x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<16x1xf32>) outs(%11 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.rsqrt %in : f32
      linalg.yield %28 : f32
    } -> tensor<16x1xf32>
    %13 = tensor.empty() : tensor<16x2048xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %12 : tensor<16x2048xf32>, tensor<16x1xf32>) outs(%13 : tensor<16x2048xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.mulf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<16x2048xf32>
    %expanded_2 = tensor.expand_shape %arg1 [[0, 1]] output_shape [1, 2048] : tensor<2048xbf16> into tensor<1x2048xbf16>
    %15 = tensor.empty() : tensor<1x2048xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_2 : tensor<1x2048xbf16>) outs(%15 : tensor<1x2048xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %28 = arith.extf %in : bf16 to f32
      linalg.yield %28 : f32
    } -> tensor<1x2048xf32>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %17 = tensor.empty() : tensor<1x2048xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %cst_3 : tensor<1x2048xf32>, tensor<1x1xf32>) outs(%17 : tensor<1x2048xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.addf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<1x2048xf32>
    %19 = tensor.empty() : tensor<16x2048xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<16x2048xf32>, tensor<1x2048xf32>) outs(%19 : tensor<16x2048xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.mulf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<16x2048xf32>
    %21 = tensor.empty() : tensor<16x2048xbf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<16x2048xf32>) outs(%21 : tensor<16x2048xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<16x2048xbf16>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %23 = tensor.empty() : tensor<16x2048xf32>
    %24 = linalg.fill ins(%cst_4 : f32) outs(%23 : tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %25 = linalg.matmul ins(%22, %arg2 : tensor<16x2048xbf16>, tensor<2048x2048xbf16>) outs(%24 : tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %26 = tensor.empty() : tensor<16x2048xbf16>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x2048xf32>) outs(%26 : tensor<16x2048xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<16x2048xbf16>
    return %27 : tensor<16x2048xbf16>
  }
}

