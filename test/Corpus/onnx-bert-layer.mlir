// onnx-bert-layer
//   python export_onnx.py . bert-layer
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main_graph(%arg0: tensor<1x7x24xf32>, %arg1: tensor<1x1x1x7xf32>, %arg2: tensor<24x24xf32>, %arg3: tensor<24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>, %arg11: tensor<24xf32>, %arg12: tensor<40x24xf32>, %arg13: tensor<40xf32>, %arg14: tensor<24x40xf32>, %arg15: tensor<24xf32>, %arg16: tensor<24xf32>, %arg17: tensor<24xf32>) -> tensor<1x7x24xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 5.000000e-01 : f32
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %cst_4 = arith.constant 2.400000e+01 : f32
    %cst_5 = arith.constant 9.99999996E-13 : f32
    %cst_6 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<24x24xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<1x24x24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<24x24xf32>) outs(%1 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %3 = tensor.empty() : tensor<1x7x24xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %5 = linalg.batch_matmul ins(%arg0, %2 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %arg3 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %expanded = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %7 = tensor.empty() : tensor<1x3x7x8xf32>
    %transposed_7 = linalg.transpose ins(%expanded : tensor<1x7x3x8xf32>) outs(%7 : tensor<1x3x7x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_8 = linalg.transpose ins(%arg4 : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0] 
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_8 : tensor<24x24xf32>) outs(%1 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %9 = linalg.batch_matmul ins(%arg0, %8 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %arg5 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %expanded_9 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %transposed_10 = linalg.transpose ins(%arg6 : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0] 
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<24x24xf32>) outs(%1 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %12 = linalg.batch_matmul ins(%arg0, %11 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg7 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %expanded_11 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x7x3x8xf32>) outs(%7 : tensor<1x3x7x8xf32>) permutation = [0, 2, 1, 3] 
    %14 = tensor.empty() : tensor<1x3x8x7xf32>
    %transposed_13 = linalg.transpose ins(%expanded_9 : tensor<1x7x3x8xf32>) outs(%14 : tensor<1x3x8x7xf32>) permutation = [0, 2, 3, 1] 
    %collapsed = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<1x3x7x8xf32> into tensor<3x7x8xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<1x3x8x7xf32> into tensor<3x8x7xf32>
    %15 = tensor.empty() : tensor<3x7x7xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %17 = linalg.batch_matmul ins(%collapsed, %collapsed_14 : tensor<3x7x8xf32>, tensor<3x8x7xf32>) outs(%16 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %expanded_15 = tensor.expand_shape %17 [[0, 1], [2], [3]] output_shape [1, 3, 7, 7] : tensor<3x7x7xf32> into tensor<1x3x7x7xf32>
    %18 = tensor.empty() : tensor<1x3x7x7xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %cst_3 : tensor<1x3x7x7xf32>, tensor<f32>) outs(%18 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x7xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<1x3x7x7xf32>, tensor<1x1x1x7xf32>) outs(%18 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x7xf32>
    %21 = tensor.empty() : tensor<1x3x7xi64>
    %22 = linalg.fill ins(%c0_i64 : i64) outs(%21 : tensor<1x3x7xi64>) -> tensor<1x3x7xi64>
    %23 = tensor.empty() : tensor<1x3x7xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %25:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x3x7x7xf32>) outs(%24, %22 : tensor<1x3x7xf32>, tensor<1x3x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %82 = linalg.index 3 : index
      %83 = arith.index_cast %82 : index to i64
      %84 = arith.maximumf %in, %out : f32
      %85 = arith.cmpf ogt, %in, %out : f32
      %86 = arith.select %85, %83, %out_29 : i64
      linalg.yield %84, %86 : f32, i64
    } -> (tensor<1x3x7xf32>, tensor<1x3x7xi64>)
    %expanded_16 = tensor.expand_shape %25#0 [[0], [1], [2, 3]] output_shape [1, 3, 7, 1] : tensor<1x3x7xf32> into tensor<1x3x7x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_16 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%18 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.subf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x7xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x7x7xf32>) outs(%18 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.exp %in : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x7xf32>
    %28 = tensor.empty() : tensor<1x3x7x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x3x7x1xf32>) -> tensor<1x3x7x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x3x7x7xf32>) outs(%29 : tensor<1x3x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %out : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x1xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%18 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.divf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x3x7x7xf32>
    %collapsed_17 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x3x7x7xf32> into tensor<3x7x7xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<1x3x7x8xf32> into tensor<3x7x8xf32>
    %32 = tensor.empty() : tensor<3x7x8xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<3x7x7xf32>, tensor<3x7x8xf32>) outs(%33 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %expanded_19 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 3, 7, 8] : tensor<3x7x8xf32> into tensor<1x3x7x8xf32>
    %35 = tensor.empty() : tensor<1x7x3x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x3x7x8xf32>) outs(%35 : tensor<1x7x3x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0], [1], [2, 3]] : tensor<1x7x3x8xf32> into tensor<1x7x24xf32>
    %transposed_22 = linalg.transpose ins(%arg8 : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0] 
    %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<24x24xf32>) outs(%1 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %37 = linalg.batch_matmul ins(%collapsed_21, %36 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %arg9 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %arg0 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %40 = tensor.empty() : tensor<1x7x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<1x7x24xf32>) outs(%41 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %out : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_4 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_23 = tensor.collapse_shape %43 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_23 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %44 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.subf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %45 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46 : tensor<1x7x24xf32>) outs(%41 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %out : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_4 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst_5 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.rsqrt %in : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_24 = tensor.collapse_shape %50 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_24 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %51 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %arg10 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %arg11 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %55 = tensor.empty() : tensor<24x40xf32>
    %transposed_25 = linalg.transpose ins(%arg12 : tensor<40x24xf32>) outs(%55 : tensor<24x40xf32>) permutation = [1, 0] 
    %56 = tensor.empty() : tensor<1x24x40xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<24x40xf32>) outs(%56 : tensor<1x24x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x40xf32>
    %58 = tensor.empty() : tensor<1x7x40xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %60 = linalg.batch_matmul ins(%54, %57 : tensor<1x7x24xf32>, tensor<1x24x40xf32>) outs(%59 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %arg13 : tensor<1x7x40xf32>, tensor<40xf32>) outs(%58 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x40xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x7x40xf32>) outs(%58 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_6 : f32
      %83 = math.erf %82 : f32
      %84 = arith.addf %83, %cst_1 : f32
      %85 = arith.mulf %84, %cst_2 : f32
      %86 = arith.mulf %in, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<1x7x40xf32>
    %63 = tensor.empty() : tensor<40x24xf32>
    %transposed_26 = linalg.transpose ins(%arg14 : tensor<24x40xf32>) outs(%63 : tensor<40x24xf32>) permutation = [1, 0] 
    %64 = tensor.empty() : tensor<1x40x24xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_26 : tensor<40x24xf32>) outs(%64 : tensor<1x40x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x40x24xf32>
    %66 = linalg.batch_matmul ins(%62, %65 : tensor<1x7x40xf32>, tensor<1x40x24xf32>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %arg15 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %54 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<1x7x24xf32>) outs(%41 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %out : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_4 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_27 = tensor.collapse_shape %70 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %71 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_27 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %71 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.subf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %72 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<1x7x24xf32>) outs(%41 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %out : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_4 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst_5 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x7x1xf32>) outs(%40 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.rsqrt %in : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_28 = tensor.collapse_shape %77 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %78 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_28 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %78 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %arg16 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.mulf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %arg17 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %82 = arith.addf %in, %in_29 : f32
      linalg.yield %82 : f32
    } -> tensor<1x7x24xf32>
    return %81 : tensor<1x7x24xf32>
  }
}
