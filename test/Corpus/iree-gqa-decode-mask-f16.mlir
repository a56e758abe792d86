// iree-gqa-decode-mask-f16
//   python export_jax.py . --route=iree gqa-decode-mask-f16
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
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_attention {
  func.func public @main(%arg0: tensor<2x1x6x8xf16>, %arg1: tensor<2x11x2x8xf16>, %arg2: tensor<2x11x2x8xf16>, %arg3: tensor<2x1x1x11xf16>) -> tensor<2x1x6x8xf16> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 1, 2, 3, 8] : tensor<2x1x6x8xf16> into tensor<2x1x2x3x8xf16>
    %0 = tensor.empty() : tensor<2x2x11x8xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x11x2x8xf16>) outs(%0 : tensor<2x2x11x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x11x8xf16>
    %2 = tensor.empty() : tensor<2x2x8x1x3xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x2x3x8xf16>) outs(%2 : tensor<2x2x8x1x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x8x1x3xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x2x11x8xf16> into tensor<4x11x8xf16>
    %collapsed_2 = tensor.collapse_shape %3 [[0, 1], [2], [3, 4]] : tensor<2x2x8x1x3xf16> into tensor<4x8x3xf16>
    %4 = tensor.empty() : tensor<4x11x3xf32>
    %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<4x11x3xf32>) -> tensor<4x11x3xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<4x11x8xf16>, tensor<4x8x3xf16>) outs(%5 : tensor<4x11x3xf32>) -> tensor<4x11x3xf32>
    %expanded_3 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [2, 2, 11, 1, 3] : tensor<4x11x3xf32> into tensor<2x2x11x1x3xf32>
    %7 = tensor.empty() : tensor<2x2x3x1x11xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x2x11x1x3xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.divf %in, %cst_0 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1x11xf32>
    %10 = tensor.empty() : tensor<2x1x1x11xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x1x11xf16>) outs(%10 : tensor<2x1x1x11xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x1x1x11xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x1x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9, %12 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.addf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1x11xf32>
    %14 = tensor.empty() : tensor<2x2x3x1xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<2x2x3x1x11xf32>) outs(%15 : tensor<2x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x2x3x1xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %17 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.subf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1x11xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1x11xf32>
    %20 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x2x3x1x11xf32>) outs(%20 : tensor<2x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x2x3x1xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x1x11xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<2x2x3x1x11xf32>, tensor<2x2x3x1x11xf32>) outs(%7 : tensor<2x2x3x1x11xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %37 = arith.divf %in, %in_8 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x3x1x11xf32>
    %24 = tensor.empty() : tensor<2x2x3x1x11xf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x2x3x1x11xf32>) outs(%24 : tensor<2x2x3x1x11xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<2x2x3x1x11xf16>
    %26 = tensor.empty() : tensor<2x2x8x11xf16>
    %27 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x11x2x8xf16>) outs(%26 : tensor<2x2x8x11xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x8x11xf16>
    %28 = tensor.empty() : tensor<2x2x11x3x1xf16>
    %29 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x2x3x1x11xf16>) outs(%28 : tensor<2x2x11x3x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x11x3x1xf16>
    %collapsed_4 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x2x8x11xf16> into tensor<4x8x11xf16>
    %collapsed_5 = tensor.collapse_shape %29 [[0, 1], [2], [3, 4]] : tensor<2x2x11x3x1xf16> into tensor<4x11x3xf16>
    %30 = tensor.empty() : tensor<4x8x3xf32>
    %31 = linalg.fill ins(%cst_1 : f32) outs(%30 : tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
    %32 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x8x11xf16>, tensor<4x11x3xf16>) outs(%31 : tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
    %33 = tensor.empty() : tensor<4x8x3xf16>
    %34 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<4x8x3xf32>) outs(%33 : tensor<4x8x3xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<4x8x3xf16>
    %expanded_6 = tensor.expand_shape %34 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 3, 1] : tensor<4x8x3xf16> into tensor<2x2x8x3x1xf16>
    %35 = tensor.empty() : tensor<2x1x2x3x8xf16>
    %36 = linalg.generic {indexing_maps = [#map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x2x8x3x1xf16>) outs(%35 : tensor<2x1x2x3x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x1x2x3x8xf16>
    %collapsed_7 = tensor.collapse_shape %36 [[0], [1], [2, 3], [4]] : tensor<2x1x2x3x8xf16> into tensor<2x1x6x8xf16>
    return %collapsed_7 : tensor<2x1x6x8xf16>
  }
}
