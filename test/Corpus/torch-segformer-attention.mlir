// torch-segformer-attention
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x24x12xf32>, %arg1: tensor<12x12xf32>, %arg2: tensor<12xf32>, %arg3: tensor<12x12xf32>, %arg4: tensor<12xf32>, %arg5: tensor<12x12xf32>, %arg6: tensor<12xf32>, %arg7: tensor<12x12xf32>, %arg8: tensor<12xf32>, %arg9: tensor<12x12x2x2xf32>, %arg10: tensor<12xf32>, %arg11: tensor<12xf32>, %arg12: tensor<12xf32>) -> tensor<1x24x12xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 1.200000e+01 : f64
    %cst_4 = arith.constant 1.200000e+01 : f32
    %cst_5 = arith.constant 5.000000e-01 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x24x12xf32> into tensor<24x12xf32>
    %0 = tensor.empty() : tensor<12x12xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<24x12xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<24x12xf32>, tensor<12x12xf32>) outs(%2 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<12xf32>) outs(%1 : tensor<24x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x12xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<24x12xf32>, tensor<24x12xf32>) outs(%1 : tensor<24x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.addf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<24x12xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 24, 3, 4] : tensor<24x12xf32> into tensor<1x24x3x4xf32>
    %6 = tensor.empty() : tensor<1x3x24x4xf32>
    %transposed_6 = linalg.transpose ins(%expanded : tensor<1x24x3x4xf32>) outs(%6 : tensor<1x3x24x4xf32>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<1x12x24xf32>
    %transposed_7 = linalg.transpose ins(%arg0 : tensor<1x24x12xf32>) outs(%7 : tensor<1x12x24xf32>) permutation = [0, 2, 1] 
    %expanded_8 = tensor.expand_shape %transposed_7 [[0], [1], [2, 3]] output_shape [1, 12, 4, 6] : tensor<1x12x24xf32> into tensor<1x12x4x6xf32>
    %8 = tensor.empty() : tensor<1x12x2x3xf32>
    %broadcasted = linalg.broadcast ins(%arg10 : tensor<12xf32>) outs(%8 : tensor<1x12x2x3xf32>) dimensions = [0, 2, 3] 
    %9 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%expanded_8, %arg9 : tensor<1x12x4x6xf32>, tensor<12x12x2x2xf32>) outs(%broadcasted : tensor<1x12x2x3xf32>) -> tensor<1x12x2x3xf32>
    %collapsed_9 = tensor.collapse_shape %9 [[0], [1], [2, 3]] : tensor<1x12x2x3xf32> into tensor<1x12x6xf32>
    %10 = tensor.empty() : tensor<1x6x12xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_9 : tensor<1x12x6xf32>) outs(%10 : tensor<1x6x12xf32>) permutation = [0, 2, 1] 
    %11 = tensor.empty() : tensor<1x6x12xf64>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<1x6x12xf32>) outs(%11 : tensor<1x6x12xf64>) {
    ^bb0(%in: f32, %out: f64):
      %65 = arith.extf %in : f32 to f64
      linalg.yield %65 : f64
    } -> tensor<1x6x12xf64>
    %13 = tensor.empty() : tensor<1x6x1xf64>
    %14 = linalg.fill ins(%cst_0 : f64) outs(%13 : tensor<1x6x1xf64>) -> tensor<1x6x1xf64>
    %15 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x6x12xf64>) outs(%14 : tensor<1x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %65 = arith.addf %in, %out : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x1xf64>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x6x1xf64>) outs(%13 : tensor<1x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %65 = arith.divf %in, %cst_3 : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x1xf64>
    %17 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %16 : tensor<1x6x12xf64>, tensor<1x6x1xf64>) outs(%11 : tensor<1x6x12xf64>) {
    ^bb0(%in: f64, %in_29: f64, %out: f64):
      %65 = arith.subf %in, %in_29 : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x12xf64>
    %18 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %17 : tensor<1x6x12xf64>, tensor<1x6x12xf64>) outs(%11 : tensor<1x6x12xf64>) {
    ^bb0(%in: f64, %in_29: f64, %out: f64):
      %65 = arith.mulf %in, %in_29 : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x12xf64>
    %19 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<1x6x12xf64>) outs(%14 : tensor<1x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %65 = arith.addf %in, %out : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x1xf64>
    %20 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x6x1xf64>) outs(%13 : tensor<1x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %65 = arith.divf %in, %cst_3 : f64
      linalg.yield %65 : f64
    } -> tensor<1x6x1xf64>
    %21 = tensor.empty() : tensor<1x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x6x1xf64>) outs(%21 : tensor<1x6x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %65 = arith.truncf %in : f64 to f32
      linalg.yield %65 : f32
    } -> tensor<1x6x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%transposed_10 : tensor<1x6x12xf32>) outs(%23 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = arith.addf %in, %out : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x6x1xf32>) outs(%21 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = arith.divf %in, %cst_4 : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x6x1xf32>) outs(%21 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = arith.truncf %cst_2 : f64 to f32
      %66 = arith.addf %in, %65 : f32
      linalg.yield %66 : f32
    } -> tensor<1x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x6x1xf32>) outs(%21 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = math.rsqrt %in : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10, %25 : tensor<1x6x12xf32>, tensor<1x6x1xf32>) outs(%10 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.subf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x12xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %27 : tensor<1x6x12xf32>, tensor<1x6x1xf32>) outs(%10 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.mulf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x12xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %arg11 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%10 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.mulf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x12xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %arg12 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%10 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.addf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x6x12xf32>
    %collapsed_11 = tensor.collapse_shape %31 [[0, 1], [2]] : tensor<1x6x12xf32> into tensor<6x12xf32>
    %transposed_12 = linalg.transpose ins(%arg3 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %32 = tensor.empty() : tensor<6x12xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %34 = linalg.matmul ins(%collapsed_11, %transposed_12 : tensor<6x12xf32>, tensor<12x12xf32>) outs(%33 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<12xf32>) outs(%32 : tensor<6x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x12xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<6x12xf32>, tensor<6x12xf32>) outs(%32 : tensor<6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.addf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<6x12xf32>
    %expanded_13 = tensor.expand_shape %36 [[0, 1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<6x12xf32> into tensor<1x6x3x4xf32>
    %transposed_14 = linalg.transpose ins(%arg5 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %37 = linalg.matmul ins(%collapsed_11, %transposed_14 : tensor<6x12xf32>, tensor<12x12xf32>) outs(%33 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<12xf32>) outs(%32 : tensor<6x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x12xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%37, %38 : tensor<6x12xf32>, tensor<6x12xf32>) outs(%32 : tensor<6x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.addf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<6x12xf32>
    %expanded_15 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<6x12xf32> into tensor<1x6x3x4xf32>
    %40 = tensor.empty() : tensor<1x3x6x4xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<1x6x3x4xf32>) outs(%40 : tensor<1x3x6x4xf32>) permutation = [0, 2, 1, 3] 
    %41 = tensor.empty() : tensor<1x3x4x6xf32>
    %transposed_17 = linalg.transpose ins(%expanded_13 : tensor<1x6x3x4xf32>) outs(%41 : tensor<1x3x4x6xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_18 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x3x24x4xf32> into tensor<3x24x4xf32>
    %collapsed_19 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x3x4x6xf32> into tensor<3x4x6xf32>
    %42 = tensor.empty() : tensor<3x24x6xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<3x24x6xf32>) -> tensor<3x24x6xf32>
    %44 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<3x24x4xf32>, tensor<3x4x6xf32>) outs(%43 : tensor<3x24x6xf32>) -> tensor<3x24x6xf32>
    %expanded_20 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 3, 24, 6] : tensor<3x24x6xf32> into tensor<1x3x24x6xf32>
    %45 = tensor.empty() : tensor<1x3x24x6xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x3x24x6xf32>) outs(%45 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = arith.mulf %in, %cst_5 : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x24x6xf32>
    %47 = tensor.empty() : tensor<1x3x24xi64>
    %48 = linalg.fill ins(%c0_i64 : i64) outs(%47 : tensor<1x3x24xi64>) -> tensor<1x3x24xi64>
    %49 = tensor.empty() : tensor<1x3x24xf32>
    %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<1x3x24xf32>) -> tensor<1x3x24xf32>
    %51:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x3x24x6xf32>) outs(%50, %48 : tensor<1x3x24xf32>, tensor<1x3x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %65 = linalg.index 3 : index
      %66 = arith.index_cast %65 : index to i64
      %67 = arith.maximumf %in, %out : f32
      %68 = arith.cmpf ogt, %in, %out : f32
      %69 = arith.select %68, %66, %out_29 : i64
      linalg.yield %67, %69 : f32, i64
    } -> (tensor<1x3x24xf32>, tensor<1x3x24xi64>)
    %expanded_21 = tensor.expand_shape %51#0 [[0], [1], [2, 3]] output_shape [1, 3, 24, 1] : tensor<1x3x24xf32> into tensor<1x3x24x1xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %expanded_21 : tensor<1x3x24x6xf32>, tensor<1x3x24x1xf32>) outs(%45 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.subf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x24x6xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x3x24x6xf32>) outs(%45 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = math.exp %in : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x24x6xf32>
    %54 = tensor.empty() : tensor<1x3x24x1xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<1x3x24x1xf32>) -> tensor<1x3x24x1xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<1x3x24x6xf32>) outs(%55 : tensor<1x3x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %65 = arith.addf %in, %out : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x24x1xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<1x3x24x6xf32>, tensor<1x3x24x1xf32>) outs(%45 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.divf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x24x6xf32>
    %collapsed_22 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x3x24x6xf32> into tensor<3x24x6xf32>
    %collapsed_23 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x3x6x4xf32> into tensor<3x6x4xf32>
    %58 = tensor.empty() : tensor<3x24x4xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<3x24x4xf32>) -> tensor<3x24x4xf32>
    %60 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<3x24x6xf32>, tensor<3x6x4xf32>) outs(%59 : tensor<3x24x4xf32>) -> tensor<3x24x4xf32>
    %expanded_24 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 3, 24, 4] : tensor<3x24x4xf32> into tensor<1x3x24x4xf32>
    %61 = tensor.empty() : tensor<1x24x3x4xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x3x24x4xf32>) outs(%61 : tensor<1x24x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0, 1], [2, 3]] : tensor<1x24x3x4xf32> into tensor<24x12xf32>
    %transposed_27 = linalg.transpose ins(%arg7 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %62 = linalg.matmul ins(%collapsed_26, %transposed_27 : tensor<24x12xf32>, tensor<12x12xf32>) outs(%2 : tensor<24x12xf32>) -> tensor<24x12xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<12xf32>) outs(%1 : tensor<24x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x12xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%62, %63 : tensor<24x12xf32>, tensor<24x12xf32>) outs(%1 : tensor<24x12xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %65 = arith.addf %in, %in_29 : f32
      linalg.yield %65 : f32
    } -> tensor<24x12xf32>
    %expanded_28 = tensor.expand_shape %64 [[0, 1], [2]] output_shape [1, 24, 12] : tensor<24x12xf32> into tensor<1x24x12xf32>
    return %expanded_28 : tensor<1x24x12xf32>
  }
}
