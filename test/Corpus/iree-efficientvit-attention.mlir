// iree-efficientvit-attention
//   python export_jax.py . --route=iree efficientvit-attention
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module @jit_efficientvit_attention {
  func.func public @main(%arg0: tensor<1x5x6x10xf32>, %arg1: tensor<1x1x10x36xf32>, %arg2: tensor<1x1x12x10xf32>) -> tensor<1x5x6x10xf32> {
    %cst = arith.constant 9.99999997E-7 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x6x36xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x5x6x36xf32>) -> tensor<1x5x6x36xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x5x6x10xf32>, tensor<1x1x10x36xf32>) outs(%1 : tensor<1x5x6x36xf32>) -> tensor<1x5x6x36xf32>
    %collapsed = tensor.collapse_shape %2 [[0, 1, 2, 3]] : tensor<1x5x6x36xf32> into tensor<1080xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2, 3, 4]] output_shape [1, 30, 3, 3, 4] : tensor<1080xf32> into tensor<1x30x3x3x4xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_1 = tensor.collapse_shape %extracted_slice [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %extracted_slice_2 = tensor.extract_slice %expanded[0, 0, 1, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_3 = tensor.collapse_shape %extracted_slice_2 [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %extracted_slice_4 = tensor.extract_slice %expanded[0, 0, 2, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %3 = tensor.empty() : tensor<1x30x3x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_1 : tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.maximumf %in, %cst_0 : f32
      linalg.yield %35 : f32
    } -> tensor<1x30x3x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_3 : tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.maximumf %in, %cst_0 : f32
      linalg.yield %35 : f32
    } -> tensor<1x30x3x4xf32>
    %6 = tensor.empty() : tensor<1x3x4x30xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x30x3x4xf32>) outs(%6 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4x30xf32>
    %8 = tensor.empty() : tensor<1x3x30x4xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_5 : tensor<1x30x3x4xf32>) outs(%8 : tensor<1x3x30x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x30x4xf32>
    %collapsed_6 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x3x4x30xf32> into tensor<3x4x30xf32>
    %collapsed_7 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x3x30x4xf32> into tensor<3x30x4xf32>
    %10 = tensor.empty() : tensor<3x4x4xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %12 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<3x4x30xf32>, tensor<3x30x4xf32>) outs(%11 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %expanded_8 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [1, 3, 4, 4] : tensor<3x4x4xf32> into tensor<1x3x4x4xf32>
    %13 = tensor.empty() : tensor<1x3x4xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x30x3x4xf32>) outs(%14 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %out, %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x3x4xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x30x3x4xf32>) outs(%6 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4x30xf32>
    %collapsed_9 = tensor.collapse_shape %15 [[0, 1, 2]] : tensor<1x3x4xf32> into tensor<12xf32>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1, 2]] output_shape [3, 1, 4] : tensor<12xf32> into tensor<3x1x4xf32>
    %collapsed_11 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x3x4x30xf32> into tensor<3x4x30xf32>
    %17 = tensor.empty() : tensor<3x1x30xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<3x1x30xf32>) -> tensor<3x1x30xf32>
    %19 = linalg.batch_matmul ins(%expanded_10, %collapsed_11 : tensor<3x1x4xf32>, tensor<3x4x30xf32>) outs(%18 : tensor<3x1x30xf32>) -> tensor<3x1x30xf32>
    %collapsed_12 = tensor.collapse_shape %19 [[0, 1, 2]] : tensor<3x1x30xf32> into tensor<90xf32>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0, 1, 2]] output_shape [1, 3, 30] : tensor<90xf32> into tensor<1x3x30xf32>
    %20 = tensor.empty() : tensor<1x30x3xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x3x30xf32>) outs(%20 : tensor<1x30x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3xf32>
    %22 = tensor.empty() : tensor<1x3x4x4xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x3x4x4xf32>) outs(%22 : tensor<1x3x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4x4xf32>
    %collapsed_14 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x3x4x4xf32> into tensor<3x4x4xf32>
    %24 = tensor.empty() : tensor<3x4x30xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<3x4x30xf32>) -> tensor<3x4x30xf32>
    %26 = linalg.batch_matmul ins(%collapsed_14, %collapsed_11 : tensor<3x4x4xf32>, tensor<3x4x30xf32>) outs(%25 : tensor<3x4x30xf32>) -> tensor<3x4x30xf32>
    %expanded_15 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 3, 4, 30] : tensor<3x4x30xf32> into tensor<1x3x4x30xf32>
    %27 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x3x4x30xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x4xf32>
    %expanded_16 = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 30, 3, 1] : tensor<1x30x3xf32> into tensor<1x30x3x1xf32>
    %28 = tensor.empty() : tensor<1x30x3x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x30x3x1xf32>) outs(%28 : tensor<1x30x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %cst : f32
      linalg.yield %35 : f32
    } -> tensor<1x30x3x1xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x30x3x1xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x4xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x30x3x4xf32>, tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %35 = arith.divf %in, %in_19 : f32
      linalg.yield %35 : f32
    } -> tensor<1x30x3x4xf32>
    %collapsed_17 = tensor.collapse_shape %31 [[0, 1, 2, 3]] : tensor<1x30x3x4xf32> into tensor<360xf32>
    %expanded_18 = tensor.expand_shape %collapsed_17 [[0, 1, 2, 3]] output_shape [1, 5, 6, 12] : tensor<360xf32> into tensor<1x5x6x12xf32>
    %32 = tensor.empty() : tensor<1x5x6x10xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<1x5x6x10xf32>) -> tensor<1x5x6x10xf32>
    %34 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_18, %arg2 : tensor<1x5x6x12xf32>, tensor<1x1x12x10xf32>) outs(%33 : tensor<1x5x6x10xf32>) -> tensor<1x5x6x10xf32>
    return %34 : tensor<1x5x6x10xf32>
  }
}
