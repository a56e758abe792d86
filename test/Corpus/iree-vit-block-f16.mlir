// iree-vit-block-f16
//   python export_jax.py . --route=iree vit-block-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_vit_block {
  func.func public @main(%arg0: tensor<1x7x24xf16>, %arg1: tensor<24xf16>, %arg2: tensor<24xf16>, %arg3: tensor<24x24xf16>, %arg4: tensor<24x24xf16>, %arg5: tensor<24x24xf16>, %arg6: tensor<24x24xf16>, %arg7: tensor<24xf16>, %arg8: tensor<24xf16>, %arg9: tensor<24x40xf16>, %arg10: tensor<40xf16>, %arg11: tensor<40x24xf16>, %arg12: tensor<24xf16>) -> tensor<1x7x24xf16> {
    %cst = arith.constant 5.000000e-01 : f16
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 7.978520e-01 : f16
    %cst_2 = arith.constant 4.470830e-02 : f16
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 2.82842708 : f32
    %cst_5 = arith.constant 9.99999997E-7 : f32
    %cst_6 = arith.constant 2.400000e+01 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x7x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x24xf16>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %2 = tensor.empty() : tensor<1x7xf32>
    %3 = linalg.fill ins(%cst_7 : f32) outs(%2 : tensor<1x7xf32>) -> tensor<1x7xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7xf32>
    %expanded = tensor.expand_shape %4 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %5 = tensor.empty() : tensor<1x7x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_6 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7xf32>
    %expanded_8 = tensor.expand_shape %8 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_6 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.subf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %12 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.subf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %cst_5 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.mulf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %18 = tensor.empty() : tensor<24xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%18 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<24xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.mulf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg2 : tensor<24xf16>) outs(%18 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<24xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %23 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.addf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %25 = tensor.empty() : tensor<1x7x24xf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x7x24xf32>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x7x24xf16>
    %collapsed = tensor.collapse_shape %26 [[0, 1], [2]] : tensor<1x7x24xf16> into tensor<7x24xf16>
    %27 = tensor.empty() : tensor<7x24xf32>
    %28 = linalg.fill ins(%cst_7 : f32) outs(%27 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %29 = linalg.matmul ins(%collapsed, %arg3 : tensor<7x24xf16>, tensor<24x24xf16>) outs(%28 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %30 = tensor.empty() : tensor<7x24xf16>
    %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<7x24xf32>) outs(%30 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x24xf16>
    %32 = linalg.matmul ins(%collapsed, %arg4 : tensor<7x24xf16>, tensor<24x24xf16>) outs(%28 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<7x24xf32>) outs(%30 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x24xf16>
    %expanded_9 = tensor.expand_shape %33 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf16> into tensor<1x7x3x8xf16>
    %34 = linalg.matmul ins(%collapsed, %arg5 : tensor<7x24xf16>, tensor<24x24xf16>) outs(%28 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<7x24xf32>) outs(%30 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x24xf16>
    %expanded_10 = tensor.expand_shape %35 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf16> into tensor<1x7x3x8xf16>
    %expanded_11 = tensor.expand_shape %31 [[0, 1], [2, 3, 4]] output_shape [1, 7, 3, 1, 8] : tensor<7x24xf16> into tensor<1x7x3x1x8xf16>
    %36 = tensor.empty() : tensor<1x3x7x8xf16>
    %37 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x7x3x8xf16>) outs(%36 : tensor<1x3x7x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x3x7x8xf16>
    %38 = tensor.empty() : tensor<1x3x8x7x1xf16>
    %39 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x7x3x1x8xf16>) outs(%38 : tensor<1x3x8x7x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x3x8x7x1xf16>
    %collapsed_12 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x3x7x8xf16> into tensor<3x7x8xf16>
    %collapsed_13 = tensor.collapse_shape %39 [[0, 1], [2], [3, 4]] : tensor<1x3x8x7x1xf16> into tensor<3x8x7xf16>
    %40 = tensor.empty() : tensor<3x7x7xf32>
    %41 = linalg.fill ins(%cst_7 : f32) outs(%40 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %42 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<3x7x8xf16>, tensor<3x8x7xf16>) outs(%41 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %expanded_14 = tensor.expand_shape %42 [[0, 1], [2], [3, 4]] output_shape [1, 3, 7, 7, 1] : tensor<3x7x7xf32> into tensor<1x3x7x7x1xf32>
    %43 = tensor.empty() : tensor<1x3x1x7x7xf32>
    %44 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x3x7x7x1xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %45 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x3x1x7x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_4 : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7x7xf32>
    %46 = tensor.empty() : tensor<1x3x1x7xf32>
    %47 = linalg.fill ins(%cst_3 : f32) outs(%46 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %48 = linalg.generic {indexing_maps = [#map9, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x3x1x7x7xf32>) outs(%47 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.maximumf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7xf32>
    %49 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x3x1x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %50 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.subf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7x7xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x3x1x7x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.exp %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7x7xf32>
    %52 = linalg.fill ins(%cst_7 : f32) outs(%46 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x3x1x7x7xf32>) outs(%52 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7xf32>
    %54 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x3x1x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51, %54 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%43 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.divf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x3x1x7x7xf32>
    %56 = tensor.empty() : tensor<1x3x1x7x7xf16>
    %57 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x3x1x7x7xf32>) outs(%56 : tensor<1x3x1x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x3x1x7x7xf16>
    %58 = tensor.empty() : tensor<1x3x8x7xf16>
    %59 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x7x3x8xf16>) outs(%58 : tensor<1x3x8x7xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x3x8x7xf16>
    %60 = tensor.empty() : tensor<1x3x7x1x7xf16>
    %61 = linalg.generic {indexing_maps = [#map13, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x3x1x7x7xf16>) outs(%60 : tensor<1x3x7x1x7xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x3x7x1x7xf16>
    %collapsed_15 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x3x8x7xf16> into tensor<3x8x7xf16>
    %collapsed_16 = tensor.collapse_shape %61 [[0, 1], [2], [3, 4]] : tensor<1x3x7x1x7xf16> into tensor<3x7x7xf16>
    %62 = tensor.empty() : tensor<3x8x7xf32>
    %63 = linalg.fill ins(%cst_7 : f32) outs(%62 : tensor<3x8x7xf32>) -> tensor<3x8x7xf32>
    %64 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<3x8x7xf16>, tensor<3x7x7xf16>) outs(%63 : tensor<3x8x7xf32>) -> tensor<3x8x7xf32>
    %65 = tensor.empty() : tensor<3x8x7xf16>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<3x8x7xf32>) outs(%65 : tensor<3x8x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<3x8x7xf16>
    %expanded_17 = tensor.expand_shape %66 [[0, 1], [2], [3, 4]] output_shape [1, 3, 8, 1, 7] : tensor<3x8x7xf16> into tensor<1x3x8x1x7xf16>
    %67 = tensor.empty() : tensor<1x7x3x1x8xf16>
    %68 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x3x8x1x7xf16>) outs(%67 : tensor<1x7x3x1x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x3x1x8xf16>
    %collapsed_18 = tensor.collapse_shape %68 [[0, 1], [2, 3, 4]] : tensor<1x7x3x1x8xf16> into tensor<7x24xf16>
    %69 = linalg.matmul ins(%collapsed_18, %arg6 : tensor<7x24xf16>, tensor<24x24xf16>) outs(%28 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<7x24xf32>) outs(%30 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x24xf16>
    %expanded_19 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf16> into tensor<1x7x24xf16>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_19 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.addf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x24xf16>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x7x24xf16>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7xf32>
    %expanded_20 = tensor.expand_shape %73 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_6 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7xf32>
    %expanded_21 = tensor.expand_shape %76 [[0], [1, 2]] output_shape [1, 7, 1] : tensor<1x7xf32> into tensor<1x7x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_6 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %78 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.subf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %80 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %80 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.subf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %cst_5 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x1xf32>
    %84 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %84 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.mulf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg7 : tensor<24xf16>) outs(%18 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<24xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %87 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.mulf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg8 : tensor<24xf16>) outs(%18 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<24xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %90 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %115 = arith.addf %in, %in_26 : f32
      linalg.yield %115 : f32
    } -> tensor<1x7x24xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x7x24xf32>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x7x24xf16>
    %collapsed_22 = tensor.collapse_shape %92 [[0, 1], [2]] : tensor<1x7x24xf16> into tensor<7x24xf16>
    %93 = tensor.empty() : tensor<7x40xf32>
    %94 = linalg.fill ins(%cst_7 : f32) outs(%93 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %95 = linalg.matmul ins(%collapsed_22, %arg9 : tensor<7x24xf16>, tensor<24x40xf16>) outs(%94 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %96 = tensor.empty() : tensor<7x40xf16>
    %97 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<7x40xf32>) outs(%96 : tensor<7x40xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x40xf16>
    %expanded_23 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [1, 7, 40] : tensor<7x40xf16> into tensor<1x7x40xf16>
    %98 = tensor.empty() : tensor<1x7x40xf16>
    %99 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23, %99 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.addf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.mulf %in, %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %100 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.mulf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.mulf %in, %cst_2 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %103 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.addf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.mulf %in, %cst_1 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = math.tanh %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.addf %in, %cst_0 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.mulf %in, %cst : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %108 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%98 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.mulf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x40xf16>
    %collapsed_24 = tensor.collapse_shape %109 [[0, 1], [2]] : tensor<1x7x40xf16> into tensor<7x40xf16>
    %110 = linalg.matmul ins(%collapsed_24, %arg11 : tensor<7x40xf16>, tensor<40x24xf16>) outs(%28 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %111 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%110 : tensor<7x24xf32>) outs(%30 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<7x24xf16>
    %expanded_25 = tensor.expand_shape %111 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf16> into tensor<1x7x24xf16>
    %112 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<24xf16>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x24xf16>
    %113 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25, %112 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.addf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x24xf16>
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %113 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%25 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_26: f16, %out: f16):
      %115 = arith.addf %in, %in_26 : f16
      linalg.yield %115 : f16
    } -> tensor<1x7x24xf16>
    return %114 : tensor<1x7x24xf16>
  }
}
