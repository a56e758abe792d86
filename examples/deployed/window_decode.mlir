// One step of sliding window attention, with a mask of which keys are near.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @window_decode(%arg0: tensor<8x4x128xf16>, %arg1: tensor<8x1024x128xf16>, %arg2: tensor<8x1024x128xf16>, %arg3: tensor<1x1x1024xf16>) -> tensor<8x4x128xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x4x1024xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x4x1024xf32>) -> tensor<8x4x1024xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x4x128xf16>, tensor<8x1024x128xf16>) outs(%1 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f16, %in_4: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      %29 = arith.extf %in_4 : f16 to f32
      %30 = arith.mulf %28, %29 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<8x4x1024xf32>
    %3 = tensor.empty() : tensor<8x4x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x4x1024xf32>) outs(%3 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 0.0883883461 : f32
      %28 = arith.mulf %in, %cst_4 : f32
      linalg.yield %28 : f32
    } -> tensor<8x4x1024xf32>
    %5 = tensor.empty() : tensor<1x1x1024xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x1024xf16>) outs(%5 : tensor<1x1x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<1x1x1024xf32>
    %7 = tensor.empty() : tensor<8x4x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<8x4x1024xf32>, tensor<1x1x1024xf32>) outs(%7 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.addf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<8x4x1024xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<8x4x1024xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.maximumf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<8x4xf32>
    %expanded = tensor.expand_shape %11 [[0], [1, 2]] output_shape [8, 4, 1] : tensor<8x4xf32> into tensor<8x4x1xf32>
    %12 = tensor.empty() : tensor<8x4x1024xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %expanded : tensor<8x4x1024xf32>, tensor<8x4x1xf32>) outs(%12 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.subf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<8x4x1024xf32>
    %14 = tensor.empty() : tensor<8x4x1024xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<8x4x1024xf32>) outs(%14 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x4x1024xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<8x4xf32>
    %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<8x4x1024xf32>) outs(%17 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<8x4xf32>
    %expanded_2 = tensor.expand_shape %18 [[0], [1, 2]] output_shape [8, 4, 1] : tensor<8x4xf32> into tensor<8x4x1xf32>
    %19 = tensor.empty() : tensor<8x4x1024xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %expanded_2 : tensor<8x4x1024xf32>, tensor<8x4x1xf32>) outs(%19 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.divf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<8x4x1024xf32>
    %21 = tensor.empty() : tensor<8x4x1024xf16>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<8x4x1024xf32>) outs(%21 : tensor<8x4x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %28 = arith.truncf %in : f32 to f16
      linalg.yield %28 : f16
    } -> tensor<8x4x1024xf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %23 = tensor.empty() : tensor<8x4x128xf32>
    %24 = linalg.fill ins(%cst_3 : f32) outs(%23 : tensor<8x4x128xf32>) -> tensor<8x4x128xf32>
    %25 = linalg.batch_matmul ins(%22, %arg2 : tensor<8x4x1024xf16>, tensor<8x1024x128xf16>) outs(%24 : tensor<8x4x128xf32>) -> tensor<8x4x128xf32>
    %26 = tensor.empty() : tensor<8x4x128xf16>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<8x4x128xf32>) outs(%26 : tensor<8x4x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %28 = arith.truncf %in : f32 to f16
      linalg.yield %28 : f16
    } -> tensor<8x4x128xf16>
    return %27 : tensor<8x4x128xf16>
  }
}

