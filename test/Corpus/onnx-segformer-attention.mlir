// onnx-segformer-attention
//   python export_onnx.py . segformer-attention
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main_graph(%arg0: tensor<1x24x12xf32>, %arg1: tensor<12x12xf32>, %arg2: tensor<12xf32>, %arg3: tensor<12x12xf32>, %arg4: tensor<12xf32>, %arg5: tensor<12x12xf32>, %arg6: tensor<12xf32>, %arg7: tensor<12x12xf32>, %arg8: tensor<12xf32>, %arg9: tensor<12x12x2x2xf32>, %arg10: tensor<12xf32>, %arg11: tensor<12xf32>, %arg12: tensor<12xf32>) -> tensor<1x24x12xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_2 = arith.constant 1.200000e+01 : f32
    %cst_3 = arith.constant 9.99999974E-6 : f32
    %0 = tensor.empty() : tensor<12x12xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<1x12x12xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<12x12xf32>) outs(%1 : tensor<1x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x12x12xf32>
    %3 = tensor.empty() : tensor<1x24x12xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x24x12xf32>) -> tensor<1x24x12xf32>
    %5 = linalg.batch_matmul ins(%arg0, %2 : tensor<1x24x12xf32>, tensor<1x12x12xf32>) outs(%4 : tensor<1x24x12xf32>) -> tensor<1x24x12xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %arg2 : tensor<1x24x12xf32>, tensor<12xf32>) outs(%3 : tensor<1x24x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.addf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x24x12xf32>
    %expanded = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [1, 24, 3, 4] : tensor<1x24x12xf32> into tensor<1x24x3x4xf32>
    %7 = tensor.empty() : tensor<1x3x24x4xf32>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<1x24x3x4xf32>) outs(%7 : tensor<1x3x24x4xf32>) permutation = [0, 2, 1, 3] 
    %8 = tensor.empty() : tensor<1x12x24xf32>
    %transposed_5 = linalg.transpose ins(%arg0 : tensor<1x24x12xf32>) outs(%8 : tensor<1x12x24xf32>) permutation = [0, 2, 1] 
    %expanded_6 = tensor.expand_shape %transposed_5 [[0], [1], [2, 3]] output_shape [1, 12, 4, 6] : tensor<1x12x24xf32> into tensor<1x12x4x6xf32>
    %9 = tensor.empty() : tensor<1x12x2x3xf32>
    %broadcasted = linalg.broadcast ins(%arg10 : tensor<12xf32>) outs(%9 : tensor<1x12x2x3xf32>) dimensions = [0, 2, 3] 
    %10 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%expanded_6, %arg9 : tensor<1x12x4x6xf32>, tensor<12x12x2x2xf32>) outs(%broadcasted : tensor<1x12x2x3xf32>) -> tensor<1x12x2x3xf32>
    %collapsed = tensor.collapse_shape %10 [[0], [1], [2, 3]] : tensor<1x12x2x3xf32> into tensor<1x12x6xf32>
    %11 = tensor.empty() : tensor<1x6x12xf32>
    %transposed_7 = linalg.transpose ins(%collapsed : tensor<1x12x6xf32>) outs(%11 : tensor<1x6x12xf32>) permutation = [0, 2, 1] 
    %12 = tensor.empty() : tensor<1x6x1xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%transposed_7 : tensor<1x6x12xf32>) outs(%13 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %in, %out : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x6x1xf32>) outs(%12 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.divf %in, %cst_2 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %collapsed_8 = tensor.collapse_shape %15 [[0], [1, 2]] : tensor<1x6x1xf32> into tensor<1x6xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_8 : tensor<1x6xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6x12xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_7, %16 : tensor<1x6x12xf32>, tensor<1x6x12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.subf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %17 : tensor<1x6x12xf32>, tensor<1x6x12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.mulf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<1x6x12xf32>) outs(%13 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %in, %out : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x6x1xf32>) outs(%12 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.divf %in, %cst_2 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x6x1xf32>) outs(%12 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %in, %cst_3 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x6x1xf32>) outs(%12 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = math.rsqrt %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x1xf32>
    %collapsed_9 = tensor.collapse_shape %22 [[0], [1, 2]] : tensor<1x6x1xf32> into tensor<1x6xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_9 : tensor<1x6xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6x12xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %23 : tensor<1x6x12xf32>, tensor<1x6x12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.mulf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %arg11 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.mulf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %arg12 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.addf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %transposed_10 = linalg.transpose ins(%arg3 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %27 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<12x12xf32>) outs(%1 : tensor<1x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x12x12xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%11 : tensor<1x6x12xf32>) -> tensor<1x6x12xf32>
    %29 = linalg.batch_matmul ins(%26, %27 : tensor<1x6x12xf32>, tensor<1x12x12xf32>) outs(%28 : tensor<1x6x12xf32>) -> tensor<1x6x12xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %arg4 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.addf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %expanded_11 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<1x6x12xf32> into tensor<1x6x3x4xf32>
    %transposed_12 = linalg.transpose ins(%arg5 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<12x12xf32>) outs(%1 : tensor<1x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x12x12xf32>
    %32 = linalg.batch_matmul ins(%26, %31 : tensor<1x6x12xf32>, tensor<1x12x12xf32>) outs(%28 : tensor<1x6x12xf32>) -> tensor<1x6x12xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %arg6 : tensor<1x6x12xf32>, tensor<12xf32>) outs(%11 : tensor<1x6x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.addf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x6x12xf32>
    %expanded_13 = tensor.expand_shape %33 [[0], [1], [2, 3]] output_shape [1, 6, 3, 4] : tensor<1x6x12xf32> into tensor<1x6x3x4xf32>
    %34 = tensor.empty() : tensor<1x3x6x4xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<1x6x3x4xf32>) outs(%34 : tensor<1x3x6x4xf32>) permutation = [0, 2, 1, 3] 
    %35 = tensor.empty() : tensor<1x3x4x6xf32>
    %transposed_15 = linalg.transpose ins(%expanded_11 : tensor<1x6x3x4xf32>) outs(%35 : tensor<1x3x4x6xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_16 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<1x3x24x4xf32> into tensor<3x24x4xf32>
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x3x4x6xf32> into tensor<3x4x6xf32>
    %36 = tensor.empty() : tensor<3x24x6xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<3x24x6xf32>) -> tensor<3x24x6xf32>
    %38 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<3x24x4xf32>, tensor<3x4x6xf32>) outs(%37 : tensor<3x24x6xf32>) -> tensor<3x24x6xf32>
    %expanded_18 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 3, 24, 6] : tensor<3x24x6xf32> into tensor<1x3x24x6xf32>
    %39 = tensor.empty() : tensor<1x3x24x6xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18, %cst_1 : tensor<1x3x24x6xf32>, tensor<f32>) outs(%39 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.mulf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x3x24x6xf32>
    %41 = tensor.empty() : tensor<1x3x24xi64>
    %42 = linalg.fill ins(%c0_i64 : i64) outs(%41 : tensor<1x3x24xi64>) -> tensor<1x3x24xi64>
    %43 = tensor.empty() : tensor<1x3x24xf32>
    %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<1x3x24xf32>) -> tensor<1x3x24xf32>
    %45:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x24x6xf32>) outs(%44, %42 : tensor<1x3x24xf32>, tensor<1x3x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_26: i64):
      %59 = linalg.index 3 : index
      %60 = arith.index_cast %59 : index to i64
      %61 = arith.maximumf %in, %out : f32
      %62 = arith.cmpf ogt, %in, %out : f32
      %63 = arith.select %62, %60, %out_26 : i64
      linalg.yield %61, %63 : f32, i64
    } -> (tensor<1x3x24xf32>, tensor<1x3x24xi64>)
    %expanded_19 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 3, 24, 1] : tensor<1x3x24xf32> into tensor<1x3x24x1xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %expanded_19 : tensor<1x3x24x6xf32>, tensor<1x3x24x1xf32>) outs(%39 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.subf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x3x24x6xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x3x24x6xf32>) outs(%39 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = math.exp %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x3x24x6xf32>
    %48 = tensor.empty() : tensor<1x3x24x1xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x3x24x1xf32>) -> tensor<1x3x24x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x3x24x6xf32>) outs(%49 : tensor<1x3x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %in, %out : f32
      linalg.yield %59 : f32
    } -> tensor<1x3x24x1xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<1x3x24x6xf32>, tensor<1x3x24x1xf32>) outs(%39 : tensor<1x3x24x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.divf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x3x24x6xf32>
    %collapsed_20 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x3x24x6xf32> into tensor<3x24x6xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<1x3x6x4xf32> into tensor<3x6x4xf32>
    %52 = tensor.empty() : tensor<3x24x4xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<3x24x4xf32>) -> tensor<3x24x4xf32>
    %54 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<3x24x6xf32>, tensor<3x6x4xf32>) outs(%53 : tensor<3x24x4xf32>) -> tensor<3x24x4xf32>
    %expanded_22 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 3, 24, 4] : tensor<3x24x4xf32> into tensor<1x3x24x4xf32>
    %55 = tensor.empty() : tensor<1x24x3x4xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<1x3x24x4xf32>) outs(%55 : tensor<1x24x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0], [1], [2, 3]] : tensor<1x24x3x4xf32> into tensor<1x24x12xf32>
    %transposed_25 = linalg.transpose ins(%arg7 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %56 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<12x12xf32>) outs(%1 : tensor<1x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x12x12xf32>
    %57 = linalg.batch_matmul ins(%collapsed_24, %56 : tensor<1x24x12xf32>, tensor<1x12x12xf32>) outs(%4 : tensor<1x24x12xf32>) -> tensor<1x24x12xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %arg8 : tensor<1x24x12xf32>, tensor<12xf32>) outs(%3 : tensor<1x24x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %59 = arith.addf %in, %in_26 : f32
      linalg.yield %59 : f32
    } -> tensor<1x24x12xf32>
    return %58 : tensor<1x24x12xf32>
  }
}
