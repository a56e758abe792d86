// iree-llama-decoder-layer
//   python export_jax.py . --route=iree llama-decoder-layer
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_decoder_layer {
  func.func public @main(%arg0: tensor<1x5x24xf32>, %arg1: tensor<1x5x8xf32>, %arg2: tensor<1x5x8xf32>, %arg3: tensor<1x1x5x5xf32>, %arg4: tensor<24xf32>, %arg5: tensor<24x48xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24x16xf32>, %arg8: tensor<48x24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24x28xf32>, %arg11: tensor<24x28xf32>, %arg12: tensor<28x24xf32>) -> tensor<1x5x24xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.82842708 : f32
    %cst_2 = arith.constant 9.99999974E-6 : f32
    %cst_3 = arith.constant 2.400000e+01 : f32
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %2 = tensor.empty() : tensor<1x5xf32>
    %3 = linalg.fill ins(%cst_4 : f32) outs(%2 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5xf32>
    %expanded = tensor.expand_shape %4 [[0], [1, 2]] output_shape [1, 5, 1] : tensor<1x5xf32> into tensor<1x5x1xf32>
    %5 = tensor.empty() : tensor<1x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_3 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst_2 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %9 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x5x24xf32> into tensor<5x24xf32>
    %13 = tensor.empty() : tensor<5x48xf32>
    %14 = linalg.fill ins(%cst_4 : f32) outs(%13 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %15 = linalg.matmul ins(%collapsed, %arg5 : tensor<5x24xf32>, tensor<24x48xf32>) outs(%14 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %expanded_5 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<5x48xf32> into tensor<1x5x6x8xf32>
    %16 = tensor.empty() : tensor<5x16xf32>
    %17 = linalg.fill ins(%cst_4 : f32) outs(%16 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %18 = linalg.matmul ins(%collapsed, %arg6 : tensor<5x24xf32>, tensor<24x16xf32>) outs(%17 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %expanded_6 = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf32> into tensor<1x5x2x8xf32>
    %19 = linalg.matmul ins(%collapsed, %arg7 : tensor<5x24xf32>, tensor<24x16xf32>) outs(%17 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %expanded_7 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf32> into tensor<1x5x2x8xf32>
    %extracted_slice = tensor.extract_slice %expanded_5[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf32> to tensor<1x5x6x4xf32>
    %extracted_slice_8 = tensor.extract_slice %expanded_5[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf32> to tensor<1x5x6x4xf32>
    %20 = tensor.empty() : tensor<1x5x6x4xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x5x6x4xf32>) outs(%20 : tensor<1x5x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x6x4xf32>
    %22 = tensor.empty() : tensor<1x5x6x8xf32>
    %inserted_slice = tensor.insert_slice %21 into %22[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x4xf32> into tensor<1x5x6x8xf32>
    %inserted_slice_9 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x4xf32> into tensor<1x5x6x8xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf32>) outs(%22 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x6x8xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %23 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%22 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x6x8xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf32>) outs(%22 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x6x8xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_9, %25 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%22 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x6x8xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%22 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.addf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x6x8xf32>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf32> to tensor<1x5x2x4xf32>
    %extracted_slice_11 = tensor.extract_slice %expanded_6[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf32> to tensor<1x5x2x4xf32>
    %28 = tensor.empty() : tensor<1x5x2x4xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_11 : tensor<1x5x2x4xf32>) outs(%28 : tensor<1x5x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x2x4xf32>
    %30 = tensor.empty() : tensor<1x5x2x8xf32>
    %inserted_slice_12 = tensor.insert_slice %29 into %30[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x4xf32> into tensor<1x5x2x8xf32>
    %inserted_slice_13 = tensor.insert_slice %extracted_slice_10 into %inserted_slice_12[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x4xf32> into tensor<1x5x2x8xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf32>) outs(%30 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x8xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %31 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%30 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x2x8xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf32>) outs(%30 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_13, %33 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%30 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x2x8xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %34 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%30 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.addf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x2x8xf32>
    %expanded_14 = tensor.expand_shape %27 [[0], [1], [2, 3], [4]] output_shape [1, 5, 2, 3, 8] : tensor<1x5x6x8xf32> into tensor<1x5x2x3x8xf32>
    %36 = tensor.empty() : tensor<1x2x5x8xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x5x2x8xf32>) outs(%36 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x5x8xf32>
    %38 = tensor.empty() : tensor<1x2x8x5x3xf32>
    %39 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x5x2x3x8xf32>) outs(%38 : tensor<1x2x8x5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x5x3xf32>
    %collapsed_15 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x2x5x8xf32> into tensor<2x5x8xf32>
    %collapsed_16 = tensor.collapse_shape %39 [[0, 1], [2], [3, 4]] : tensor<1x2x8x5x3xf32> into tensor<2x8x15xf32>
    %40 = tensor.empty() : tensor<2x5x15xf32>
    %41 = linalg.fill ins(%cst_4 : f32) outs(%40 : tensor<2x5x15xf32>) -> tensor<2x5x15xf32>
    %42 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x5x8xf32>, tensor<2x8x15xf32>) outs(%41 : tensor<2x5x15xf32>) -> tensor<2x5x15xf32>
    %expanded_17 = tensor.expand_shape %42 [[0, 1], [2], [3, 4]] output_shape [1, 2, 5, 5, 3] : tensor<2x5x15xf32> into tensor<1x2x5x5x3xf32>
    %43 = tensor.empty() : tensor<1x2x3x5x5xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x5x5x3xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x2x3x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_1 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5x5xf32>
    %46 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.addf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5x5xf32>
    %48 = tensor.empty() : tensor<1x2x3x5xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %50 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.maximumf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5xf32>
    %51 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x3x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %52 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.subf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5x5xf32>
    %53 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x2x3x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.exp %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5x5xf32>
    %54 = linalg.fill ins(%cst_4 : f32) outs(%48 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %55 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<1x2x3x5x5xf32>) outs(%54 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5xf32>
    %56 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x3x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%43 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.divf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x5x5xf32>
    %58 = tensor.empty() : tensor<1x2x8x5xf32>
    %59 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x5x2x8xf32>) outs(%58 : tensor<1x2x8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x5xf32>
    %60 = tensor.empty() : tensor<1x2x5x3x5xf32>
    %61 = linalg.generic {indexing_maps = [#map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x2x3x5x5xf32>) outs(%60 : tensor<1x2x5x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x5x3x5xf32>
    %collapsed_18 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x2x8x5xf32> into tensor<2x8x5xf32>
    %collapsed_19 = tensor.collapse_shape %61 [[0, 1], [2], [3, 4]] : tensor<1x2x5x3x5xf32> into tensor<2x5x15xf32>
    %62 = tensor.empty() : tensor<2x8x15xf32>
    %63 = linalg.fill ins(%cst_4 : f32) outs(%62 : tensor<2x8x15xf32>) -> tensor<2x8x15xf32>
    %64 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x8x5xf32>, tensor<2x5x15xf32>) outs(%63 : tensor<2x8x15xf32>) -> tensor<2x8x15xf32>
    %expanded_20 = tensor.expand_shape %64 [[0, 1], [2], [3, 4]] output_shape [1, 2, 8, 3, 5] : tensor<2x8x15xf32> into tensor<1x2x8x3x5xf32>
    %65 = tensor.empty() : tensor<1x5x2x3x8xf32>
    %66 = linalg.generic {indexing_maps = [#map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x8x3x5xf32>) outs(%65 : tensor<1x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x3x8xf32>
    %collapsed_21 = tensor.collapse_shape %66 [[0, 1], [2, 3, 4]] : tensor<1x5x2x3x8xf32> into tensor<5x48xf32>
    %67 = tensor.empty() : tensor<5x24xf32>
    %68 = linalg.fill ins(%cst_4 : f32) outs(%67 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %69 = linalg.matmul ins(%collapsed_21, %arg8 : tensor<5x48xf32>, tensor<48x24xf32>) outs(%68 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %expanded_22 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf32> into tensor<1x5x24xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_22 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.addf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.mulf %in, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %out, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5xf32>
    %expanded_23 = tensor.expand_shape %72 [[0], [1, 2]] output_shape [1, 5, 1] : tensor<1x5xf32> into tensor<1x5x1xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_3 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst_2 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %76 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %76 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %78 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    %collapsed_24 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<1x5x24xf32> into tensor<5x24xf32>
    %80 = tensor.empty() : tensor<5x28xf32>
    %81 = linalg.fill ins(%cst_4 : f32) outs(%80 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %82 = linalg.matmul ins(%collapsed_24, %arg10 : tensor<5x24xf32>, tensor<24x28xf32>) outs(%81 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %expanded_25 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf32> into tensor<1x5x28xf32>
    %83 = tensor.empty() : tensor<1x5x28xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.exp %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %cst : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %cst, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25, %87 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %89 = linalg.matmul ins(%collapsed_24, %arg11 : tensor<5x24xf32>, tensor<24x28xf32>) outs(%81 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %expanded_26 = tensor.expand_shape %89 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf32> into tensor<1x5x28xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %expanded_26 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%83 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.mulf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x28xf32>
    %collapsed_27 = tensor.collapse_shape %90 [[0, 1], [2]] : tensor<1x5x28xf32> into tensor<5x28xf32>
    %91 = linalg.matmul ins(%collapsed_27, %arg12 : tensor<5x28xf32>, tensor<28x24xf32>) outs(%68 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %expanded_28 = tensor.expand_shape %91 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf32> into tensor<1x5x24xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %expanded_28 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %93 = arith.addf %in, %in_29 : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x24xf32>
    return %92 : tensor<1x5x24xf32>
  }
}
