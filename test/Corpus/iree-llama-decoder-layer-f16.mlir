// iree-llama-decoder-layer-f16
//   python export_jax.py . --route=iree llama-decoder-layer-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_decoder_layer {
  func.func public @main(%arg0: tensor<1x5x24xf16>, %arg1: tensor<1x5x8xf16>, %arg2: tensor<1x5x8xf16>, %arg3: tensor<1x1x5x5xf16>, %arg4: tensor<24xf16>, %arg5: tensor<24x48xf16>, %arg6: tensor<24x16xf16>, %arg7: tensor<24x16xf16>, %arg8: tensor<48x24xf16>, %arg9: tensor<24xf16>, %arg10: tensor<24x28xf16>, %arg11: tensor<24x28xf16>, %arg12: tensor<28x24xf16>) -> tensor<1x5x24xf16> {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.82842708 : f32
    %cst_2 = arith.constant 9.99999974E-6 : f32
    %cst_3 = arith.constant 2.400000e+01 : f32
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x24xf16>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.mulf %in, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %3 = tensor.empty() : tensor<1x5xf32>
    %4 = linalg.fill ins(%cst_4 : f32) outs(%3 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x5x24xf32>) outs(%4 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %out, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5xf32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [1, 5, 1] : tensor<1x5xf32> into tensor<1x5x1xf32>
    %6 = tensor.empty() : tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.divf %in, %cst_3 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %in, %cst_2 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = math.rsqrt %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.mulf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %12 = tensor.empty() : tensor<24xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<24xf16>) outs(%12 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<24xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.mulf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %16 = tensor.empty() : tensor<1x5x24xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x5x24xf32>) outs(%16 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<1x5x24xf16>
    %collapsed = tensor.collapse_shape %17 [[0, 1], [2]] : tensor<1x5x24xf16> into tensor<5x24xf16>
    %18 = tensor.empty() : tensor<5x48xf32>
    %19 = linalg.fill ins(%cst_4 : f32) outs(%18 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %20 = linalg.matmul ins(%collapsed, %arg5 : tensor<5x24xf16>, tensor<24x48xf16>) outs(%19 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %21 = tensor.empty() : tensor<5x48xf16>
    %22 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<5x48xf32>) outs(%21 : tensor<5x48xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x48xf16>
    %expanded_5 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<5x48xf16> into tensor<1x5x6x8xf16>
    %23 = tensor.empty() : tensor<5x16xf32>
    %24 = linalg.fill ins(%cst_4 : f32) outs(%23 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %25 = linalg.matmul ins(%collapsed, %arg6 : tensor<5x24xf16>, tensor<24x16xf16>) outs(%24 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %26 = tensor.empty() : tensor<5x16xf16>
    %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<5x16xf32>) outs(%26 : tensor<5x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x16xf16>
    %expanded_6 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf16> into tensor<1x5x2x8xf16>
    %28 = linalg.matmul ins(%collapsed, %arg7 : tensor<5x24xf16>, tensor<24x16xf16>) outs(%24 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<5x16xf32>) outs(%26 : tensor<5x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x16xf16>
    %expanded_7 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf16> into tensor<1x5x2x8xf16>
    %extracted_slice = tensor.extract_slice %expanded_5[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf16> to tensor<1x5x6x4xf16>
    %extracted_slice_8 = tensor.extract_slice %expanded_5[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf16> to tensor<1x5x6x4xf16>
    %30 = tensor.empty() : tensor<1x5x6x4xf16>
    %31 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x5x6x4xf16>) outs(%30 : tensor<1x5x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.negf %in : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x6x4xf16>
    %32 = tensor.empty() : tensor<1x5x6x8xf16>
    %inserted_slice = tensor.insert_slice %31 into %32[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x4xf16> into tensor<1x5x6x8xf16>
    %inserted_slice_9 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x4xf16> into tensor<1x5x6x8xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf16>) outs(%32 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x6x8xf16>
    %34 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %33 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%32 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x6x8xf16>
    %35 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf16>) outs(%32 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x6x8xf16>
    %36 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_9, %35 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%32 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x6x8xf16>
    %37 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%32 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.addf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x6x8xf16>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf16> to tensor<1x5x2x4xf16>
    %extracted_slice_11 = tensor.extract_slice %expanded_6[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf16> to tensor<1x5x2x4xf16>
    %38 = tensor.empty() : tensor<1x5x2x4xf16>
    %39 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_11 : tensor<1x5x2x4xf16>) outs(%38 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.negf %in : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x2x4xf16>
    %40 = tensor.empty() : tensor<1x5x2x8xf16>
    %inserted_slice_12 = tensor.insert_slice %39 into %40[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x4xf16> into tensor<1x5x2x8xf16>
    %inserted_slice_13 = tensor.insert_slice %extracted_slice_10 into %inserted_slice_12[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x4xf16> into tensor<1x5x2x8xf16>
    %41 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf16>) outs(%40 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x8xf16>
    %42 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %41 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%40 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x2x8xf16>
    %43 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf16>) outs(%40 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x8xf16>
    %44 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_13, %43 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%40 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x2x8xf16>
    %45 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %44 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%40 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.addf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x2x8xf16>
    %expanded_14 = tensor.expand_shape %37 [[0], [1], [2, 3], [4]] output_shape [1, 5, 2, 3, 8] : tensor<1x5x6x8xf16> into tensor<1x5x2x3x8xf16>
    %46 = tensor.empty() : tensor<1x2x5x8xf16>
    %47 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x5x2x8xf16>) outs(%46 : tensor<1x2x5x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x5x8xf16>
    %48 = tensor.empty() : tensor<1x2x8x5x3xf16>
    %49 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x5x2x3x8xf16>) outs(%48 : tensor<1x2x8x5x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x8x5x3xf16>
    %collapsed_15 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x2x5x8xf16> into tensor<2x5x8xf16>
    %collapsed_16 = tensor.collapse_shape %49 [[0, 1], [2], [3, 4]] : tensor<1x2x8x5x3xf16> into tensor<2x8x15xf16>
    %50 = tensor.empty() : tensor<2x5x15xf32>
    %51 = linalg.fill ins(%cst_4 : f32) outs(%50 : tensor<2x5x15xf32>) -> tensor<2x5x15xf32>
    %52 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x5x8xf16>, tensor<2x8x15xf16>) outs(%51 : tensor<2x5x15xf32>) -> tensor<2x5x15xf32>
    %expanded_17 = tensor.expand_shape %52 [[0, 1], [2], [3, 4]] output_shape [1, 2, 5, 5, 3] : tensor<2x5x15xf32> into tensor<1x2x5x5x3xf32>
    %53 = tensor.empty() : tensor<1x2x3x5x5xf32>
    %54 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x5x5x3xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %55 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x3x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.divf %in, %cst_1 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5x5xf32>
    %56 = tensor.empty() : tensor<1x1x5x5xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x5x5xf16>) outs(%56 : tensor<1x1x5x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<1x1x5x5xf32>
    %58 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x1x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %59 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.addf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5x5xf32>
    %60 = tensor.empty() : tensor<1x2x3x5xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %62 = linalg.generic {indexing_maps = [#map10, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x2x3x5x5xf32>) outs(%61 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.maximumf %out, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5xf32>
    %63 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x3x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %64 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.subf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5x5xf32>
    %65 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x2x3x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = math.exp %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5x5xf32>
    %66 = linalg.fill ins(%cst_4 : f32) outs(%60 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %67 = linalg.generic {indexing_maps = [#map10, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<1x2x3x5x5xf32>) outs(%66 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %out, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5xf32>
    %68 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x2x3x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %69 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%53 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.divf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x3x5x5xf32>
    %70 = tensor.empty() : tensor<1x2x3x5x5xf16>
    %71 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x3x5x5xf32>) outs(%70 : tensor<1x2x3x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<1x2x3x5x5xf16>
    %72 = tensor.empty() : tensor<1x2x8x5xf16>
    %73 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x5x2x8xf16>) outs(%72 : tensor<1x2x8x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x8x5xf16>
    %74 = tensor.empty() : tensor<1x2x5x3x5xf16>
    %75 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x2x3x5x5xf16>) outs(%74 : tensor<1x2x5x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x5x3x5xf16>
    %collapsed_18 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x2x8x5xf16> into tensor<2x8x5xf16>
    %collapsed_19 = tensor.collapse_shape %75 [[0, 1], [2], [3, 4]] : tensor<1x2x5x3x5xf16> into tensor<2x5x15xf16>
    %76 = tensor.empty() : tensor<2x8x15xf32>
    %77 = linalg.fill ins(%cst_4 : f32) outs(%76 : tensor<2x8x15xf32>) -> tensor<2x8x15xf32>
    %78 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x8x5xf16>, tensor<2x5x15xf16>) outs(%77 : tensor<2x8x15xf32>) -> tensor<2x8x15xf32>
    %79 = tensor.empty() : tensor<2x8x15xf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x8x15xf32>) outs(%79 : tensor<2x8x15xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x15xf16>
    %expanded_20 = tensor.expand_shape %80 [[0, 1], [2], [3, 4]] output_shape [1, 2, 8, 3, 5] : tensor<2x8x15xf16> into tensor<1x2x8x3x5xf16>
    %81 = tensor.empty() : tensor<1x5x2x3x8xf16>
    %82 = linalg.generic {indexing_maps = [#map16, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x8x3x5xf16>) outs(%81 : tensor<1x5x2x3x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x3x8xf16>
    %collapsed_21 = tensor.collapse_shape %82 [[0, 1], [2, 3, 4]] : tensor<1x5x2x3x8xf16> into tensor<5x48xf16>
    %83 = tensor.empty() : tensor<5x24xf32>
    %84 = linalg.fill ins(%cst_4 : f32) outs(%83 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %85 = linalg.matmul ins(%collapsed_21, %arg8 : tensor<5x48xf16>, tensor<48x24xf16>) outs(%84 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %86 = tensor.empty() : tensor<5x24xf16>
    %87 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%85 : tensor<5x24xf32>) outs(%86 : tensor<5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x24xf16>
    %expanded_22 = tensor.expand_shape %87 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf16> into tensor<1x5x24xf16>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_22 : tensor<1x5x24xf16>, tensor<1x5x24xf16>) outs(%16 : tensor<1x5x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.addf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x24xf16>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x5x24xf16>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.mulf %in, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<1x5x24xf32>) outs(%4 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %out, %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5xf32>
    %expanded_23 = tensor.expand_shape %91 [[0], [1, 2]] output_shape [1, 5, 1] : tensor<1x5xf32> into tensor<1x5x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.divf %in, %cst_3 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %in, %cst_2 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = math.rsqrt %in : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x1xf32>
    %95 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %95 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.mulf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<24xf16>) outs(%12 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<24xf32>
    %98 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %98 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %118 = arith.mulf %in, %in_29 : f32
      linalg.yield %118 : f32
    } -> tensor<1x5x24xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x5x24xf32>) outs(%16 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<1x5x24xf16>
    %collapsed_24 = tensor.collapse_shape %100 [[0, 1], [2]] : tensor<1x5x24xf16> into tensor<5x24xf16>
    %101 = tensor.empty() : tensor<5x28xf32>
    %102 = linalg.fill ins(%cst_4 : f32) outs(%101 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %103 = linalg.matmul ins(%collapsed_24, %arg10 : tensor<5x24xf16>, tensor<24x28xf16>) outs(%102 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %104 = tensor.empty() : tensor<5x28xf16>
    %105 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%103 : tensor<5x28xf32>) outs(%104 : tensor<5x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x28xf16>
    %expanded_25 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf16> into tensor<1x5x28xf16>
    %106 = tensor.empty() : tensor<1x5x28xf16>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.negf %in : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = math.exp %in : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.addf %in, %cst : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.divf %cst, %in : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25, %110 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %112 = linalg.matmul ins(%collapsed_24, %arg11 : tensor<5x24xf16>, tensor<24x28xf16>) outs(%102 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<5x28xf32>) outs(%104 : tensor<5x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x28xf16>
    %expanded_26 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf16> into tensor<1x5x28xf16>
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %expanded_26 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%106 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.mulf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x28xf16>
    %collapsed_27 = tensor.collapse_shape %114 [[0, 1], [2]] : tensor<1x5x28xf16> into tensor<5x28xf16>
    %115 = linalg.matmul ins(%collapsed_27, %arg12 : tensor<5x28xf16>, tensor<28x24xf16>) outs(%84 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %116 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%115 : tensor<5x24xf32>) outs(%86 : tensor<5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<5x24xf16>
    %expanded_28 = tensor.expand_shape %116 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf16> into tensor<1x5x24xf16>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %expanded_28 : tensor<1x5x24xf16>, tensor<1x5x24xf16>) outs(%16 : tensor<1x5x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %118 = arith.addf %in, %in_29 : f16
      linalg.yield %118 : f16
    } -> tensor<1x5x24xf16>
    return %117 : tensor<1x5x24xf16>
  }
}
