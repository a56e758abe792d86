// GPT-2's layer: products with biases, a gelu between, and the input added.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @gelu_mlp(%arg0: tensor<64x768xf16>, %arg1: tensor<768x3072xf16>, %arg2: tensor<3072xf16>, %arg3: tensor<3072x768xf16>, %arg4: tensor<768xf16>) -> tensor<64x768xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x3072xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x3072xf32>) -> tensor<64x3072xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<64x768xf16>, tensor<768x3072xf16>) outs(%1 : tensor<64x3072xf32>) -> tensor<64x3072xf32>
    %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 3072] : tensor<3072xf16> into tensor<1x3072xf16>
    %3 = tensor.empty() : tensor<1x3072xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x3072xf16>) outs(%3 : tensor<1x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %40 = arith.extf %in : f16 to f32
      linalg.yield %40 : f32
    } -> tensor<1x3072xf32>
    %5 = tensor.empty() : tensor<64x3072xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %4 : tensor<64x3072xf32>, tensor<1x3072xf32>) outs(%5 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.addf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %7 = tensor.empty() : tensor<64x3072xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<64x3072xf32>, tensor<64x3072xf32>) outs(%7 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.mulf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %9 = tensor.empty() : tensor<64x3072xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %6 : tensor<64x3072xf32>, tensor<64x3072xf32>) outs(%9 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.mulf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %11 = tensor.empty() : tensor<64x3072xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<64x3072xf32>) outs(%11 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_3 = arith.constant 4.471500e-02 : f32
      %40 = arith.mulf %in, %cst_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %13 = tensor.empty() : tensor<64x3072xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %12 : tensor<64x3072xf32>, tensor<64x3072xf32>) outs(%13 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.addf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %15 = tensor.empty() : tensor<64x3072xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<64x3072xf32>) outs(%15 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_3 = arith.constant 0.797884583 : f32
      %40 = arith.mulf %in, %cst_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %17 = tensor.empty() : tensor<64x3072xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<64x3072xf32>) outs(%17 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.tanh %in : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %19 = tensor.empty() : tensor<64x3072xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %cst_0 : tensor<64x3072xf32>, tensor<1x1xf32>) outs(%19 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.addf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %21 = tensor.empty() : tensor<64x3072xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %20 : tensor<64x3072xf32>, tensor<64x3072xf32>) outs(%21 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.mulf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %23 = tensor.empty() : tensor<64x3072xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<64x3072xf32>) outs(%23 : tensor<64x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_3 = arith.constant 5.000000e-01 : f32
      %40 = arith.mulf %in, %cst_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x3072xf32>
    %25 = tensor.empty() : tensor<64x3072xf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<64x3072xf32>) outs(%25 : tensor<64x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %40 = arith.truncf %in : f32 to f16
      linalg.yield %40 : f16
    } -> tensor<64x3072xf16>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<64x768xf32>
    %28 = linalg.fill ins(%cst_1 : f32) outs(%27 : tensor<64x768xf32>) -> tensor<64x768xf32>
    %29 = linalg.matmul ins(%26, %arg3 : tensor<64x3072xf16>, tensor<3072x768xf16>) outs(%28 : tensor<64x768xf32>) -> tensor<64x768xf32>
    %expanded_2 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 768] : tensor<768xf16> into tensor<1x768xf16>
    %30 = tensor.empty() : tensor<1x768xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_2 : tensor<1x768xf16>) outs(%30 : tensor<1x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %40 = arith.extf %in : f16 to f32
      linalg.yield %40 : f32
    } -> tensor<1x768xf32>
    %32 = tensor.empty() : tensor<64x768xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<64x768xf32>, tensor<1x768xf32>) outs(%32 : tensor<64x768xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.addf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x768xf32>
    %34 = tensor.empty() : tensor<64x768xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x768xf16>) outs(%34 : tensor<64x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %40 = arith.extf %in : f16 to f32
      linalg.yield %40 : f32
    } -> tensor<64x768xf32>
    %36 = tensor.empty() : tensor<64x768xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %35 : tensor<64x768xf32>, tensor<64x768xf32>) outs(%36 : tensor<64x768xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %40 = arith.addf %in, %in_3 : f32
      linalg.yield %40 : f32
    } -> tensor<64x768xf32>
    %38 = tensor.empty() : tensor<64x768xf16>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<64x768xf32>) outs(%38 : tensor<64x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %40 = arith.truncf %in : f32 to f16
      linalg.yield %40 : f16
    } -> tensor<64x768xf16>
    return %39 : tensor<64x768xf16>
  }
}

