// iree-qk-norm-attention-f16
//   python export_jax.py . --route=iree qk-norm-attention-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_qk_norm_attention {
  func.func public @main(%arg0: tensor<2x5x6x8xf16>, %arg1: tensor<2x7x2x8xf16>, %arg2: tensor<2x7x2x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<8xf16>) -> tensor<2x5x6x8xf16> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %cst_2 = arith.constant 8.000000e+00 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x5x6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x6x8xf16>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.mulf %in, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x8xf32>
    %3 = tensor.empty() : tensor<2x5x6xf32>
    %4 = linalg.fill ins(%cst_3 : f32) outs(%3 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<2x5x6x8xf32>) outs(%4 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %out, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6xf32>
    %expanded = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 5, 6, 1] : tensor<2x5x6xf32> into tensor<2x5x6x1xf32>
    %6 = tensor.empty() : tensor<2x5x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.divf %in, %cst_2 : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %in, %cst_1 : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.rsqrt %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x6x1xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.mulf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x8xf32>
    %12 = tensor.empty() : tensor<8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.mulf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x6x8xf32>
    %16 = tensor.empty() : tensor<2x5x6x8xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x5x6x8xf32>) outs(%16 : tensor<2x5x6x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<2x5x6x8xf16>
    %18 = tensor.empty() : tensor<2x7x2x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x7x2x8xf16>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.mulf %in, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x8xf32>
    %21 = tensor.empty() : tensor<2x7x2xf32>
    %22 = linalg.fill ins(%cst_3 : f32) outs(%21 : tensor<2x7x2xf32>) -> tensor<2x7x2xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x7x2x8xf32>) outs(%22 : tensor<2x7x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %out, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2xf32>
    %expanded_4 = tensor.expand_shape %23 [[0], [1], [2, 3]] output_shape [2, 7, 2, 1] : tensor<2x7x2xf32> into tensor<2x7x2x1xf32>
    %24 = tensor.empty() : tensor<2x7x2x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<2x7x2x1xf32>) outs(%24 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.divf %in, %cst_2 : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x7x2x1xf32>) outs(%24 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %in, %cst_1 : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x7x2x1xf32>) outs(%24 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.rsqrt %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x1xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x7x2x1xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %28 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.mulf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x8xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<8xf16>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.mulf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x7x2x8xf32>
    %33 = tensor.empty() : tensor<2x7x2x8xf16>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x7x2x8xf32>) outs(%33 : tensor<2x7x2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<2x7x2x8xf16>
    %expanded_5 = tensor.expand_shape %17 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 3, 8] : tensor<2x5x6x8xf16> into tensor<2x5x2x3x8xf16>
    %35 = tensor.empty() : tensor<2x2x7x8xf16>
    %36 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x7x2x8xf16>) outs(%35 : tensor<2x2x7x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x7x8xf16>
    %37 = tensor.empty() : tensor<2x2x8x5x3xf16>
    %38 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<2x5x2x3x8xf16>) outs(%37 : tensor<2x2x8x5x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x8x5x3xf16>
    %collapsed = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<2x2x7x8xf16> into tensor<4x7x8xf16>
    %collapsed_6 = tensor.collapse_shape %38 [[0, 1], [2], [3, 4]] : tensor<2x2x8x5x3xf16> into tensor<4x8x15xf16>
    %39 = tensor.empty() : tensor<4x7x15xf32>
    %40 = linalg.fill ins(%cst_3 : f32) outs(%39 : tensor<4x7x15xf32>) -> tensor<4x7x15xf32>
    %41 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<4x7x8xf16>, tensor<4x8x15xf16>) outs(%40 : tensor<4x7x15xf32>) -> tensor<4x7x15xf32>
    %expanded_7 = tensor.expand_shape %41 [[0, 1], [2], [3, 4]] output_shape [2, 2, 7, 5, 3] : tensor<4x7x15xf32> into tensor<2x2x7x5x3xf32>
    %42 = tensor.empty() : tensor<2x2x3x5x7xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<2x2x7x5x3xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %44 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x2x3x5x7xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.divf %in, %cst_0 : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5x7xf32>
    %45 = tensor.empty() : tensor<2x2x3x5xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x2x3x5x7xf32>) outs(%46 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.maximumf %out, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5xf32>
    %48 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<2x2x3x5xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44, %48 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.subf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5x7xf32>
    %50 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x2x3x5x7xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.exp %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5x7xf32>
    %51 = linalg.fill ins(%cst_3 : f32) outs(%45 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x2x3x5x7xf32>) outs(%51 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %out, %in : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x2x3x5xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %54 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%42 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %68 = arith.divf %in, %in_12 : f32
      linalg.yield %68 : f32
    } -> tensor<2x2x3x5x7xf32>
    %55 = tensor.empty() : tensor<2x2x3x5x7xf16>
    %56 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x2x3x5x7xf32>) outs(%55 : tensor<2x2x3x5x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<2x2x3x5x7xf16>
    %57 = tensor.empty() : tensor<2x2x8x7xf16>
    %58 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x7x2x8xf16>) outs(%57 : tensor<2x2x8x7xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x8x7xf16>
    %59 = tensor.empty() : tensor<2x2x7x3x5xf16>
    %60 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x2x3x5x7xf16>) outs(%59 : tensor<2x2x7x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x2x7x3x5xf16>
    %collapsed_8 = tensor.collapse_shape %58 [[0, 1], [2], [3]] : tensor<2x2x8x7xf16> into tensor<4x8x7xf16>
    %collapsed_9 = tensor.collapse_shape %60 [[0, 1], [2], [3, 4]] : tensor<2x2x7x3x5xf16> into tensor<4x7x15xf16>
    %61 = tensor.empty() : tensor<4x8x15xf32>
    %62 = linalg.fill ins(%cst_3 : f32) outs(%61 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %63 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<4x8x7xf16>, tensor<4x7x15xf16>) outs(%62 : tensor<4x8x15xf32>) -> tensor<4x8x15xf32>
    %64 = tensor.empty() : tensor<4x8x15xf16>
    %65 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<4x8x15xf32>) outs(%64 : tensor<4x8x15xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<4x8x15xf16>
    %expanded_10 = tensor.expand_shape %65 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 3, 5] : tensor<4x8x15xf16> into tensor<2x2x8x3x5xf16>
    %66 = tensor.empty() : tensor<2x5x2x3x8xf16>
    %67 = linalg.generic {indexing_maps = [#map13, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x2x8x3x5xf16>) outs(%66 : tensor<2x5x2x3x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x5x2x3x8xf16>
    %collapsed_11 = tensor.collapse_shape %67 [[0], [1], [2, 3], [4]] : tensor<2x5x2x3x8xf16> into tensor<2x5x6x8xf16>
    return %collapsed_11 : tensor<2x5x6x8xf16>
  }
}
