// One step of BLOOM: each head adds its slope times the keys' distances.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @alibi_decode(%arg0: tensor<16x1x64xf16>, %arg1: tensor<16x512x64xf16>, %arg2: tensor<16x512x64xf16>, %arg3: tensor<16x1x1xf16>, %arg4: tensor<1x1x512xf16>) -> tensor<16x1x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x1x512xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x1x512xf32>) -> tensor<16x1x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x1x64xf16>, tensor<16x512x64xf16>) outs(%1 : tensor<16x1x512xf32>) {
    ^bb0(%in: f16, %in_4: f16, %out: f32):
      %32 = arith.extf %in : f16 to f32
      %33 = arith.extf %in_4 : f16 to f32
      %34 = arith.mulf %32, %33 : f32
      %35 = arith.addf %out, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<16x1x512xf32>
    %3 = tensor.empty() : tensor<16x1x512xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<16x1x512xf32>) outs(%3 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 1.250000e-01 : f32
      %32 = arith.mulf %in, %cst_4 : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %5 = tensor.empty() : tensor<16x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<16x1x1xf16>) outs(%5 : tensor<16x1x1xf32>) {
    ^bb0(%in: f16, %out: f32):
      %32 = arith.extf %in : f16 to f32
      linalg.yield %32 : f32
    } -> tensor<16x1x1xf32>
    %7 = tensor.empty() : tensor<1x1x512xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x1x512xf16>) outs(%7 : tensor<1x1x512xf32>) {
    ^bb0(%in: f16, %out: f32):
      %32 = arith.extf %in : f16 to f32
      linalg.yield %32 : f32
    } -> tensor<1x1x512xf32>
    %9 = tensor.empty() : tensor<16x1x512xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<16x1x1xf32>, tensor<1x1x512xf32>) outs(%9 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %32 = arith.mulf %in, %in_4 : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %11 = tensor.empty() : tensor<16x1x512xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %10 : tensor<16x1x512xf32>, tensor<16x1x512xf32>) outs(%11 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %32 = arith.addf %in, %in_4 : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %13 = tensor.empty() : tensor<16x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<16x1x512xf32>) outs(%14 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.maximumf %in, %out : f32
      linalg.yield %32 : f32
    } -> tensor<16x1xf32>
    %expanded = tensor.expand_shape %15 [[0], [1, 2]] output_shape [16, 1, 1] : tensor<16x1xf32> into tensor<16x1x1xf32>
    %16 = tensor.empty() : tensor<16x1x512xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %expanded : tensor<16x1x512xf32>, tensor<16x1x1xf32>) outs(%16 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %32 = arith.subf %in, %in_4 : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %18 = tensor.empty() : tensor<16x1x512xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<16x1x512xf32>) outs(%18 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = math.exp %in : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %20 = tensor.empty() : tensor<16x1xf32>
    %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<16x1x512xf32>) outs(%21 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.addf %in, %out : f32
      linalg.yield %32 : f32
    } -> tensor<16x1xf32>
    %expanded_2 = tensor.expand_shape %22 [[0], [1, 2]] output_shape [16, 1, 1] : tensor<16x1xf32> into tensor<16x1x1xf32>
    %23 = tensor.empty() : tensor<16x1x512xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %expanded_2 : tensor<16x1x512xf32>, tensor<16x1x1xf32>) outs(%23 : tensor<16x1x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %32 = arith.divf %in, %in_4 : f32
      linalg.yield %32 : f32
    } -> tensor<16x1x512xf32>
    %25 = tensor.empty() : tensor<16x1x512xf16>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<16x1x512xf32>) outs(%25 : tensor<16x1x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %32 = arith.truncf %in : f32 to f16
      linalg.yield %32 : f16
    } -> tensor<16x1x512xf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<16x1x64xf32>
    %28 = linalg.fill ins(%cst_3 : f32) outs(%27 : tensor<16x1x64xf32>) -> tensor<16x1x64xf32>
    %29 = linalg.batch_matmul ins(%26, %arg2 : tensor<16x1x512xf16>, tensor<16x512x64xf16>) outs(%28 : tensor<16x1x64xf32>) -> tensor<16x1x64xf32>
    %30 = tensor.empty() : tensor<16x1x64xf16>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<16x1x64xf32>) outs(%30 : tensor<16x1x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %32 = arith.truncf %in : f32 to f16
      linalg.yield %32 : f16
    } -> tensor<16x1x64xf16>
    return %31 : tensor<16x1x64xf16>
  }
}

