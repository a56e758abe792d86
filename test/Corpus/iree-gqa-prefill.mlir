// iree-gqa-prefill
//   python export_jax.py . --route=iree gqa-prefill
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_attention {
  func.func public @main(%arg0: tensor<2x5x6x8xf32>, %arg1: tensor<2x7x2x8xf32>, %arg2: tensor<2x7x2x8xf32>) -> tensor<2x5x6x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 3, 8] : tensor<2x5x6x8xf32> into tensor<2x5x2x3x8xf32>
    %0 = tensor.empty() : tensor<2x2x7x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x7x2x8xf32>) outs(%0 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x7x8xf32>
    %2 = tensor.empty() : tensor<2x2x8x5x3xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x2x3x8xf32>) outs(%2 : tensor<2x2x8x5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x5x3xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x2x7x8xf32> into tensor<4x7x8xf32>
    %collapsed_2 = tensor.collapse_shape %3 [[0, 1], [2], [3, 4]] : tensor<2x2x8x5x3xf32> into tensor<4x8x15xf32>
    %4 = tensor.empty() : tensor<4x7x15xf32>
    %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<4x7x15xf32>) -> tensor<4x7x15xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<4x7x8xf32>, tensor<4x8x15xf32>) outs(%5 : tensor<4x7x15xf32>) -> tensor<4x7x15xf32>
    %expanded_3 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [2, 2, 7, 5, 3] : tensor<4x7x15xf32> into tensor<2x2x7x5x3xf32>
    %7 = tensor.empty() : tensor<2x2x3x5x7xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x2x7x5x3xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x3x5x7xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.divf %in, %cst_0 : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5x7xf32>
    %10 = tensor.empty() : tensor<2x2x3x5xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<2x2x3x5x7xf32>) outs(%11 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.maximumf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x3x5xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9, %13 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %29 = arith.subf %in, %in_8 : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5x7xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x3x5x7xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.exp %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5x7xf32>
    %16 = linalg.fill ins(%cst_1 : f32) outs(%10 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x2x3x5x7xf32>) outs(%16 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x2x3x5xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%7 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %29 = arith.divf %in, %in_8 : f32
      linalg.yield %29 : f32
    } -> tensor<2x2x3x5x7xf32>
    %20 = tensor.empty() : tensor<2x2x8x7xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x7x2x8xf32>) outs(%20 : tensor<2x2x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x7xf32>
    %22 = tensor.empty() : tensor<2x2x7x3x5xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x2x3x5x7xf32>) outs(%22 : tensor<2x2x7x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x7x3x5xf32>
    %collapsed_4 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<2x2x8x7xf32> into tensor<4x8x7xf32>
    %collapsed_5 = tensor.collapse_shape %23 [[0, 1], [2], [3, 4]] : tensor<2x2x7x3x5xf32> into tensor<4x7x15xf32>
    %24 = tensor.empty() : tensor<4x8x15xf32>
    %25 = linalg.fill ins(%cst_1 : f32) outs(%24 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %26 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x8x7xf32>, tensor<4x7x15xf32>) outs(%25 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %expanded_6 = tensor.expand_shape %26 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 3, 5] : tensor<4x8x15xf32> into tensor<2x2x8x3x5xf32>
    %27 = tensor.empty() : tensor<2x5x2x3x8xf32>
    %28 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x2x8x3x5xf32>) outs(%27 : tensor<2x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x3x8xf32>
    %collapsed_7 = tensor.collapse_shape %28 [[0], [1], [2, 3], [4]] : tensor<2x5x2x3x8xf32> into tensor<2x5x6x8xf32>
    return %collapsed_7 : tensor<2x5x6x8xf32>
  }
}
