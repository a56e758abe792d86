// A layer norm with weight and bias, and a gelu.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @layer_norm_bias_gelu(%arg0: tensor<256x768xf16>, %arg1: tensor<768xf16>, %arg2: tensor<768xf16>) -> tensor<256x768xf16> {
    %0 = tensor.empty() : tensor<256x768xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<256x768xf16>) outs(%0 : tensor<256x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %42 = arith.extf %in : f16 to f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<256xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<256xf32>) -> tensor<256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<256x768xf32>) outs(%3 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %in, %out : f32
      linalg.yield %42 : f32
    } -> tensor<256xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [256, 1] : tensor<256xf32> into tensor<256x1xf32>
    %cst_0 = arith.constant dense<7.680000e+02> : tensor<1x1xf32>
    %5 = tensor.empty() : tensor<256x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst_0 : tensor<256x1xf32>, tensor<1x1xf32>) outs(%5 : tensor<256x1xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.divf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x1xf32>
    %7 = tensor.empty() : tensor<256x768xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<256x768xf32>, tensor<256x1xf32>) outs(%7 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.subf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %9 = tensor.empty() : tensor<256x768xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<256x768xf32>, tensor<256x768xf32>) outs(%9 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.mulf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<256xf32>
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<256xf32>) -> tensor<256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<256x768xf32>) outs(%12 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %in, %out : f32
      linalg.yield %42 : f32
    } -> tensor<256xf32>
    %expanded_2 = tensor.expand_shape %13 [[0, 1]] output_shape [256, 1] : tensor<256xf32> into tensor<256x1xf32>
    %cst_3 = arith.constant dense<7.680000e+02> : tensor<1x1xf32>
    %14 = tensor.empty() : tensor<256x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_2, %cst_3 : tensor<256x1xf32>, tensor<1x1xf32>) outs(%14 : tensor<256x1xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.divf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x1xf32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %16 = tensor.empty() : tensor<256x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_4 : tensor<256x1xf32>, tensor<1x1xf32>) outs(%16 : tensor<256x1xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.addf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x1xf32>
    %18 = tensor.empty() : tensor<256x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<256x1xf32>) outs(%18 : tensor<256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.rsqrt %in : f32
      linalg.yield %42 : f32
    } -> tensor<256x1xf32>
    %20 = tensor.empty() : tensor<256x768xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %19 : tensor<256x768xf32>, tensor<256x1xf32>) outs(%20 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.mulf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %expanded_5 = tensor.expand_shape %arg1 [[0, 1]] output_shape [1, 768] : tensor<768xf16> into tensor<1x768xf16>
    %22 = tensor.empty() : tensor<1x768xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x768xf16>) outs(%22 : tensor<1x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %42 = arith.extf %in : f16 to f32
      linalg.yield %42 : f32
    } -> tensor<1x768xf32>
    %24 = tensor.empty() : tensor<256x768xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %23 : tensor<256x768xf32>, tensor<1x768xf32>) outs(%24 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.mulf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %expanded_6 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 768] : tensor<768xf16> into tensor<1x768xf16>
    %26 = tensor.empty() : tensor<1x768xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_6 : tensor<1x768xf16>) outs(%26 : tensor<1x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %42 = arith.extf %in : f16 to f32
      linalg.yield %42 : f32
    } -> tensor<1x768xf32>
    %28 = tensor.empty() : tensor<256x768xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %27 : tensor<256x768xf32>, tensor<1x768xf32>) outs(%28 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.addf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %30 = tensor.empty() : tensor<256x768xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<256x768xf32>) outs(%30 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_8 = arith.constant 0.707106769 : f32
      %42 = arith.mulf %in, %cst_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %32 = tensor.empty() : tensor<256x768xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<256x768xf32>) outs(%32 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.erf %in : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %cst_7 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %34 = tensor.empty() : tensor<256x768xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %cst_7 : tensor<256x768xf32>, tensor<1x1xf32>) outs(%34 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.addf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %36 = tensor.empty() : tensor<256x768xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %35 : tensor<256x768xf32>, tensor<256x768xf32>) outs(%36 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %42 = arith.mulf %in, %in_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %38 = tensor.empty() : tensor<256x768xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<256x768xf32>) outs(%38 : tensor<256x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_8 = arith.constant 5.000000e-01 : f32
      %42 = arith.mulf %in, %cst_8 : f32
      linalg.yield %42 : f32
    } -> tensor<256x768xf32>
    %40 = tensor.empty() : tensor<256x768xf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<256x768xf32>) outs(%40 : tensor<256x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %42 = arith.truncf %in : f32 to f16
      linalg.yield %42 : f16
    } -> tensor<256x768xf16>
    return %41 : tensor<256x768xf16>
  }
}

