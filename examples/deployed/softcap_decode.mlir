// One step of attention with a soft cap, two queries for each head of keys.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @softcap_decode(%arg0: tensor<4x2x256xf16>, %arg1: tensor<4x1024x256xf16>, %arg2: tensor<4x1024x256xf16>) -> tensor<4x2x256xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x2x1024xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x2x1024xf32>) -> tensor<4x2x1024xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x2x256xf16>, tensor<4x1024x256xf16>) outs(%1 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f16, %in_4: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      %31 = arith.extf %in_4 : f16 to f32
      %32 = arith.mulf %30, %31 : f32
      %33 = arith.addf %out, %32 : f32
      linalg.yield %33 : f32
    } -> tensor<4x2x1024xf32>
    %3 = tensor.empty() : tensor<4x2x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<4x2x1024xf32>) outs(%3 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 6.250000e-02 : f32
      %30 = arith.mulf %in, %cst_4 : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %5 = tensor.empty() : tensor<4x2x1024xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x2x1024xf32>) outs(%5 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 2.000000e-02 : f32
      %30 = arith.mulf %in, %cst_4 : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %7 = tensor.empty() : tensor<4x2x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x2x1024xf32>) outs(%7 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.tanh %in : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %9 = tensor.empty() : tensor<4x2x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<4x2x1024xf32>) outs(%9 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 5.000000e+01 : f32
      %30 = arith.mulf %in, %cst_4 : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %11 = tensor.empty() : tensor<4x2xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x2x1024xf32>) outs(%12 : tensor<4x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.maximumf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<4x2xf32>
    %expanded = tensor.expand_shape %13 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xf32> into tensor<4x2x1xf32>
    %14 = tensor.empty() : tensor<4x2x1024xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %expanded : tensor<4x2x1024xf32>, tensor<4x2x1xf32>) outs(%14 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.subf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %16 = tensor.empty() : tensor<4x2x1024xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x2x1024xf32>) outs(%16 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %18 = tensor.empty() : tensor<4x2xf32>
    %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<4x2x1024xf32>) outs(%19 : tensor<4x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<4x2xf32>
    %expanded_2 = tensor.expand_shape %20 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xf32> into tensor<4x2x1xf32>
    %21 = tensor.empty() : tensor<4x2x1024xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %expanded_2 : tensor<4x2x1024xf32>, tensor<4x2x1xf32>) outs(%21 : tensor<4x2x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.divf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<4x2x1024xf32>
    %23 = tensor.empty() : tensor<4x2x1024xf16>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<4x2x1024xf32>) outs(%23 : tensor<4x2x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<4x2x1024xf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<4x2x256xf32>
    %26 = linalg.fill ins(%cst_3 : f32) outs(%25 : tensor<4x2x256xf32>) -> tensor<4x2x256xf32>
    %27 = linalg.batch_matmul ins(%24, %arg2 : tensor<4x2x1024xf16>, tensor<4x1024x256xf16>) outs(%26 : tensor<4x2x256xf32>) -> tensor<4x2x256xf32>
    %28 = tensor.empty() : tensor<4x2x256xf16>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x2x256xf32>) outs(%28 : tensor<4x2x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<4x2x256xf16>
    return %29 : tensor<4x2x256xf16>
  }
}

