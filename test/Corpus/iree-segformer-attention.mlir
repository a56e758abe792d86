// iree-segformer-attention
//   python export_jax.py . --route=iree segformer-attention
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_segformer_attention {
  func.func public @main(%arg0: tensor<1x4x6x12xf32>, %arg1: tensor<2x2x12x12xf32>, %arg2: tensor<12xf32>, %arg3: tensor<12xf32>, %arg4: tensor<12x12xf32>, %arg5: tensor<12x12xf32>, %arg6: tensor<12x12xf32>, %arg7: tensor<12x12xf32>) -> tensor<1x4x6x12xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant 9.99999997E-7 : f32
    %cst_2 = arith.constant 1.200000e+01 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x3x12xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<1x2x3x12xf32>) -> tensor<1x2x3x12xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x4x6x12xf32>, tensor<2x2x12x12xf32>) outs(%1 : tensor<1x2x3x12xf32>) -> tensor<1x2x3x12xf32>
    %3 = tensor.empty() : tensor<1x2x3xf32>
    %4 = linalg.fill ins(%cst_3 : f32) outs(%3 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<1x2x3x12xf32>) outs(%4 : tensor<1x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3xf32>
    %expanded = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %6 = tensor.empty() : tensor<1x2x3x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_2 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x12xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x3x12xf32>) outs(%4 : tensor<1x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3xf32>
    %expanded_4 = tensor.expand_shape %9 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_2 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.subf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %13 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.subf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x12xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %in, %cst_1 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.rsqrt %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x1xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.mulf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x12xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %19 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.mulf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x12xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %21 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.addf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x3x12xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2], [3]] : tensor<1x4x6x12xf32> into tensor<24x12xf32>
    %23 = tensor.empty() : tensor<24x12xf32>
    %24 = linalg.fill ins(%cst_3 : f32) outs(%23 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %25 = linalg.matmul ins(%collapsed, %arg4 : tensor<24x12xf32>, tensor<12x12xf32>) outs(%24 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %collapsed_5 = tensor.collapse_shape %22 [[0, 1, 2], [3]] : tensor<1x2x3x12xf32> into tensor<6x12xf32>
    %26 = tensor.empty() : tensor<6x12xf32>
    %27 = linalg.fill ins(%cst_3 : f32) outs(%26 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %28 = linalg.matmul ins(%collapsed_5, %arg5 : tensor<6x12xf32>, tensor<12x12xf32>) outs(%27 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %expanded_6 = tensor.expand_shape %28 [[0, 1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<6x12xf32> into tensor<1x6x3x4xf32>
    %29 = linalg.matmul ins(%collapsed_5, %arg6 : tensor<6x12xf32>, tensor<12x12xf32>) outs(%27 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %expanded_7 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<6x12xf32> into tensor<1x6x3x4xf32>
    %expanded_8 = tensor.expand_shape %25 [[0, 1], [2, 3, 4]] output_shape [1, 24, 3, 1, 4] : tensor<24x12xf32> into tensor<1x24x3x1x4xf32>
    %30 = tensor.empty() : tensor<1x3x6x4xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x6x3x4xf32>) outs(%30 : tensor<1x3x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x6x4xf32>
    %32 = tensor.empty() : tensor<1x3x4x24x1xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x24x3x1x4xf32>) outs(%32 : tensor<1x3x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4x24x1xf32>
    %collapsed_9 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x3x6x4xf32> into tensor<3x6x4xf32>
    %collapsed_10 = tensor.collapse_shape %33 [[0, 1], [2], [3, 4]] : tensor<1x3x4x24x1xf32> into tensor<3x4x24xf32>
    %34 = tensor.empty() : tensor<3x6x24xf32>
    %35 = linalg.fill ins(%cst_3 : f32) outs(%34 : tensor<3x6x24xf32>) -> tensor<3x6x24xf32>
    %36 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<3x6x4xf32>, tensor<3x4x24xf32>) outs(%35 : tensor<3x6x24xf32>) -> tensor<3x6x24xf32>
    %expanded_11 = tensor.expand_shape %36 [[0, 1], [2], [3, 4]] output_shape [1, 3, 6, 24, 1] : tensor<3x6x24xf32> into tensor<1x3x6x24x1xf32>
    %37 = tensor.empty() : tensor<1x3x1x24x6xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x3x6x24x1xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x3x1x24x6xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_0 : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24x6xf32>
    %40 = tensor.empty() : tensor<1x3x1x24xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<1x3x1x24xf32>) -> tensor<1x3x1x24xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x3x1x24x6xf32>) outs(%41 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.maximumf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x3x1x24xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<1x3x1x24x6xf32>, tensor<1x3x1x24x6xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.subf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24x6xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x3x1x24x6xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.exp %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24x6xf32>
    %46 = linalg.fill ins(%cst_3 : f32) outs(%40 : tensor<1x3x1x24xf32>) -> tensor<1x3x1x24xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x3x1x24x6xf32>) outs(%46 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24xf32>
    %48 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x3x1x24xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<1x3x1x24x6xf32>, tensor<1x3x1x24x6xf32>) outs(%37 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %60 = arith.divf %in, %in_17 : f32
      linalg.yield %60 : f32
    } -> tensor<1x3x1x24x6xf32>
    %50 = tensor.empty() : tensor<1x3x4x6xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x6x3x4xf32>) outs(%50 : tensor<1x3x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4x6xf32>
    %52 = tensor.empty() : tensor<1x3x6x1x24xf32>
    %53 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x3x1x24x6xf32>) outs(%52 : tensor<1x3x6x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x6x1x24xf32>
    %collapsed_12 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x3x4x6xf32> into tensor<3x4x6xf32>
    %collapsed_13 = tensor.collapse_shape %53 [[0, 1], [2], [3, 4]] : tensor<1x3x6x1x24xf32> into tensor<3x6x24xf32>
    %54 = tensor.empty() : tensor<3x4x24xf32>
    %55 = linalg.fill ins(%cst_3 : f32) outs(%54 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %56 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<3x4x6xf32>, tensor<3x6x24xf32>) outs(%55 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %expanded_14 = tensor.expand_shape %56 [[0, 1], [2], [3, 4]] output_shape [1, 3, 4, 1, 24] : tensor<3x4x24xf32> into tensor<1x3x4x1x24xf32>
    %57 = tensor.empty() : tensor<1x24x3x1x4xf32>
    %58 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x3x4x1x24xf32>) outs(%57 : tensor<1x24x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x3x1x4xf32>
    %collapsed_15 = tensor.collapse_shape %58 [[0, 1], [2, 3, 4]] : tensor<1x24x3x1x4xf32> into tensor<24x12xf32>
    %59 = linalg.matmul ins(%collapsed_15, %arg7 : tensor<24x12xf32>, tensor<12x12xf32>) outs(%24 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %expanded_16 = tensor.expand_shape %59 [[0, 1, 2], [3]] output_shape [1, 4, 6, 12] : tensor<24x12xf32> into tensor<1x4x6x12xf32>
    return %expanded_16 : tensor<1x4x6x12xf32>
  }
}
