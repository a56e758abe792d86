// torch-llama-decoder-layer
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x5x24xf32>, %arg1: tensor<1x5x8xf32>, %arg2: tensor<1x5x8xf32>, %arg3: tensor<1x1x5x5xf32>, %arg4: tensor<48x24xf32>, %arg5: tensor<16x24xf32>, %arg6: tensor<16x24xf32>, %arg7: tensor<24x48xf32>, %arg8: tensor<28x24xf32>, %arg9: tensor<28x24xf32>, %arg10: tensor<24x28xf32>, %arg11: tensor<24xf32>, %arg12: tensor<24xf32>) -> tensor<1x5x24xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %2 = tensor.empty() : tensor<1x5x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.divf %in, %cst_4 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_3 : f64 to f32
      %81 = arith.addf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.rsqrt %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<1x5x24xf32>, tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %8 : tensor<24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %10 = tensor.empty() : tensor<24x48xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<48x24xf32>) outs(%10 : tensor<24x48xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x5x24xf32> into tensor<5x24xf32>
    %11 = tensor.empty() : tensor<5x48xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<5x24xf32>, tensor<24x48xf32>) outs(%12 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<5x48xf32> into tensor<1x5x6x8xf32>
    %14 = tensor.empty() : tensor<1x6x5x8xf32>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<1x5x6x8xf32>) outs(%14 : tensor<1x6x5x8xf32>) permutation = [0, 2, 1, 3] 
    %15 = tensor.empty() : tensor<24x16xf32>
    %transposed_6 = linalg.transpose ins(%arg5 : tensor<16x24xf32>) outs(%15 : tensor<24x16xf32>) permutation = [1, 0] 
    %16 = tensor.empty() : tensor<5x16xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<5x24xf32>, tensor<24x16xf32>) outs(%17 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %expanded_7 = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf32> into tensor<1x5x2x8xf32>
    %19 = tensor.empty() : tensor<1x2x5x8xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x5x2x8xf32>) outs(%19 : tensor<1x2x5x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg6 : tensor<16x24xf32>) outs(%15 : tensor<24x16xf32>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<5x24xf32>, tensor<24x16xf32>) outs(%17 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %expanded_10 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<5x16xf32> into tensor<1x5x2x8xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x5x2x8xf32>) outs(%19 : tensor<1x2x5x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_12 = tensor.expand_shape %arg1 [[0], [1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<1x5x8xf32> into tensor<1x1x5x8xf32>
    %expanded_13 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<1x5x8xf32> into tensor<1x1x5x8xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5, %expanded_12 : tensor<1x6x5x8xf32>, tensor<1x1x5x8xf32>) outs(%14 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_5[0, 0, 0, 0] [1, 6, 5, 4] [1, 1, 1, 1] : tensor<1x6x5x8xf32> to tensor<1x6x5x4xf32>
    %extracted_slice_14 = tensor.extract_slice %transposed_5[0, 0, 0, 4] [1, 6, 5, 4] [1, 1, 1, 1] : tensor<1x6x5x8xf32> to tensor<1x6x5x4xf32>
    %22 = tensor.empty() : tensor<1x6x5x4xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14 : tensor<1x6x5x4xf32>) outs(%22 : tensor<1x6x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.negf %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x4xf32>
    %concat = tensor.concat dim(3) %23, %extracted_slice : (tensor<1x6x5x4xf32>, tensor<1x6x5x4xf32>) -> tensor<1x6x5x8xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_13 : tensor<1x6x5x8xf32>, tensor<1x1x5x8xf32>) outs(%14 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x8xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<1x6x5x8xf32>, tensor<1x6x5x8xf32>) outs(%14 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.addf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x8xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8, %expanded_12 : tensor<1x2x5x8xf32>, tensor<1x1x5x8xf32>) outs(%19 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x8xf32>
    %extracted_slice_15 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x2x5x8xf32> to tensor<1x2x5x4xf32>
    %extracted_slice_16 = tensor.extract_slice %transposed_8[0, 0, 0, 4] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x2x5x8xf32> to tensor<1x2x5x4xf32>
    %27 = tensor.empty() : tensor<1x2x5x4xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_16 : tensor<1x2x5x4xf32>) outs(%27 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.negf %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x4xf32>
    %concat_17 = tensor.concat dim(3) %28, %extracted_slice_15 : (tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x8xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_17, %expanded_13 : tensor<1x2x5x8xf32>, tensor<1x1x5x8xf32>) outs(%19 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x8xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) outs(%19 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.addf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x8xf32>
    %31 = tensor.empty() : tensor<1x2x3x5x8xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x5x8xf32>) outs(%31 : tensor<1x2x3x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x8xf32>
    %collapsed_18 = tensor.collapse_shape %32 [[0], [1, 2], [3], [4]] : tensor<1x2x3x5x8xf32> into tensor<1x6x5x8xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<1x2x5x8xf32>) outs(%31 : tensor<1x2x3x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x8xf32>
    %34 = tensor.empty() : tensor<1x6x8x5xf32>
    %transposed_19 = linalg.transpose ins(%collapsed_18 : tensor<1x6x5x8xf32>) outs(%34 : tensor<1x6x8x5xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x6x5x8xf32> into tensor<6x5x8xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x6x8x5xf32> into tensor<6x8x5xf32>
    %35 = tensor.empty() : tensor<6x5x5xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %37 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<6x5x8xf32>, tensor<6x8x5xf32>) outs(%36 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_22 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 6, 5, 5] : tensor<6x5x5xf32> into tensor<1x6x5x5xf32>
    %38 = tensor.empty() : tensor<1x6x5x5xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x6x5x5xf32>) outs(%38 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_2 : f64 to f32
      %81 = arith.mulf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x6x5x5xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %arg3 : tensor<1x6x5x5xf32>, tensor<1x1x5x5xf32>) outs(%38 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.addf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x5xf32>
    %41 = tensor.empty() : tensor<1x6x5xi64>
    %42 = linalg.fill ins(%c0_i64 : i64) outs(%41 : tensor<1x6x5xi64>) -> tensor<1x6x5xi64>
    %43 = tensor.empty() : tensor<1x6x5xf32>
    %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
    %45:2 = linalg.generic {indexing_maps = [#map3, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x6x5x5xf32>) outs(%44, %42 : tensor<1x6x5xf32>, tensor<1x6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %80 = linalg.index 3 : index
      %81 = arith.index_cast %80 : index to i64
      %82 = arith.maximumf %in, %out : f32
      %83 = arith.cmpf ogt, %in, %out : f32
      %84 = arith.select %83, %81, %out_39 : i64
      linalg.yield %82, %84 : f32, i64
    } -> (tensor<1x6x5xf32>, tensor<1x6x5xi64>)
    %expanded_23 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 6, 5, 1] : tensor<1x6x5xf32> into tensor<1x6x5x1xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %expanded_23 : tensor<1x6x5x5xf32>, tensor<1x6x5x1xf32>) outs(%38 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.subf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x5xf32>
    %47 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x6x5x5xf32>) outs(%38 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.exp %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x5xf32>
    %48 = tensor.empty() : tensor<1x6x5x1xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x6x5x1xf32>) -> tensor<1x6x5x1xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x6x5x5xf32>) outs(%49 : tensor<1x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x1xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<1x6x5x5xf32>, tensor<1x6x5x1xf32>) outs(%38 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.divf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x6x5x5xf32>
    %collapsed_24 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x6x5x5xf32> into tensor<6x5x5xf32>
    %collapsed_25 = tensor.collapse_shape %33 [[0, 1, 2], [3], [4]] : tensor<1x2x3x5x8xf32> into tensor<6x5x8xf32>
    %52 = tensor.empty() : tensor<6x5x8xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %54 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<6x5x5xf32>, tensor<6x5x8xf32>) outs(%53 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %expanded_26 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 6, 5, 8] : tensor<6x5x8xf32> into tensor<1x6x5x8xf32>
    %55 = tensor.empty() : tensor<1x5x6x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x6x5x8xf32>) outs(%55 : tensor<1x5x6x8xf32>) permutation = [0, 2, 1, 3] 
    %56 = tensor.empty() : tensor<48x24xf32>
    %transposed_28 = linalg.transpose ins(%arg7 : tensor<24x48xf32>) outs(%56 : tensor<48x24xf32>) permutation = [1, 0] 
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2, 3]] : tensor<1x5x6x8xf32> into tensor<5x48xf32>
    %57 = tensor.empty() : tensor<5x24xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%57 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %59 = linalg.matmul ins(%collapsed_29, %transposed_28 : tensor<5x48xf32>, tensor<48x24xf32>) outs(%58 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %expanded_30 = tensor.expand_shape %59 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf32> into tensor<1x5x24xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_30 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.addf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.divf %in, %cst_4 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_3 : f64 to f32
      %81 = arith.addf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x5x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.rsqrt %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x1xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %65 : tensor<1x5x24xf32>, tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %67 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %66 : tensor<24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    %68 = tensor.empty() : tensor<24x28xf32>
    %transposed_31 = linalg.transpose ins(%arg8 : tensor<28x24xf32>) outs(%68 : tensor<24x28xf32>) permutation = [1, 0] 
    %collapsed_32 = tensor.collapse_shape %67 [[0, 1], [2]] : tensor<1x5x24xf32> into tensor<5x24xf32>
    %69 = tensor.empty() : tensor<5x28xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %71 = linalg.matmul ins(%collapsed_32, %transposed_31 : tensor<5x24xf32>, tensor<24x28xf32>) outs(%70 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %expanded_33 = tensor.expand_shape %71 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf32> into tensor<1x5x28xf32>
    %72 = tensor.empty() : tensor<1x5x28xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x5x28xf32>) outs(%72 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.negf %in : f32
      %81 = math.exp %80 : f32
      %82 = arith.addf %81, %cst_1 : f32
      %83 = arith.divf %cst_1, %82 : f32
      linalg.yield %83 : f32
    } -> tensor<1x5x28xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33, %73 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%72 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x28xf32>
    %transposed_34 = linalg.transpose ins(%arg9 : tensor<28x24xf32>) outs(%68 : tensor<24x28xf32>) permutation = [1, 0] 
    %75 = linalg.matmul ins(%collapsed_32, %transposed_34 : tensor<5x24xf32>, tensor<24x28xf32>) outs(%70 : tensor<5x28xf32>) -> tensor<5x28xf32>
    %expanded_35 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [1, 5, 28] : tensor<5x28xf32> into tensor<1x5x28xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %expanded_35 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%72 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.mulf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x28xf32>
    %77 = tensor.empty() : tensor<28x24xf32>
    %transposed_36 = linalg.transpose ins(%arg10 : tensor<24x28xf32>) outs(%77 : tensor<28x24xf32>) permutation = [1, 0] 
    %collapsed_37 = tensor.collapse_shape %76 [[0, 1], [2]] : tensor<1x5x28xf32> into tensor<5x28xf32>
    %78 = linalg.matmul ins(%collapsed_37, %transposed_36 : tensor<5x28xf32>, tensor<28x24xf32>) outs(%58 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %expanded_38 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf32> into tensor<1x5x24xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %expanded_38 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %80 = arith.addf %in, %in_39 : f32
      linalg.yield %80 : f32
    } -> tensor<1x5x24xf32>
    return %79 : tensor<1x5x24xf32>
  }
}
