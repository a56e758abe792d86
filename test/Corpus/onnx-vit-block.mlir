// onnx-vit-block
//   python export_onnx.py . vit-block
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main_graph(%arg0: tensor<1x7x24xf32>, %arg1: tensor<24x24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x24xf32>, %arg4: tensor<24xf32>, %arg5: tensor<24x24xf32>, %arg6: tensor<24xf32>, %arg7: tensor<24x24xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>, %arg11: tensor<24xf32>, %arg12: tensor<24xf32>, %arg13: tensor<40x24xf32>, %arg14: tensor<40xf32>, %arg15: tensor<24x40xf32>, %arg16: tensor<24xf32>) -> tensor<1x7x24xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 5.000000e-01 : f32
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %cst_4 = arith.constant 2.400000e+01 : f32
    %cst_5 = arith.constant 9.99999996E-13 : f32
    %cst_6 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x7x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %out : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_4 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %4 = tensor.empty() : tensor<1x7x24xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x7xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.subf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %out : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_4 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %cst_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.rsqrt %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_7 = tensor.collapse_shape %11 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_7 : tensor<1x7xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %arg9 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg10 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %16 = tensor.empty() : tensor<24x24xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<24x24xf32>) outs(%16 : tensor<24x24xf32>) permutation = [1, 0] 
    %17 = tensor.empty() : tensor<1x24x24xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<24x24xf32>) outs(%17 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %20 = linalg.batch_matmul ins(%15, %18 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%19 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %expanded = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %22 = tensor.empty() : tensor<1x3x7x8xf32>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<1x7x3x8xf32>) outs(%22 : tensor<1x3x7x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg3 : tensor<24x24xf32>) outs(%16 : tensor<24x24xf32>) permutation = [1, 0] 
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_9 : tensor<24x24xf32>) outs(%17 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %24 = linalg.batch_matmul ins(%15, %23 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%19 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %arg4 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %expanded_10 = tensor.expand_shape %25 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %transposed_11 = linalg.transpose ins(%arg5 : tensor<24x24xf32>) outs(%16 : tensor<24x24xf32>) permutation = [1, 0] 
    %26 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<24x24xf32>) outs(%17 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %27 = linalg.batch_matmul ins(%15, %26 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%19 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %arg6 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %expanded_12 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x7x3x8xf32>) outs(%22 : tensor<1x3x7x8xf32>) permutation = [0, 2, 1, 3] 
    %29 = tensor.empty() : tensor<1x3x8x7xf32>
    %transposed_14 = linalg.transpose ins(%expanded_10 : tensor<1x7x3x8xf32>) outs(%29 : tensor<1x3x8x7xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_15 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<1x3x7x8xf32> into tensor<3x7x8xf32>
    %collapsed_16 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<1x3x8x7xf32> into tensor<3x8x7xf32>
    %30 = tensor.empty() : tensor<3x7x7xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %32 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<3x7x8xf32>, tensor<3x8x7xf32>) outs(%31 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %expanded_17 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 3, 7, 7] : tensor<3x7x7xf32> into tensor<1x3x7x7xf32>
    %33 = tensor.empty() : tensor<1x3x7x7xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %cst_3 : tensor<1x3x7x7xf32>, tensor<f32>) outs(%33 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x3x7x7xf32>
    %35 = tensor.empty() : tensor<1x3x7xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<1x3x7xi64>) -> tensor<1x3x7xi64>
    %37 = tensor.empty() : tensor<1x3x7xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %39:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x3x7x7xf32>) outs(%38, %36 : tensor<1x3x7xf32>, tensor<1x3x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %81 = linalg.index 3 : index
      %82 = arith.index_cast %81 : index to i64
      %83 = arith.maximumf %in, %out : f32
      %84 = arith.cmpf ogt, %in, %out : f32
      %85 = arith.select %84, %82, %out_29 : i64
      linalg.yield %83, %85 : f32, i64
    } -> (tensor<1x3x7xf32>, tensor<1x3x7xi64>)
    %expanded_18 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [1, 3, 7, 1] : tensor<1x3x7xf32> into tensor<1x3x7x1xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_18 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%33 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.subf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x3x7x7xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x3x7x7xf32>) outs(%33 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.exp %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x3x7x7xf32>
    %42 = tensor.empty() : tensor<1x3x7x1xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x3x7x1xf32>) -> tensor<1x3x7x1xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x3x7x7xf32>) outs(%43 : tensor<1x3x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %out : f32
      linalg.yield %81 : f32
    } -> tensor<1x3x7x1xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%33 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.divf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x3x7x7xf32>
    %collapsed_19 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x3x7x7xf32> into tensor<3x7x7xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<1x3x7x8xf32> into tensor<3x7x8xf32>
    %46 = tensor.empty() : tensor<3x7x8xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %48 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<3x7x7xf32>, tensor<3x7x8xf32>) outs(%47 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %expanded_21 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 3, 7, 8] : tensor<3x7x8xf32> into tensor<1x3x7x8xf32>
    %49 = tensor.empty() : tensor<1x7x3x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x3x7x8xf32>) outs(%49 : tensor<1x7x3x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0], [1], [2, 3]] : tensor<1x7x3x8xf32> into tensor<1x7x24xf32>
    %transposed_24 = linalg.transpose ins(%arg7 : tensor<24x24xf32>) outs(%16 : tensor<24x24xf32>) permutation = [1, 0] 
    %50 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<24x24xf32>) outs(%17 : tensor<1x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x24xf32>
    %51 = linalg.batch_matmul ins(%collapsed_23, %50 : tensor<1x7x24xf32>, tensor<1x24x24xf32>) outs(%19 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %arg8 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %arg0 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %out : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_4 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_25 = tensor.collapse_shape %55 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %56 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_25 : tensor<1x7xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.subf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %57 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %out : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_4 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %in, %cst_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.rsqrt %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_26 = tensor.collapse_shape %62 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %63 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_26 : tensor<1x7xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %63 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %arg11 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.mulf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %arg12 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %67 = tensor.empty() : tensor<24x40xf32>
    %transposed_27 = linalg.transpose ins(%arg13 : tensor<40x24xf32>) outs(%67 : tensor<24x40xf32>) permutation = [1, 0] 
    %68 = tensor.empty() : tensor<1x24x40xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_27 : tensor<24x40xf32>) outs(%68 : tensor<1x24x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x40xf32>
    %70 = tensor.empty() : tensor<1x7x40xf32>
    %71 = linalg.fill ins(%cst : f32) outs(%70 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %72 = linalg.batch_matmul ins(%66, %69 : tensor<1x7x24xf32>, tensor<1x24x40xf32>) outs(%71 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg14 : tensor<1x7x40xf32>, tensor<40xf32>) outs(%70 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x40xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x7x40xf32>) outs(%70 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_6 : f32
      %82 = math.erf %81 : f32
      %83 = arith.addf %82, %cst_1 : f32
      %84 = arith.mulf %83, %cst_2 : f32
      %85 = arith.mulf %in, %84 : f32
      linalg.yield %85 : f32
    } -> tensor<1x7x40xf32>
    %75 = tensor.empty() : tensor<40x24xf32>
    %transposed_28 = linalg.transpose ins(%arg15 : tensor<24x40xf32>) outs(%75 : tensor<40x24xf32>) permutation = [1, 0] 
    %76 = tensor.empty() : tensor<1x40x24xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<40x24xf32>) outs(%76 : tensor<1x40x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x40x24xf32>
    %78 = linalg.batch_matmul ins(%74, %77 : tensor<1x7x40xf32>, tensor<1x40x24xf32>) outs(%19 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %arg16 : tensor<1x7x24xf32>, tensor<24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %53 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%4 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %81 = arith.addf %in, %in_29 : f32
      linalg.yield %81 : f32
    } -> tensor<1x7x24xf32>
    return %80 : tensor<1x7x24xf32>
  }
}
