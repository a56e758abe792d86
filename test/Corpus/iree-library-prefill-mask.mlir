// iree-library-prefill-mask
//   python export_jax.py . --route=iree library-prefill-mask
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_library_attention {
  func.func public @main(%arg0: tensor<2x5x6x8xf32>, %arg1: tensor<2x7x2x8xf32>, %arg2: tensor<2x7x2x8xf32>, %arg3: tensor<2x1x5x7xf32>) -> tensor<2x5x6x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.353553385 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 3, 8] : tensor<2x5x6x8xf32> into tensor<2x5x2x3x8xf32>
    %0 = tensor.empty() : tensor<2x1x3x5x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x5x7xf32>) outs(%0 : tensor<2x1x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x3x5x7xf32>
    %2 = tensor.empty() : tensor<2x2x5x3x8xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x2x3x8xf32>) outs(%2 : tensor<2x2x5x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x5x3x8xf32>
    %4 = tensor.empty() : tensor<2x2x8x7xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x7x2x8xf32>) outs(%4 : tensor<2x2x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x7xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1], [2, 3], [4]] : tensor<2x2x5x3x8xf32> into tensor<4x15x8xf32>
    %collapsed_2 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<2x2x8x7xf32> into tensor<4x8x7xf32>
    %6 = tensor.empty() : tensor<4x15x7xf32>
    %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<4x15x7xf32>) -> tensor<4x15x7xf32>
    %8 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<4x15x8xf32>, tensor<4x8x7xf32>) outs(%7 : tensor<4x15x7xf32>) -> tensor<4x15x7xf32>
    %expanded_3 = tensor.expand_shape %8 [[0, 1], [2, 3], [4]] output_shape [2, 2, 5, 3, 7] : tensor<4x15x7xf32> into tensor<2x2x5x3x7xf32>
    %9 = tensor.empty() : tensor<2x2x5x3x7xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x2x5x3x7xf32>) outs(%9 : tensor<2x2x5x3x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.mulf %in, %cst_0 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x5x3x7xf32>
    %11 = tensor.empty() : tensor<3x2x2x5x7xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x2x5x3x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x5x7xf32>
    %13 = tensor.empty() : tensor<3x2x1x5x7xf32>
    %14 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x3x5x7xf32>) outs(%13 : tensor<3x2x1x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x1x5x7xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<3x2x1x5x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x5x7xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<3x2x2x5x7xf32>, tensor<3x2x2x5x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.addf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5x7xf32>
    %17 = tensor.empty() : tensor<3x2x2x5xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<3x2x2x5xf32>) -> tensor<3x2x2x5xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<3x2x2x5x7xf32>) outs(%18 : tensor<3x2x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5xf32>
    %20 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<3x2x2x5xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x5x7xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<3x2x2x5x7xf32>, tensor<3x2x2x5x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.subf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5x7xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<3x2x2x5x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5x7xf32>
    %23 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<3x2x2x5xf32>) -> tensor<3x2x2x5xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<3x2x2x5x7xf32>) outs(%23 : tensor<3x2x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<3x2x2x5xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x5x7xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<3x2x2x5x7xf32>, tensor<3x2x2x5x7xf32>) outs(%11 : tensor<3x2x2x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.divf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x5x7xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x7x2x8xf32>) outs(%4 : tensor<2x2x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x7xf32>
    %28 = tensor.empty() : tensor<2x2x7x3x5xf32>
    %29 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<3x2x2x5x7xf32>) outs(%28 : tensor<2x2x7x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x7x3x5xf32>
    %collapsed_4 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x2x8x7xf32> into tensor<4x8x7xf32>
    %collapsed_5 = tensor.collapse_shape %29 [[0, 1], [2], [3, 4]] : tensor<2x2x7x3x5xf32> into tensor<4x7x15xf32>
    %30 = tensor.empty() : tensor<4x8x15xf32>
    %31 = linalg.fill ins(%cst_1 : f32) outs(%30 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %32 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x8x7xf32>, tensor<4x7x15xf32>) outs(%31 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %expanded_6 = tensor.expand_shape %32 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 3, 5] : tensor<4x8x15xf32> into tensor<2x2x8x3x5xf32>
    %33 = tensor.empty() : tensor<3x2x5x2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x2x8x3x5xf32>) outs(%33 : tensor<3x2x5x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x5x2x8xf32>
    %35 = tensor.empty() : tensor<2x5x2x3x8xf32>
    %36 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<3x2x5x2x8xf32>) outs(%35 : tensor<2x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x3x8xf32>
    %collapsed_7 = tensor.collapse_shape %36 [[0], [1], [2, 3], [4]] : tensor<2x5x2x3x8xf32> into tensor<2x5x6x8xf32>
    return %collapsed_7 : tensor<2x5x6x8xf32>
  }
}
