// iree-vit-block
//   python export_jax.py . --route=iree vit-block
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_vit_block {
  func.func public @main(%arg0: tensor<1x7x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24x24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24x40xf32>, %arg10: tensor<40xf32>, %arg11: tensor<40x24xf32>, %arg12: tensor<24xf32>) -> tensor<1x7x24xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.797884583 : f32
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 2.82842708 : f32
    %cst_5 = arith.constant 9.99999997E-7 : f32
    %cst_6 = arith.constant 2.400000e+01 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x7xf32>
    %1 = linalg.fill ins(%cst_7 : f32) outs(%0 : tensor<1x7xf32>) -> tensor<1x7xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7xf32>
    %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %3 = tensor.empty() : tensor<1x7x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_6 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %5 = tensor.empty() : tensor<1x7x24xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7xf32>
    %expanded_8 = tensor.expand_shape %7 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_6 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.subf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %11 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.subf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst_5 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %17 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %19 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %collapsed = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<1x7x24xf32> into tensor<7x24xf32>
    %21 = tensor.empty() : tensor<7x24xf32>
    %22 = linalg.fill ins(%cst_7 : f32) outs(%21 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %23 = linalg.matmul ins(%collapsed, %arg3 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%22 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %24 = linalg.matmul ins(%collapsed, %arg4 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%22 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %expanded_9 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf32> into tensor<1x7x3x8xf32>
    %25 = linalg.matmul ins(%collapsed, %arg5 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%22 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %expanded_10 = tensor.expand_shape %25 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf32> into tensor<1x7x3x8xf32>
    %expanded_11 = tensor.expand_shape %23 [[0, 1], [2, 3, 4]] output_shape [1, 7, 3, 1, 8] : tensor<7x24xf32> into tensor<1x7x3x1x8xf32>
    %26 = tensor.empty() : tensor<1x3x7x8xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x7x3x8xf32>) outs(%26 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x8xf32>
    %28 = tensor.empty() : tensor<1x3x8x7x1xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x7x3x1x8xf32>) outs(%28 : tensor<1x3x8x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x8x7x1xf32>
    %collapsed_12 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<1x3x7x8xf32> into tensor<3x7x8xf32>
    %collapsed_13 = tensor.collapse_shape %29 [[0, 1], [2], [3, 4]] : tensor<1x3x8x7x1xf32> into tensor<3x8x7xf32>
    %30 = tensor.empty() : tensor<3x7x7xf32>
    %31 = linalg.fill ins(%cst_7 : f32) outs(%30 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %32 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<3x7x8xf32>, tensor<3x8x7xf32>) outs(%31 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %expanded_14 = tensor.expand_shape %32 [[0, 1], [2], [3, 4]] output_shape [1, 3, 7, 7, 1] : tensor<3x7x7xf32> into tensor<1x3x7x7x1xf32>
    %33 = tensor.empty() : tensor<1x3x1x7x7xf32>
    %34 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x3x7x7x1xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x1x7x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_4 : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7x7xf32>
    %36 = tensor.empty() : tensor<1x3x1x7xf32>
    %37 = linalg.fill ins(%cst_3 : f32) outs(%36 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x1x7x7xf32>) outs(%37 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.maximumf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7xf32>
    %39 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x3x1x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %40 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.subf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7x7xf32>
    %41 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x3x1x7x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.exp %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7x7xf32>
    %42 = linalg.fill ins(%cst_7 : f32) outs(%36 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x3x1x7x7xf32>) outs(%42 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x1x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %45 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%33 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.divf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x3x1x7x7xf32>
    %46 = tensor.empty() : tensor<1x3x8x7xf32>
    %47 = linalg.generic {indexing_maps = [#map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x7x3x8xf32>) outs(%46 : tensor<1x3x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x8x7xf32>
    %48 = tensor.empty() : tensor<1x3x7x1x7xf32>
    %49 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x1x7x7xf32>) outs(%48 : tensor<1x3x7x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x1x7xf32>
    %collapsed_15 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x8x7xf32> into tensor<3x8x7xf32>
    %collapsed_16 = tensor.collapse_shape %49 [[0, 1], [2], [3, 4]] : tensor<1x3x7x1x7xf32> into tensor<3x7x7xf32>
    %50 = tensor.empty() : tensor<3x8x7xf32>
    %51 = linalg.fill ins(%cst_7 : f32) outs(%50 : tensor<3x8x7xf32>) -> tensor<3x8x7xf32>
    %52 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<3x8x7xf32>, tensor<3x7x7xf32>) outs(%51 : tensor<3x8x7xf32>) -> tensor<3x8x7xf32>
    %expanded_17 = tensor.expand_shape %52 [[0, 1], [2], [3, 4]] output_shape [1, 3, 8, 1, 7] : tensor<3x8x7xf32> into tensor<1x3x8x1x7xf32>
    %53 = tensor.empty() : tensor<1x7x3x1x8xf32>
    %54 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x3x8x1x7xf32>) outs(%53 : tensor<1x7x3x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x3x1x8xf32>
    %collapsed_18 = tensor.collapse_shape %54 [[0, 1], [2, 3, 4]] : tensor<1x7x3x1x8xf32> into tensor<7x24xf32>
    %55 = linalg.matmul ins(%collapsed_18, %arg6 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%22 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %expanded_19 = tensor.expand_shape %55 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf32> into tensor<1x7x24xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_19 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7xf32>
    %expanded_20 = tensor.expand_shape %57 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_6 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7xf32>
    %expanded_21 = tensor.expand_shape %60 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_6 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %62 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.subf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %64 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %64 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.subf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst_5 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x1xf32>
    %68 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %70 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %72 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %72 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %collapsed_22 = tensor.collapse_shape %73 [[0, 1], [2]] : tensor<1x7x24xf32> into tensor<7x24xf32>
    %74 = tensor.empty() : tensor<7x40xf32>
    %75 = linalg.fill ins(%cst_7 : f32) outs(%74 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %76 = linalg.matmul ins(%collapsed_22, %arg9 : tensor<7x24xf32>, tensor<24x40xf32>) outs(%75 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %expanded_23 = tensor.expand_shape %76 [[0, 1], [2]] output_shape [1, 7, 40] : tensor<7x40xf32> into tensor<1x7x40xf32>
    %77 = tensor.empty() : tensor<1x7x40xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23, %78 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %79 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %cst_2 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %82 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %cst_1 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.tanh %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst_0 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %cst : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %87 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%77 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.mulf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x40xf32>
    %collapsed_24 = tensor.collapse_shape %88 [[0, 1], [2]] : tensor<1x7x40xf32> into tensor<7x40xf32>
    %89 = linalg.matmul ins(%collapsed_24, %arg11 : tensor<7x40xf32>, tensor<40x24xf32>) outs(%22 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %expanded_25 = tensor.expand_shape %89 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf32> into tensor<1x7x24xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25, %90 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %91 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%5 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %93 = arith.addf %in, %in_26 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x24xf32>
    return %92 : tensor<1x7x24xf32>
  }
}
