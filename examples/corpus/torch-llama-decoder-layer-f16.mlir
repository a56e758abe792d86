// torch-llama-decoder-layer-f16
//   python export_pytorch.py . --real llama-decoder-layer-f16
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x1024x4096xf16>, %arg1: tensor<1x1024x128xf16>, %arg2: tensor<1x1024x128xf16>, %arg3: tensor<1x1x1024x1024xf16>, %arg4: tensor<4096x4096xf16>, %arg5: tensor<1024x4096xf16>, %arg6: tensor<1024x4096xf16>, %arg7: tensor<4096x4096xf16>, %arg8: tensor<14336x4096xf16>, %arg9: tensor<14336x4096xf16>, %arg10: tensor<4096x14336xf16>, %arg11: tensor<4096xf16>, %arg12: tensor<4096xf16>) -> tensor<1x1024x4096xf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.088388347648318447 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 4.096000e+03 : f32
    %0 = tensor.empty() : tensor<1x1024x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %102 = arith.extf %in : f16 to f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %3 = tensor.empty() : tensor<1x1024x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.divf %in, %cst_4 : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_3 : f64 to f32
      %103 = arith.addf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<1x1024x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.rsqrt %in : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x1024x4096xf32>, tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %102 = arith.mulf %in, %in_39 : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %10 = tensor.empty() : tensor<1x1024x4096xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1024x4096xf32>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %11 : tensor<4096xf16>, tensor<1x1024x4096xf16>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    %13 = tensor.empty() : tensor<4096x4096xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<4096x4096xf16>) outs(%13 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x1024x4096xf16> into tensor<1024x4096xf16>
    %14 = tensor.empty() : tensor<1024x4096xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<1024x4096xf16>, tensor<4096x4096xf16>) outs(%15 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %17 = tensor.empty() : tensor<1024x4096xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1024x4096xf32>) outs(%17 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x4096xf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [1, 1024, 32, 128] : tensor<1024x4096xf16> into tensor<1x1024x32x128xf16>
    %19 = tensor.empty() : tensor<1x32x1024x128xf16>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<1x1024x32x128xf16>) outs(%19 : tensor<1x32x1024x128xf16>) permutation = [0, 2, 1, 3] 
    %20 = tensor.empty() : tensor<4096x1024xf16>
    %transposed_6 = linalg.transpose ins(%arg5 : tensor<1024x4096xf16>) outs(%20 : tensor<4096x1024xf16>) permutation = [1, 0] 
    %21 = tensor.empty() : tensor<1024x1024xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %23 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<1024x4096xf16>, tensor<4096x1024xf16>) outs(%22 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %24 = tensor.empty() : tensor<1024x1024xf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1024x1024xf32>) outs(%24 : tensor<1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x1024xf16>
    %expanded_7 = tensor.expand_shape %25 [[0, 1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1024x1024xf16> into tensor<1x1024x8x128xf16>
    %26 = tensor.empty() : tensor<1x8x1024x128xf16>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x1024x8x128xf16>) outs(%26 : tensor<1x8x1024x128xf16>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg6 : tensor<1024x4096xf16>) outs(%20 : tensor<4096x1024xf16>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<1024x4096xf16>, tensor<4096x1024xf16>) outs(%22 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<1024x1024xf32>) outs(%24 : tensor<1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x1024xf16>
    %expanded_10 = tensor.expand_shape %28 [[0, 1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1024x1024xf16> into tensor<1x1024x8x128xf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x1024x8x128xf16>) outs(%26 : tensor<1x8x1024x128xf16>) permutation = [0, 2, 1, 3] 
    %expanded_12 = tensor.expand_shape %arg1 [[0], [1, 2], [3]] output_shape [1, 1, 1024, 128] : tensor<1x1024x128xf16> into tensor<1x1x1024x128xf16>
    %expanded_13 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [1, 1, 1024, 128] : tensor<1x1024x128xf16> into tensor<1x1x1024x128xf16>
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5, %expanded_12 : tensor<1x32x1024x128xf16>, tensor<1x1x1024x128xf16>) outs(%19 : tensor<1x32x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x128xf16>
    %extracted_slice = tensor.extract_slice %transposed_5[0, 0, 0, 0] [1, 32, 1024, 64] [1, 1, 1, 1] : tensor<1x32x1024x128xf16> to tensor<1x32x1024x64xf16>
    %extracted_slice_14 = tensor.extract_slice %transposed_5[0, 0, 0, 64] [1, 32, 1024, 64] [1, 1, 1, 1] : tensor<1x32x1024x128xf16> to tensor<1x32x1024x64xf16>
    %30 = tensor.empty() : tensor<1x32x1024x64xf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14 : tensor<1x32x1024x64xf16>) outs(%30 : tensor<1x32x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %102 = arith.negf %in : f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x64xf16>
    %concat = tensor.concat dim(3) %31, %extracted_slice : (tensor<1x32x1024x64xf16>, tensor<1x32x1024x64xf16>) -> tensor<1x32x1024x128xf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_13 : tensor<1x32x1024x128xf16>, tensor<1x1x1024x128xf16>) outs(%19 : tensor<1x32x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x128xf16>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x32x1024x128xf16>, tensor<1x32x1024x128xf16>) outs(%19 : tensor<1x32x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.addf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x128xf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8, %expanded_12 : tensor<1x8x1024x128xf16>, tensor<1x1x1024x128xf16>) outs(%26 : tensor<1x8x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x8x1024x128xf16>
    %extracted_slice_15 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [1, 8, 1024, 64] [1, 1, 1, 1] : tensor<1x8x1024x128xf16> to tensor<1x8x1024x64xf16>
    %extracted_slice_16 = tensor.extract_slice %transposed_8[0, 0, 0, 64] [1, 8, 1024, 64] [1, 1, 1, 1] : tensor<1x8x1024x128xf16> to tensor<1x8x1024x64xf16>
    %35 = tensor.empty() : tensor<1x8x1024x64xf16>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_16 : tensor<1x8x1024x64xf16>) outs(%35 : tensor<1x8x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %102 = arith.negf %in : f16
      linalg.yield %102 : f16
    } -> tensor<1x8x1024x64xf16>
    %concat_17 = tensor.concat dim(3) %36, %extracted_slice_15 : (tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x128xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_17, %expanded_13 : tensor<1x8x1024x128xf16>, tensor<1x1x1024x128xf16>) outs(%26 : tensor<1x8x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x8x1024x128xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<1x8x1024x128xf16>, tensor<1x8x1024x128xf16>) outs(%26 : tensor<1x8x1024x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.addf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x8x1024x128xf16>
    %39 = tensor.empty() : tensor<1x8x4x1024x128xf16>
    %40 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x8x1024x128xf16>) outs(%39 : tensor<1x8x4x1024x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1024x128xf16>
    %collapsed_18 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1024x128xf16> into tensor<1x32x1024x128xf16>
    %41 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<1x8x1024x128xf16>) outs(%39 : tensor<1x8x4x1024x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1024x128xf16>
    %42 = tensor.empty() : tensor<1x32x128x1024xf16>
    %transposed_19 = linalg.transpose ins(%collapsed_18 : tensor<1x32x1024x128xf16>) outs(%42 : tensor<1x32x128x1024xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x32x1024x128xf16> into tensor<32x1024x128xf16>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x32x128x1024xf16> into tensor<32x128x1024xf16>
    %43 = tensor.empty() : tensor<32x1024x1024xf32>
    %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
    %45 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<32x1024x128xf16>, tensor<32x128x1024xf16>) outs(%44 : tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
    %46 = tensor.empty() : tensor<32x1024x1024xf16>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<32x1024x1024xf32>) outs(%46 : tensor<32x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<32x1024x1024xf16>
    %expanded_22 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 1024] : tensor<32x1024x1024xf16> into tensor<1x32x1024x1024xf16>
    %48 = tensor.empty() : tensor<1x32x1024x1024xf16>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x32x1024x1024xf16>) outs(%48 : tensor<1x32x1024x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %102 = arith.truncf %cst_2 : f64 to f16
      %103 = arith.mulf %in, %102 : f16
      linalg.yield %103 : f16
    } -> tensor<1x32x1024x1024xf16>
    %50 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %arg3 : tensor<1x32x1024x1024xf16>, tensor<1x1x1024x1024xf16>) outs(%48 : tensor<1x32x1024x1024xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.addf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x1024xf16>
    %51 = tensor.empty() : tensor<1x32x1024x1024xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x32x1024x1024xf16>) outs(%51 : tensor<1x32x1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %102 = arith.extf %in : f16 to f32
      linalg.yield %102 : f32
    } -> tensor<1x32x1024x1024xf32>
    %53 = tensor.empty() : tensor<1x32x1024xi64>
    %54 = linalg.fill ins(%c0_i64 : i64) outs(%53 : tensor<1x32x1024xi64>) -> tensor<1x32x1024xi64>
    %55 = tensor.empty() : tensor<1x32x1024xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<1x32x1024xf32>) -> tensor<1x32x1024xf32>
    %57:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x32x1024x1024xf32>) outs(%56, %54 : tensor<1x32x1024xf32>, tensor<1x32x1024xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %102 = linalg.index 3 : index
      %103 = arith.index_cast %102 : index to i64
      %104 = arith.maximumf %in, %out : f32
      %105 = arith.cmpf ogt, %in, %out : f32
      %106 = arith.select %105, %103, %out_39 : i64
      linalg.yield %104, %106 : f32, i64
    } -> (tensor<1x32x1024xf32>, tensor<1x32x1024xi64>)
    %expanded_23 = tensor.expand_shape %57#0 [[0], [1], [2, 3]] output_shape [1, 32, 1024, 1] : tensor<1x32x1024xf32> into tensor<1x32x1024x1xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %expanded_23 : tensor<1x32x1024x1024xf32>, tensor<1x32x1024x1xf32>) outs(%51 : tensor<1x32x1024x1024xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %102 = arith.subf %in, %in_39 : f32
      linalg.yield %102 : f32
    } -> tensor<1x32x1024x1024xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x32x1024x1024xf32>) outs(%51 : tensor<1x32x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.exp %in : f32
      linalg.yield %102 : f32
    } -> tensor<1x32x1024x1024xf32>
    %60 = tensor.empty() : tensor<1x32x1024x1xf32>
    %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x32x1024x1024xf32>) outs(%61 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<1x32x1024x1xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x32x1024x1024xf32>, tensor<1x32x1024x1xf32>) outs(%51 : tensor<1x32x1024x1024xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %102 = arith.divf %in, %in_39 : f32
      linalg.yield %102 : f32
    } -> tensor<1x32x1024x1024xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x32x1024x1024xf32>) outs(%48 : tensor<1x32x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1x32x1024x1024xf16>
    %collapsed_24 = tensor.collapse_shape %64 [[0, 1], [2], [3]] : tensor<1x32x1024x1024xf16> into tensor<32x1024x1024xf16>
    %collapsed_25 = tensor.collapse_shape %41 [[0, 1, 2], [3], [4]] : tensor<1x8x4x1024x128xf16> into tensor<32x1024x128xf16>
    %65 = tensor.empty() : tensor<32x1024x128xf32>
    %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<32x1024x128xf32>) -> tensor<32x1024x128xf32>
    %67 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<32x1024x1024xf16>, tensor<32x1024x128xf16>) outs(%66 : tensor<32x1024x128xf32>) -> tensor<32x1024x128xf32>
    %68 = tensor.empty() : tensor<32x1024x128xf16>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<32x1024x128xf32>) outs(%68 : tensor<32x1024x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<32x1024x128xf16>
    %expanded_26 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 128] : tensor<32x1024x128xf16> into tensor<1x32x1024x128xf16>
    %70 = tensor.empty() : tensor<1x1024x32x128xf16>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x32x1024x128xf16>) outs(%70 : tensor<1x1024x32x128xf16>) permutation = [0, 2, 1, 3] 
    %transposed_28 = linalg.transpose ins(%arg7 : tensor<4096x4096xf16>) outs(%13 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2, 3]] : tensor<1x1024x32x128xf16> into tensor<1024x4096xf16>
    %71 = linalg.matmul ins(%collapsed_29, %transposed_28 : tensor<1024x4096xf16>, tensor<4096x4096xf16>) outs(%15 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %72 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%71 : tensor<1024x4096xf32>) outs(%17 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x4096xf16>
    %expanded_30 = tensor.expand_shape %72 [[0, 1], [2]] output_shape [1, 1024, 4096] : tensor<1024x4096xf16> into tensor<1x1024x4096xf16>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_30 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.addf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %102 = arith.extf %in : f16 to f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.divf %in, %cst_4 : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_3 : f64 to f32
      %103 = arith.addf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<1x1024x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x1024x1xf32>) outs(%3 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.rsqrt %in : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x1xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %79 : tensor<1x1024x4096xf32>, tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %102 = arith.mulf %in, %in_39 : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x4096xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<1x1024x4096xf32>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    %82 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %81 : tensor<4096xf16>, tensor<1x1024x4096xf16>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    %83 = tensor.empty() : tensor<4096x14336xf16>
    %transposed_31 = linalg.transpose ins(%arg8 : tensor<14336x4096xf16>) outs(%83 : tensor<4096x14336xf16>) permutation = [1, 0] 
    %collapsed_32 = tensor.collapse_shape %82 [[0, 1], [2]] : tensor<1x1024x4096xf16> into tensor<1024x4096xf16>
    %84 = tensor.empty() : tensor<1024x14336xf32>
    %85 = linalg.fill ins(%cst : f32) outs(%84 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %86 = linalg.matmul ins(%collapsed_32, %transposed_31 : tensor<1024x4096xf16>, tensor<4096x14336xf16>) outs(%85 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %87 = tensor.empty() : tensor<1024x14336xf16>
    %88 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<1024x14336xf32>) outs(%87 : tensor<1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x14336xf16>
    %expanded_33 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [1, 1024, 14336] : tensor<1024x14336xf16> into tensor<1x1024x14336xf16>
    %89 = tensor.empty() : tensor<1x1024x14336xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x1024x14336xf16>) outs(%89 : tensor<1x1024x14336xf32>) {
    ^bb0(%in: f16, %out: f32):
      %102 = arith.extf %in : f16 to f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x14336xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x1024x14336xf32>) outs(%89 : tensor<1x1024x14336xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.negf %in : f32
      %103 = math.exp %102 : f32
      %104 = arith.addf %103, %cst_1 : f32
      %105 = arith.divf %cst_1, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x1024x14336xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %91 : tensor<1x1024x14336xf32>, tensor<1x1024x14336xf32>) outs(%89 : tensor<1x1024x14336xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %102 = arith.mulf %in, %in_39 : f32
      linalg.yield %102 : f32
    } -> tensor<1x1024x14336xf32>
    %93 = tensor.empty() : tensor<1x1024x14336xf16>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x1024x14336xf32>) outs(%93 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x14336xf16>
    %transposed_34 = linalg.transpose ins(%arg9 : tensor<14336x4096xf16>) outs(%83 : tensor<4096x14336xf16>) permutation = [1, 0] 
    %95 = linalg.matmul ins(%collapsed_32, %transposed_34 : tensor<1024x4096xf16>, tensor<4096x14336xf16>) outs(%85 : tensor<1024x14336xf32>) -> tensor<1024x14336xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<1024x14336xf32>) outs(%87 : tensor<1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x14336xf16>
    %expanded_35 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 1024, 14336] : tensor<1024x14336xf16> into tensor<1x1024x14336xf16>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %expanded_35 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%93 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.mulf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x14336xf16>
    %98 = tensor.empty() : tensor<14336x4096xf16>
    %transposed_36 = linalg.transpose ins(%arg10 : tensor<4096x14336xf16>) outs(%98 : tensor<14336x4096xf16>) permutation = [1, 0] 
    %collapsed_37 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<1x1024x14336xf16> into tensor<1024x14336xf16>
    %99 = linalg.matmul ins(%collapsed_37, %transposed_36 : tensor<1024x14336xf16>, tensor<14336x4096xf16>) outs(%15 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %100 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%99 : tensor<1024x4096xf32>) outs(%17 : tensor<1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %102 = arith.truncf %in : f32 to f16
      linalg.yield %102 : f16
    } -> tensor<1024x4096xf16>
    %expanded_38 = tensor.expand_shape %100 [[0, 1], [2]] output_shape [1, 1024, 4096] : tensor<1024x4096xf16> into tensor<1x1024x4096xf16>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %expanded_38 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%10 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %102 = arith.addf %in, %in_39 : f16
      linalg.yield %102 : f16
    } -> tensor<1x1024x4096xf16>
    return %101 : tensor<1x1024x4096xf16>
  }
}
