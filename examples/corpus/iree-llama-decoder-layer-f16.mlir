// iree-llama-decoder-layer-f16
//   python export_jax.py . --real --route=iree llama-decoder-layer-f16
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
  func.func public @main(%arg0: tensor<1x1024x4096xf16>, %arg1: tensor<1x1024x128xf16>, %arg2: tensor<1x1024x128xf16>, %arg3: tensor<1x1x1024x1024xf16>, %arg4: tensor<4096xf16>, %arg5: tensor<4096x4096xf16>, %arg6: tensor<4096x1024xf16>, %arg7: tensor<4096x1024xf16>, %arg8: tensor<4096x4096xf16>, %arg9: tensor<4096xf16>, %arg10: tensor<4096x14336xf16>, %arg11: tensor<4096x14336xf16>, %arg12: tensor<14336x4096xf16>) -> tensor<1x1024x4096xf16> {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 11.3137083 : f32
    %cst_2 = arith.constant 9.99999974E-6 : f32
    %cst_3 = arith.constant 4.096000e+03 : f32
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x1024x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %3 = tensor.empty() : tensor<1x1024xf32>
    %4 = linalg.fill ins(%cst_4 : f32) outs(%3 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024xf32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [1, 1024, 1] : tensor<1x1024xf32> into tensor<1x1024x1xf32>
    %6 = tensor.empty() : tensor<1x1024x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_3 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %cst_2 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.mulf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %12 = tensor.empty() : tensor<4096xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<4096xf16>) outs(%12 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<4096xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.mulf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %16 = tensor.empty() : tensor<1x1024x4096xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1024x4096xf32>) outs(%16 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x4096xf16>
    %collapsed = tensor.collapse_shape %17 [[0, 1], [2]] : tensor<1x1024x4096xf16> into tensor<1024x4096xf16>
    %18 = tensor.empty() : tensor<1024x4096xf32>
    %19 = linalg.fill ins(%cst_4 : f32) outs(%18 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %20 = linalg.matmul ins(%collapsed, %arg5 : tensor<1024x4096xf16>, tensor<4096x4096xf16>) outs(%19 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %21 = tensor.empty() : tensor<1024x4096xf16>
    %22 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<1024x4096xf32>) outs(%21 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x4096xf16>
    %expanded_5 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [1, 1024, 32, 128] : tensor<1024x4096xf16> into tensor<1x1024x32x128xf16>
    %23 = tensor.empty() : tensor<1024x1024xf32>
    %24 = linalg.fill ins(%cst_4 : f32) outs(%23 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %25 = linalg.matmul ins(%collapsed, %arg6 : tensor<1024x4096xf16>, tensor<4096x1024xf16>) outs(%24 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %26 = tensor.empty() : tensor<1024x1024xf16>
    %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<1024x1024xf32>) outs(%26 : tensor<1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x1024xf16>
    %expanded_6 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1024x1024xf16> into tensor<1x1024x8x128xf16>
    %28 = linalg.matmul ins(%collapsed, %arg7 : tensor<1024x4096xf16>, tensor<4096x1024xf16>) outs(%24 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<1024x1024xf32>) outs(%26 : tensor<1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x1024xf16>
    %expanded_7 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1024x1024xf16> into tensor<1x1024x8x128xf16>
    %extracted_slice = tensor.extract_slice %expanded_5[0, 0, 0, 0] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x128xf16> to tensor<1x1024x32x64xf16>
    %extracted_slice_8 = tensor.extract_slice %expanded_5[0, 0, 0, 64] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x128xf16> to tensor<1x1024x32x64xf16>
    %30 = tensor.empty() : tensor<1x1024x32x64xf16>
    %31 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x1024x32x64xf16>) outs(%30 : tensor<1x1024x32x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.negf %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x32x64xf16>
    %32 = tensor.empty() : tensor<1x1024x32x128xf16>
    %inserted_slice = tensor.insert_slice %31 into %32[0, 0, 0, 0] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x64xf16> into tensor<1x1024x32x128xf16>
    %inserted_slice_9 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 64] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x64xf16> into tensor<1x1024x32x128xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x1024x128xf16>) outs(%32 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x32x128xf16>
    %34 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %33 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%32 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x32x128xf16>
    %35 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x1024x128xf16>) outs(%32 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x32x128xf16>
    %36 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_9, %35 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%32 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x32x128xf16>
    %37 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%32 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.addf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x32x128xf16>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x128xf16> to tensor<1x1024x8x64xf16>
    %extracted_slice_11 = tensor.extract_slice %expanded_6[0, 0, 0, 64] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x128xf16> to tensor<1x1024x8x64xf16>
    %38 = tensor.empty() : tensor<1x1024x8x64xf16>
    %39 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_11 : tensor<1x1024x8x64xf16>) outs(%38 : tensor<1x1024x8x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.negf %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x8x64xf16>
    %40 = tensor.empty() : tensor<1x1024x8x128xf16>
    %inserted_slice_12 = tensor.insert_slice %39 into %40[0, 0, 0, 0] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x64xf16> into tensor<1x1024x8x128xf16>
    %inserted_slice_13 = tensor.insert_slice %extracted_slice_10 into %inserted_slice_12[0, 0, 0, 64] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x64xf16> into tensor<1x1024x8x128xf16>
    %41 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x1024x128xf16>) outs(%40 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x8x128xf16>
    %42 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %41 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%40 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x8x128xf16>
    %43 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x1024x128xf16>) outs(%40 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x8x128xf16>
    %44 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_13, %43 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%40 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x8x128xf16>
    %45 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %44 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%40 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.addf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x8x128xf16>
    %expanded_14 = tensor.expand_shape %37 [[0], [1], [2, 3], [4]] output_shape [1, 1024, 8, 4, 128] : tensor<1x1024x32x128xf16> into tensor<1x1024x8x4x128xf16>
    %46 = tensor.empty() : tensor<1x8x1024x128xf16>
    %47 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1024x8x128xf16>) outs(%46 : tensor<1x8x1024x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x1024x128xf16>
    %48 = tensor.empty() : tensor<1x8x128x1024x4xf16>
    %49 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x1024x8x4x128xf16>) outs(%48 : tensor<1x8x128x1024x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x1024x4xf16>
    %collapsed_15 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x8x1024x128xf16> into tensor<8x1024x128xf16>
    %collapsed_16 = tensor.collapse_shape %49 [[0, 1], [2], [3, 4]] : tensor<1x8x128x1024x4xf16> into tensor<8x128x4096xf16>
    %50 = tensor.empty() : tensor<8x1024x4096xf32>
    %51 = linalg.fill ins(%cst_4 : f32) outs(%50 : tensor<8x1024x4096xf32>) -> tensor<8x1024x4096xf32>
    %52 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<8x1024x128xf16>, tensor<8x128x4096xf16>) outs(%51 : tensor<8x1024x4096xf32>) -> tensor<8x1024x4096xf32>
    %expanded_17 = tensor.expand_shape %52 [[0, 1], [2], [3, 4]] output_shape [1, 8, 1024, 1024, 4] : tensor<8x1024x4096xf32> into tensor<1x8x1024x1024x4xf32>
    %53 = tensor.empty() : tensor<1x8x4x1024x1024xf32>
    %54 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x8x1024x1024x4xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %55 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x8x4x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_1 : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %56 = tensor.empty() : tensor<1x1x1024x1024xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x1024x1024xf16>) outs(%56 : tensor<1x1x1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<1x1x1024x1024xf32>
    %58 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x1x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %59 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.addf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %60 = tensor.empty() : tensor<1x8x4x1024xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<1x8x4x1024xf32>) -> tensor<1x8x4x1024xf32>
    %62 = linalg.generic {indexing_maps = [#map10, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x8x4x1024x1024xf32>) outs(%61 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.maximumf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024xf32>
    %63 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x8x4x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %64 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.subf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %65 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x8x4x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.exp %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %66 = linalg.fill ins(%cst_4 : f32) outs(%60 : tensor<1x8x4x1024xf32>) -> tensor<1x8x4x1024xf32>
    %67 = linalg.generic {indexing_maps = [#map10, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<1x8x4x1024x1024xf32>) outs(%66 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024xf32>
    %68 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x8x4x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %69 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%53 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.divf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %70 = tensor.empty() : tensor<1x8x4x1024x1024xf16>
    %71 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x8x4x1024x1024xf32>) outs(%70 : tensor<1x8x4x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x8x4x1024x1024xf16>
    %72 = tensor.empty() : tensor<1x8x128x1024xf16>
    %73 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x1024x8x128xf16>) outs(%72 : tensor<1x8x128x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x1024xf16>
    %74 = tensor.empty() : tensor<1x8x1024x4x1024xf16>
    %75 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x4x1024x1024xf16>) outs(%74 : tensor<1x8x1024x4x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x1024x4x1024xf16>
    %collapsed_18 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x8x128x1024xf16> into tensor<8x128x1024xf16>
    %collapsed_19 = tensor.collapse_shape %75 [[0, 1], [2], [3, 4]] : tensor<1x8x1024x4x1024xf16> into tensor<8x1024x4096xf16>
    %76 = tensor.empty() : tensor<8x128x4096xf32>
    %77 = linalg.fill ins(%cst_4 : f32) outs(%76 : tensor<8x128x4096xf32>) -> tensor<8x128x4096xf32>
    %78 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x128x1024xf16>, tensor<8x1024x4096xf16>) outs(%77 : tensor<8x128x4096xf32>) -> tensor<8x128x4096xf32>
    %79 = tensor.empty() : tensor<8x128x4096xf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<8x128x4096xf32>) outs(%79 : tensor<8x128x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<8x128x4096xf16>
    %expanded_20 = tensor.expand_shape %80 [[0, 1], [2], [3, 4]] output_shape [1, 8, 128, 4, 1024] : tensor<8x128x4096xf16> into tensor<1x8x128x4x1024xf16>
    %81 = tensor.empty() : tensor<1x1024x8x4x128xf16>
    %82 = linalg.generic {indexing_maps = [#map16, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x8x128x4x1024xf16>) outs(%81 : tensor<1x1024x8x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x8x4x128xf16>
    %collapsed_21 = tensor.collapse_shape %82 [[0, 1], [2, 3, 4]] : tensor<1x1024x8x4x128xf16> into tensor<1024x4096xf16>
    %83 = linalg.matmul ins(%collapsed_21, %arg8 : tensor<1024x4096xf16>, tensor<4096x4096xf16>) outs(%19 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<1024x4096xf32>) outs(%21 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x4096xf16>
    %expanded_22 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [1, 1024, 4096] : tensor<1024x4096xf16> into tensor<1x1024x4096xf16>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_22 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%16 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.addf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x4096xf16>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.mulf %in, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %out, %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024xf32>
    %expanded_23 = tensor.expand_shape %88 [[0], [1, 2]] output_shape [1, 1024, 1] : tensor<1x1024xf32> into tensor<1x1024x1xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_3 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %cst_2 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x1xf32>
    %92 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %92 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.mulf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<4096xf16>) outs(%12 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %115 = arith.extf %in : f16 to f32
      linalg.yield %115 : f32
    } -> tensor<4096xf32>
    %95 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %95 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %115 = arith.mulf %in, %in_29 : f32
      linalg.yield %115 : f32
    } -> tensor<1x1024x4096xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x1024x4096xf32>) outs(%16 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x4096xf16>
    %collapsed_24 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<1x1024x4096xf16> into tensor<1024x4096xf16>
    %98 = tensor.empty() : tensor<1024x14336xf32>
    %99 = linalg.fill ins(%cst_4 : f32) outs(%98 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %100 = linalg.matmul ins(%collapsed_24, %arg10 : tensor<1024x4096xf16>, tensor<4096x14336xf16>) outs(%99 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %101 = tensor.empty() : tensor<1024x14336xf16>
    %102 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<1024x14336xf32>) outs(%101 : tensor<1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x14336xf16>
    %expanded_25 = tensor.expand_shape %102 [[0, 1], [2]] output_shape [1, 1024, 14336] : tensor<1024x14336xf16> into tensor<1x1024x14336xf16>
    %103 = tensor.empty() : tensor<1x1024x14336xf16>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.negf %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = math.exp %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.addf %in, %cst : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %115 = arith.divf %cst, %in : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_25, %107 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %109 = linalg.matmul ins(%collapsed_24, %arg11 : tensor<1024x4096xf16>, tensor<4096x14336xf16>) outs(%99 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %110 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%109 : tensor<1024x14336xf32>) outs(%101 : tensor<1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x14336xf16>
    %expanded_26 = tensor.expand_shape %110 [[0, 1], [2]] output_shape [1, 1024, 14336] : tensor<1024x14336xf16> into tensor<1x1024x14336xf16>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %expanded_26 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%103 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.mulf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x14336xf16>
    %collapsed_27 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<1x1024x14336xf16> into tensor<1024x14336xf16>
    %112 = linalg.matmul ins(%collapsed_27, %arg12 : tensor<1024x14336xf16>, tensor<14336x4096xf16>) outs(%19 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<1024x4096xf32>) outs(%21 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %115 = arith.truncf %in : f32 to f16
      linalg.yield %115 : f16
    } -> tensor<1024x4096xf16>
    %expanded_28 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [1, 1024, 4096] : tensor<1024x4096xf16> into tensor<1x1024x4096xf16>
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %expanded_28 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%16 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %115 = arith.addf %in, %in_29 : f16
      linalg.yield %115 : f16
    } -> tensor<1x1024x4096xf16>
    return %114 : tensor<1x1024x4096xf16>
  }
}
