// onnx-llama-decoder-layer
//   python export_onnx.py . llama-decoder-layer
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main_graph(%arg0: tensor<1x5x24xf32>, %arg1: tensor<1x5x8xf32>, %arg2: tensor<1x5x8xf32>, %arg3: tensor<1x1x5x5xf32>, %arg4: tensor<48x24xf32>, %arg5: tensor<16x24xf32>, %arg6: tensor<16x24xf32>, %arg7: tensor<24x48xf32>, %arg8: tensor<28x24xf32>, %arg9: tensor<28x24xf32>, %arg10: tensor<24x28xf32>, %arg11: tensor<24xf32>, %arg12: tensor<24xf32>) -> tensor<1x5x24xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %cst_4 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %2 = tensor.empty() : tensor<1x5x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.addf %in, %out : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.divf %in, %cst_4 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %cst_2 : tensor<1x5x1xf32>, tensor<f32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = math.sqrt %in : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.cmpf one, %in, %cst : f32
      cf.assert %92, "unimplemented: tensor with zero element"
      %93 = arith.divf %cst_0, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<1x5x24xf32>, tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %9 : tensor<24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %11 = tensor.empty() : tensor<24x48xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<48x24xf32>) outs(%11 : tensor<24x48xf32>) permutation = [1, 0] 
    %12 = tensor.empty() : tensor<1x24x48xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<24x48xf32>) outs(%12 : tensor<1x24x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x48xf32>
    %14 = tensor.empty() : tensor<1x5x48xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x5x48xf32>) -> tensor<1x5x48xf32>
    %16 = linalg.batch_matmul ins(%10, %13 : tensor<1x5x24xf32>, tensor<1x24x48xf32>) outs(%15 : tensor<1x5x48xf32>) -> tensor<1x5x48xf32>
    %expanded = tensor.expand_shape %16 [[0], [1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<1x5x48xf32> into tensor<1x5x6x8xf32>
    %17 = tensor.empty() : tensor<1x6x5x8xf32>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<1x5x6x8xf32>) outs(%17 : tensor<1x6x5x8xf32>) permutation = [0, 2, 1, 3] 
    %18 = tensor.empty() : tensor<24x16xf32>
    %transposed_6 = linalg.transpose ins(%arg5 : tensor<16x24xf32>) outs(%18 : tensor<24x16xf32>) permutation = [1, 0] 
    %19 = tensor.empty() : tensor<1x24x16xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_6 : tensor<24x16xf32>) outs(%19 : tensor<1x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x16xf32>
    %21 = tensor.empty() : tensor<1x5x16xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
    %23 = linalg.batch_matmul ins(%10, %20 : tensor<1x5x24xf32>, tensor<1x24x16xf32>) outs(%22 : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
    %expanded_7 = tensor.expand_shape %23 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf32> into tensor<1x5x2x8xf32>
    %24 = tensor.empty() : tensor<1x2x5x8xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x5x2x8xf32>) outs(%24 : tensor<1x2x5x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg6 : tensor<16x24xf32>) outs(%18 : tensor<24x16xf32>) permutation = [1, 0] 
    %25 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_9 : tensor<24x16xf32>) outs(%19 : tensor<1x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x16xf32>
    %26 = linalg.batch_matmul ins(%10, %25 : tensor<1x5x24xf32>, tensor<1x24x16xf32>) outs(%22 : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
    %expanded_10 = tensor.expand_shape %26 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf32> into tensor<1x5x2x8xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x5x2x8xf32>) outs(%24 : tensor<1x2x5x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_12 = tensor.expand_shape %arg1 [[0], [1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<1x5x8xf32> into tensor<1x1x5x8xf32>
    %expanded_13 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<1x5x8xf32> into tensor<1x1x5x8xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5, %expanded_12 : tensor<1x6x5x8xf32>, tensor<1x1x5x8xf32>) outs(%17 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_5[0, 0, 0, 0] [1, 6, 5, 4] [1, 1, 1, 1] : tensor<1x6x5x8xf32> to tensor<1x6x5x4xf32>
    %extracted_slice_14 = tensor.extract_slice %transposed_5[0, 0, 0, 4] [1, 6, 5, 4] [1, 1, 1, 1] : tensor<1x6x5x8xf32> to tensor<1x6x5x4xf32>
    %28 = tensor.empty() : tensor<1x6x5x4xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14 : tensor<1x6x5x4xf32>) outs(%28 : tensor<1x6x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.negf %in : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x4xf32>
    %concat = tensor.concat dim(3) %29, %extracted_slice : (tensor<1x6x5x4xf32>, tensor<1x6x5x4xf32>) -> tensor<1x6x5x8xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_13 : tensor<1x6x5x8xf32>, tensor<1x1x5x8xf32>) outs(%17 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x8xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x6x5x8xf32>, tensor<1x6x5x8xf32>) outs(%17 : tensor<1x6x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x8xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8, %expanded_12 : tensor<1x2x5x8xf32>, tensor<1x1x5x8xf32>) outs(%24 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x2x5x8xf32>
    %extracted_slice_15 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x2x5x8xf32> to tensor<1x2x5x4xf32>
    %extracted_slice_16 = tensor.extract_slice %transposed_8[0, 0, 0, 4] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x2x5x8xf32> to tensor<1x2x5x4xf32>
    %33 = tensor.empty() : tensor<1x2x5x4xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_16 : tensor<1x2x5x4xf32>) outs(%33 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.negf %in : f32
      linalg.yield %92 : f32
    } -> tensor<1x2x5x4xf32>
    %concat_17 = tensor.concat dim(3) %34, %extracted_slice_15 : (tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x8xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_17, %expanded_13 : tensor<1x2x5x8xf32>, tensor<1x1x5x8xf32>) outs(%24 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x2x5x8xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) outs(%24 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x2x5x8xf32>
    %37 = tensor.empty() : tensor<1x2x3x5x8xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x5x8xf32>) outs(%37 : tensor<1x2x3x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x8xf32>
    %collapsed = tensor.collapse_shape %38 [[0], [1, 2], [3], [4]] : tensor<1x2x3x5x8xf32> into tensor<1x6x5x8xf32>
    %39 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<1x2x5x8xf32>) outs(%37 : tensor<1x2x3x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x8xf32>
    %40 = tensor.empty() : tensor<1x6x8x5xf32>
    %transposed_18 = linalg.transpose ins(%collapsed : tensor<1x6x5x8xf32>) outs(%40 : tensor<1x6x8x5xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_19 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x6x5x8xf32> into tensor<6x5x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<1x6x8x5xf32> into tensor<6x8x5xf32>
    %41 = tensor.empty() : tensor<6x5x5xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %43 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<6x5x8xf32>, tensor<6x8x5xf32>) outs(%42 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_21 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 6, 5, 5] : tensor<6x5x5xf32> into tensor<1x6x5x5xf32>
    %44 = tensor.empty() : tensor<1x6x5x5xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21, %cst_3 : tensor<1x6x5x5xf32>, tensor<f32>) outs(%44 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x5xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %arg3 : tensor<1x6x5x5xf32>, tensor<1x1x5x5xf32>) outs(%44 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x5xf32>
    %47 = tensor.empty() : tensor<1x6x5xi64>
    %48 = linalg.fill ins(%c0_i64 : i64) outs(%47 : tensor<1x6x5xi64>) -> tensor<1x6x5xi64>
    %49 = tensor.empty() : tensor<1x6x5xf32>
    %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
    %51:2 = linalg.generic {indexing_maps = [#map5, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x6x5x5xf32>) outs(%50, %48 : tensor<1x6x5xf32>, tensor<1x6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_32: i64):
      %92 = linalg.index 3 : index
      %93 = arith.index_cast %92 : index to i64
      %94 = arith.maximumf %in, %out : f32
      %95 = arith.cmpf ogt, %in, %out : f32
      %96 = arith.select %95, %93, %out_32 : i64
      linalg.yield %94, %96 : f32, i64
    } -> (tensor<1x6x5xf32>, tensor<1x6x5xi64>)
    %expanded_22 = tensor.expand_shape %51#0 [[0], [1], [2, 3]] output_shape [1, 6, 5, 1] : tensor<1x6x5xf32> into tensor<1x6x5x1xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %expanded_22 : tensor<1x6x5x5xf32>, tensor<1x6x5x1xf32>) outs(%44 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.subf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x5xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x6x5x5xf32>) outs(%44 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = math.exp %in : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x5xf32>
    %54 = tensor.empty() : tensor<1x6x5x1xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<1x6x5x1xf32>) -> tensor<1x6x5x1xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<1x6x5x5xf32>) outs(%55 : tensor<1x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.addf %in, %out : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x1xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<1x6x5x5xf32>, tensor<1x6x5x1xf32>) outs(%44 : tensor<1x6x5x5xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.divf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x6x5x5xf32>
    %collapsed_23 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x6x5x5xf32> into tensor<6x5x5xf32>
    %collapsed_24 = tensor.collapse_shape %39 [[0, 1, 2], [3], [4]] : tensor<1x2x3x5x8xf32> into tensor<6x5x8xf32>
    %58 = tensor.empty() : tensor<6x5x8xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %60 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<6x5x5xf32>, tensor<6x5x8xf32>) outs(%59 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %expanded_25 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 6, 5, 8] : tensor<6x5x8xf32> into tensor<1x6x5x8xf32>
    %61 = tensor.empty() : tensor<1x5x6x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x6x5x8xf32>) outs(%61 : tensor<1x5x6x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0], [1], [2, 3]] : tensor<1x5x6x8xf32> into tensor<1x5x48xf32>
    %62 = tensor.empty() : tensor<48x24xf32>
    %transposed_28 = linalg.transpose ins(%arg7 : tensor<24x48xf32>) outs(%62 : tensor<48x24xf32>) permutation = [1, 0] 
    %63 = tensor.empty() : tensor<1x48x24xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<48x24xf32>) outs(%63 : tensor<1x48x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x24xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
    %66 = linalg.batch_matmul ins(%collapsed_27, %64 : tensor<1x5x48xf32>, tensor<1x48x24xf32>) outs(%65 : tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %66 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.addf %in, %out : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.divf %in, %cst_4 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %cst_2 : tensor<1x5x1xf32>, tensor<f32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = math.sqrt %in : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x1xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x5x1xf32>) outs(%2 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.cmpf one, %in, %cst : f32
      cf.assert %92, "unimplemented: tensor with zero element"
      %93 = arith.divf %cst_0, %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x5x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %73 : tensor<1x5x24xf32>, tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %75 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %74 : tensor<24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    %76 = tensor.empty() : tensor<24x28xf32>
    %transposed_29 = linalg.transpose ins(%arg8 : tensor<28x24xf32>) outs(%76 : tensor<24x28xf32>) permutation = [1, 0] 
    %77 = tensor.empty() : tensor<1x24x28xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_29 : tensor<24x28xf32>) outs(%77 : tensor<1x24x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x28xf32>
    %79 = tensor.empty() : tensor<1x5x28xf32>
    %80 = linalg.fill ins(%cst : f32) outs(%79 : tensor<1x5x28xf32>) -> tensor<1x5x28xf32>
    %81 = linalg.batch_matmul ins(%75, %78 : tensor<1x5x24xf32>, tensor<1x24x28xf32>) outs(%80 : tensor<1x5x28xf32>) -> tensor<1x5x28xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x5x28xf32>) outs(%79 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %92 = arith.negf %in : f32
      %93 = math.exp %92 : f32
      %94 = arith.addf %93, %cst_0 : f32
      %95 = arith.divf %cst_0, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<1x5x28xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %82 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%79 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x28xf32>
    %transposed_30 = linalg.transpose ins(%arg9 : tensor<28x24xf32>) outs(%76 : tensor<24x28xf32>) permutation = [1, 0] 
    %84 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_30 : tensor<24x28xf32>) outs(%77 : tensor<1x24x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x28xf32>
    %85 = linalg.batch_matmul ins(%75, %84 : tensor<1x5x24xf32>, tensor<1x24x28xf32>) outs(%80 : tensor<1x5x28xf32>) -> tensor<1x5x28xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %85 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%79 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.mulf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x28xf32>
    %87 = tensor.empty() : tensor<28x24xf32>
    %transposed_31 = linalg.transpose ins(%arg10 : tensor<24x28xf32>) outs(%87 : tensor<28x24xf32>) permutation = [1, 0] 
    %88 = tensor.empty() : tensor<1x28x24xf32>
    %89 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_31 : tensor<28x24xf32>) outs(%88 : tensor<1x28x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x24xf32>
    %90 = linalg.batch_matmul ins(%86, %89 : tensor<1x5x28xf32>, tensor<1x28x24xf32>) outs(%65 : tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %90 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %92 = arith.addf %in, %in_32 : f32
      linalg.yield %92 : f32
    } -> tensor<1x5x24xf32>
    return %91 : tensor<1x5x24xf32>
  }
}
