// iree-gqa-decode-mask
//   python export_jax.py . --route=iree gqa-decode-mask
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_attention {
  func.func public @main(%arg0: tensor<2x1x6x8xf32>, %arg1: tensor<2x11x2x8xf32>, %arg2: tensor<2x11x2x8xf32>, %arg3: tensor<2x1x1x11xf32>) -> tensor<2x1x6x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 1, 2, 3, 8] : tensor<2x1x6x8xf32> into tensor<2x1x2x3x8xf32>
    %0 = tensor.empty() : tensor<2x2x11x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x11x2x8xf32>) outs(%0 : tensor<2x2x11x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x11x8xf32>
    %2 = tensor.empty() : tensor<2x2x8x1x3xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x2x3x8xf32>) outs(%2 : tensor<2x2x8x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x1x3xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x2x11x8xf32> into tensor<4x11x8xf32>
    %collapsed_2 = tensor.collapse_shape %3 [[0, 1], [2], [3, 4]] : tensor<2x2x8x1x3xf32> into tensor<4x8x3xf32>
    %4 = tensor.empty() : tensor<4x11x3xf32>
    %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<4x11x3xf32>) -> tensor<4x11x3xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<4x11x8xf32>, tensor<4x8x3xf32>) outs(%5 : tensor<4x11x3xf32>) -> tensor<4x11x3xf32>
    %expanded_3 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [2, 2, 11, 1, 3] : tensor<4x11x3xf32> into tensor<2x2x11x1x3xf32>
    %7 = tensor.empty() : tensor<2x2x3x1x11xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x2x11x1x3xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_0 : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1x11xf32>
    %10 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %31 = arith.addf %in, %in_8 : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1x11xf32>
    %12 = tensor.empty() : tensor<2x2x3x1xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<2x2x3x1x11xf32>) outs(%13 : tensor<2x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.maximumf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x3x1xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11, %15 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %31 = arith.subf %in, %in_8 : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1x11xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1x11xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x2x3x1x11xf32>) outs(%18 : tensor<2x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x2x3x1xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %31 = arith.divf %in, %in_8 : f32
      linalg.yield %31 : f32
    } -> tensor<2x2x3x1x11xf32>
    %22 = tensor.empty() : tensor<2x2x8x11xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x11x2x8xf32>) outs(%22 : tensor<2x2x8x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x11xf32>
    %24 = tensor.empty() : tensor<2x2x11x3x1xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x2x3x1x11xf32>) outs(%24 : tensor<2x2x11x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x11x3x1xf32>
    %collapsed_4 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x2x8x11xf32> into tensor<4x8x11xf32>
    %collapsed_5 = tensor.collapse_shape %25 [[0, 1], [2], [3, 4]] : tensor<2x2x11x3x1xf32> into tensor<4x11x3xf32>
    %26 = tensor.empty() : tensor<4x8x3xf32>
    %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
    %28 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x8x11xf32>, tensor<4x11x3xf32>) outs(%27 : tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
    %expanded_6 = tensor.expand_shape %28 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 3, 1] : tensor<4x8x3xf32> into tensor<2x2x8x3x1xf32>
    %29 = tensor.empty() : tensor<2x1x2x3x8xf32>
    %30 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x2x8x3x1xf32>) outs(%29 : tensor<2x1x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x3x8xf32>
    %collapsed_7 = tensor.collapse_shape %30 [[0], [1], [2, 3], [4]] : tensor<2x1x2x3x8xf32> into tensor<2x1x6x8xf32>
    return %collapsed_7 : tensor<2x1x6x8xf32>
  }
}
