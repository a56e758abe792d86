// The products of a block of ConvNeXt: a norm, gelu between, scale, residual.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @inverted_bottleneck(%arg0: tensor<196x192xf16>, %arg1: tensor<192x768xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768x192xf16>, %arg4: tensor<192xf16>, %arg5: tensor<192xf16>) -> tensor<196x192xf16> {
    %0 = tensor.empty() : tensor<196x192xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<196x192xf16>) outs(%0 : tensor<196x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %60 = arith.extf %in : f16 to f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<196xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<196xf32>) -> tensor<196xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<196x192xf32>) outs(%3 : tensor<196xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %in, %out : f32
      linalg.yield %60 : f32
    } -> tensor<196xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [196, 1] : tensor<196xf32> into tensor<196x1xf32>
    %cst_0 = arith.constant dense<1.920000e+02> : tensor<1x1xf32>
    %5 = tensor.empty() : tensor<196x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst_0 : tensor<196x1xf32>, tensor<1x1xf32>) outs(%5 : tensor<196x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.divf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x1xf32>
    %7 = tensor.empty() : tensor<196x192xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<196x192xf32>, tensor<196x1xf32>) outs(%7 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.subf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %9 = tensor.empty() : tensor<196x192xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<196x192xf32>, tensor<196x192xf32>) outs(%9 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.mulf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<196xf32>
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<196xf32>) -> tensor<196xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<196x192xf32>) outs(%12 : tensor<196xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %in, %out : f32
      linalg.yield %60 : f32
    } -> tensor<196xf32>
    %expanded_2 = tensor.expand_shape %13 [[0, 1]] output_shape [196, 1] : tensor<196xf32> into tensor<196x1xf32>
    %cst_3 = arith.constant dense<1.920000e+02> : tensor<1x1xf32>
    %14 = tensor.empty() : tensor<196x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_2, %cst_3 : tensor<196x1xf32>, tensor<1x1xf32>) outs(%14 : tensor<196x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.divf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x1xf32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %16 = tensor.empty() : tensor<196x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_4 : tensor<196x1xf32>, tensor<1x1xf32>) outs(%16 : tensor<196x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.addf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x1xf32>
    %18 = tensor.empty() : tensor<196x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<196x1xf32>) outs(%18 : tensor<196x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.rsqrt %in : f32
      linalg.yield %60 : f32
    } -> tensor<196x1xf32>
    %20 = tensor.empty() : tensor<196x192xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %19 : tensor<196x192xf32>, tensor<196x1xf32>) outs(%20 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.mulf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %22 = tensor.empty() : tensor<196x192xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<196x192xf32>) outs(%22 : tensor<196x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %60 = arith.truncf %in : f32 to f16
      linalg.yield %60 : f16
    } -> tensor<196x192xf16>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<196x768xf32>
    %25 = linalg.fill ins(%cst_5 : f32) outs(%24 : tensor<196x768xf32>) -> tensor<196x768xf32>
    %26 = linalg.matmul ins(%23, %arg1 : tensor<196x192xf16>, tensor<192x768xf16>) outs(%25 : tensor<196x768xf32>) -> tensor<196x768xf32>
    %expanded_6 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 768] : tensor<768xf16> into tensor<1x768xf16>
    %27 = tensor.empty() : tensor<1x768xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_6 : tensor<1x768xf16>) outs(%27 : tensor<1x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %60 = arith.extf %in : f16 to f32
      linalg.yield %60 : f32
    } -> tensor<1x768xf32>
    %29 = tensor.empty() : tensor<196x768xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %28 : tensor<196x768xf32>, tensor<1x768xf32>) outs(%29 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.addf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %31 = tensor.empty() : tensor<196x768xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<196x768xf32>) outs(%31 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_11 = arith.constant 0.707106769 : f32
      %60 = arith.mulf %in, %cst_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %33 = tensor.empty() : tensor<196x768xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<196x768xf32>) outs(%33 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.erf %in : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %cst_7 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %35 = tensor.empty() : tensor<196x768xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %cst_7 : tensor<196x768xf32>, tensor<1x1xf32>) outs(%35 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.addf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %37 = tensor.empty() : tensor<196x768xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%30, %36 : tensor<196x768xf32>, tensor<196x768xf32>) outs(%37 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.mulf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %39 = tensor.empty() : tensor<196x768xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<196x768xf32>) outs(%39 : tensor<196x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_11 = arith.constant 5.000000e-01 : f32
      %60 = arith.mulf %in, %cst_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x768xf32>
    %41 = tensor.empty() : tensor<196x768xf16>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<196x768xf32>) outs(%41 : tensor<196x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %60 = arith.truncf %in : f32 to f16
      linalg.yield %60 : f16
    } -> tensor<196x768xf16>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %43 = tensor.empty() : tensor<196x192xf32>
    %44 = linalg.fill ins(%cst_8 : f32) outs(%43 : tensor<196x192xf32>) -> tensor<196x192xf32>
    %45 = linalg.matmul ins(%42, %arg3 : tensor<196x768xf16>, tensor<768x192xf16>) outs(%44 : tensor<196x192xf32>) -> tensor<196x192xf32>
    %expanded_9 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 192] : tensor<192xf16> into tensor<1x192xf16>
    %46 = tensor.empty() : tensor<1x192xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_9 : tensor<1x192xf16>) outs(%46 : tensor<1x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %60 = arith.extf %in : f16 to f32
      linalg.yield %60 : f32
    } -> tensor<1x192xf32>
    %48 = tensor.empty() : tensor<196x192xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%45, %47 : tensor<196x192xf32>, tensor<1x192xf32>) outs(%48 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.addf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %expanded_10 = tensor.expand_shape %arg5 [[0, 1]] output_shape [1, 192] : tensor<192xf16> into tensor<1x192xf16>
    %50 = tensor.empty() : tensor<1x192xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_10 : tensor<1x192xf16>) outs(%50 : tensor<1x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %60 = arith.extf %in : f16 to f32
      linalg.yield %60 : f32
    } -> tensor<1x192xf32>
    %52 = tensor.empty() : tensor<196x192xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %51 : tensor<196x192xf32>, tensor<1x192xf32>) outs(%52 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.mulf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %54 = tensor.empty() : tensor<196x192xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<196x192xf16>) outs(%54 : tensor<196x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %60 = arith.extf %in : f16 to f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %56 = tensor.empty() : tensor<196x192xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %55 : tensor<196x192xf32>, tensor<196x192xf32>) outs(%56 : tensor<196x192xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %60 = arith.addf %in, %in_11 : f32
      linalg.yield %60 : f32
    } -> tensor<196x192xf32>
    %58 = tensor.empty() : tensor<196x192xf16>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<196x192xf32>) outs(%58 : tensor<196x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %60 = arith.truncf %in : f32 to f16
      linalg.yield %60 : f16
    } -> tensor<196x192xf16>
    return %59 : tensor<196x192xf16>
  }
}

