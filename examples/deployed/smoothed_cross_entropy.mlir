// Cross entropy with labels smoothed by 0.1 over 1,000 classes.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @smoothed_cross_entropy(%arg0: tensor<64x1000xf32>, %arg1: tensor<64x1000xf32>) -> tensor<64x1xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<64x1000xf32>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.maximumf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
    %3 = tensor.empty() : tensor<64x1000xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<64x1000xf32>, tensor<64x1xf32>) outs(%3 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %30 = arith.subf %in, %in_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1000xf32>
    %5 = tensor.empty() : tensor<64x1000xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<64x1000xf32>) outs(%5 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<64x1000xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %7 = tensor.empty() : tensor<64xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<64xf32>) -> tensor<64xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<64x1000xf32>) outs(%8 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %expanded_1 = tensor.expand_shape %9 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
    %10 = tensor.empty() : tensor<64x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_1 : tensor<64x1xf32>) outs(%10 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.log %in : f32
      linalg.yield %30 : f32
    } -> tensor<64x1xf32>
    %12 = tensor.empty() : tensor<64x1000xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<64x1000xf32>, tensor<64x1xf32>) outs(%12 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %30 = arith.subf %in, %in_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1000xf32>
    %14 = tensor.empty() : tensor<64x1000xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %arg1 : tensor<64x1000xf32>, tensor<64x1000xf32>) outs(%14 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %30 = arith.mulf %in, %in_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1000xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<64xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<64xf32>) -> tensor<64xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<64x1000xf32>) outs(%17 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %expanded_3 = tensor.expand_shape %18 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
    %19 = tensor.empty() : tensor<64x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_3 : tensor<64x1xf32>) outs(%19 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_6 = arith.constant 0.899999976 : f32
      %30 = arith.mulf %in, %cst_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %21 = tensor.empty() : tensor<64xf32>
    %22 = linalg.fill ins(%cst_4 : f32) outs(%21 : tensor<64xf32>) -> tensor<64xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<64x1000xf32>) outs(%22 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %expanded_5 = tensor.expand_shape %23 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
    %24 = tensor.empty() : tensor<64x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<64x1xf32>) outs(%24 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_6 = arith.constant 9.99999974E-5 : f32
      %30 = arith.mulf %in, %cst_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1xf32>
    %26 = tensor.empty() : tensor<64x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %25 : tensor<64x1xf32>, tensor<64x1xf32>) outs(%26 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %30 = arith.addf %in, %in_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1xf32>
    %28 = tensor.empty() : tensor<64x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<64x1xf32>) outs(%28 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_6 = arith.constant -1.000000e+00 : f32
      %30 = arith.mulf %in, %cst_6 : f32
      linalg.yield %30 : f32
    } -> tensor<64x1xf32>
    return %29 : tensor<64x1xf32>
  }
}

