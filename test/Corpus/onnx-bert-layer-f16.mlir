// onnx-bert-layer-f16
//   python export_onnx.py . bert-layer-f16
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
  func.func @main_graph(%arg0: tensor<1x7x24xf16>, %arg1: tensor<1x1x1x7xf16>, %arg2: tensor<24x24xf16>, %arg3: tensor<24xf16>, %arg4: tensor<24x24xf16>, %arg5: tensor<24xf16>, %arg6: tensor<24x24xf16>, %arg7: tensor<24xf16>, %arg8: tensor<24x24xf16>, %arg9: tensor<24xf16>, %arg10: tensor<24xf16>, %arg11: tensor<24xf16>, %arg12: tensor<40x24xf16>, %arg13: tensor<40xf16>, %arg14: tensor<24x40xf16>, %arg15: tensor<24xf16>, %arg16: tensor<24xf16>, %arg17: tensor<24xf16>) -> tensor<1x7x24xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f16
    %cst_2 = arith.constant 2.000000e+00 : f16
    %cst_3 = arith.constant 5.000000e-01 : f16
    %cst_4 = arith.constant dense<3.535160e-01> : tensor<f16>
    %cst_5 = arith.constant 2.400000e+01 : f32
    %cst_6 = arith.constant 9.99999996E-13 : f32
    %0 = tensor.empty() : tensor<24x24xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<1x24x24xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<24x24xf16>) outs(%1 : tensor<1x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24x24xf16>
    %3 = tensor.empty() : tensor<1x7x24xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %5 = linalg.batch_matmul ins(%arg0, %2 : tensor<1x7x24xf16>, tensor<1x24x24xf16>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %6 = tensor.empty() : tensor<1x7x24xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %arg3 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %expanded = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf16> into tensor<1x7x3x8xf16>
    %9 = tensor.empty() : tensor<1x3x7x8xf16>
    %transposed_7 = linalg.transpose ins(%expanded : tensor<1x7x3x8xf16>) outs(%9 : tensor<1x3x7x8xf16>) permutation = [0, 2, 1, 3] 
    %transposed_8 = linalg.transpose ins(%arg4 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_8 : tensor<24x24xf16>) outs(%1 : tensor<1x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24x24xf16>
    %11 = linalg.batch_matmul ins(%arg0, %10 : tensor<1x7x24xf16>, tensor<1x24x24xf16>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg5 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %expanded_9 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf16> into tensor<1x7x3x8xf16>
    %transposed_10 = linalg.transpose ins(%arg6 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<24x24xf16>) outs(%1 : tensor<1x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24x24xf16>
    %15 = linalg.batch_matmul ins(%arg0, %14 : tensor<1x7x24xf16>, tensor<1x24x24xf16>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %arg7 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %expanded_11 = tensor.expand_shape %17 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf16> into tensor<1x7x3x8xf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x7x3x8xf16>) outs(%9 : tensor<1x3x7x8xf16>) permutation = [0, 2, 1, 3] 
    %18 = tensor.empty() : tensor<1x3x8x7xf16>
    %transposed_13 = linalg.transpose ins(%expanded_9 : tensor<1x7x3x8xf16>) outs(%18 : tensor<1x3x8x7xf16>) permutation = [0, 2, 3, 1] 
    %collapsed = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<1x3x7x8xf16> into tensor<3x7x8xf16>
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<1x3x8x7xf16> into tensor<3x8x7xf16>
    %19 = tensor.empty() : tensor<3x7x7xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %21 = linalg.batch_matmul ins(%collapsed, %collapsed_14 : tensor<3x7x8xf16>, tensor<3x8x7xf16>) outs(%20 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %22 = tensor.empty() : tensor<3x7x7xf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<3x7x7xf32>) outs(%22 : tensor<3x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<3x7x7xf16>
    %expanded_15 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 3, 7, 7] : tensor<3x7x7xf16> into tensor<1x3x7x7xf16>
    %24 = tensor.empty() : tensor<1x3x7x7xf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %cst_4 : tensor<1x3x7x7xf16>, tensor<f16>) outs(%24 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.mulf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x3x7x7xf16>
    %26 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %arg1 : tensor<1x3x7x7xf16>, tensor<1x1x1x7xf16>) outs(%24 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x3x7x7xf16>
    %27 = tensor.empty() : tensor<1x3x7x7xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x7x7xf16>) outs(%27 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f16, %out: f32):
      %101 = arith.extf %in : f16 to f32
      linalg.yield %101 : f32
    } -> tensor<1x3x7x7xf32>
    %29 = tensor.empty() : tensor<1x3x7xi64>
    %30 = linalg.fill ins(%c0_i64 : i64) outs(%29 : tensor<1x3x7xi64>) -> tensor<1x3x7xi64>
    %31 = tensor.empty() : tensor<1x3x7xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %33:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x3x7x7xf32>) outs(%32, %30 : tensor<1x3x7xf32>, tensor<1x3x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %101 = linalg.index 3 : index
      %102 = arith.index_cast %101 : index to i64
      %103 = arith.maximumf %in, %out : f32
      %104 = arith.cmpf ogt, %in, %out : f32
      %105 = arith.select %104, %102, %out_29 : i64
      linalg.yield %103, %105 : f32, i64
    } -> (tensor<1x3x7xf32>, tensor<1x3x7xi64>)
    %expanded_16 = tensor.expand_shape %33#0 [[0], [1], [2, 3]] output_shape [1, 3, 7, 1] : tensor<1x3x7xf32> into tensor<1x3x7x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_16 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%27 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.subf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x3x7x7xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x7x7xf32>) outs(%27 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = math.exp %in : f32
      linalg.yield %101 : f32
    } -> tensor<1x3x7x7xf32>
    %36 = tensor.empty() : tensor<1x3x7x1xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<1x3x7x1xf32>) -> tensor<1x3x7x1xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x7x7xf32>) outs(%37 : tensor<1x3x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %out : f32
      linalg.yield %101 : f32
    } -> tensor<1x3x7x1xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%27 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.divf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x3x7x7xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x3x7x7xf32>) outs(%24 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x3x7x7xf16>
    %collapsed_17 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x3x7x7xf16> into tensor<3x7x7xf16>
    %collapsed_18 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<1x3x7x8xf16> into tensor<3x7x8xf16>
    %41 = tensor.empty() : tensor<3x7x8xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %43 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<3x7x7xf16>, tensor<3x7x8xf16>) outs(%42 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %44 = tensor.empty() : tensor<3x7x8xf16>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<3x7x8xf32>) outs(%44 : tensor<3x7x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<3x7x8xf16>
    %expanded_19 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 3, 7, 8] : tensor<3x7x8xf16> into tensor<1x3x7x8xf16>
    %46 = tensor.empty() : tensor<1x7x3x8xf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x3x7x8xf16>) outs(%46 : tensor<1x7x3x8xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0], [1], [2, 3]] : tensor<1x7x3x8xf16> into tensor<1x7x24xf16>
    %transposed_22 = linalg.transpose ins(%arg8 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<24x24xf16>) outs(%1 : tensor<1x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24x24xf16>
    %48 = linalg.batch_matmul ins(%collapsed_21, %47 : tensor<1x7x24xf16>, tensor<1x24x24xf16>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %50 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %arg9 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %arg0 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<1x7x24xf16>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %101 = arith.extf %in : f16 to f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %53 = tensor.empty() : tensor<1x7x1xf32>
    %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%52 : tensor<1x7x24xf32>) outs(%54 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %out : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.divf %in, %cst_5 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_23 = tensor.collapse_shape %56 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %57 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_23 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %57 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.subf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %58 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.mulf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<1x7x24xf32>) outs(%54 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %out : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.divf %in, %cst_5 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %cst_6 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = math.rsqrt %in : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_24 = tensor.collapse_shape %63 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %64 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_24 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %64 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.mulf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %67 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %arg10 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.mulf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %68 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %arg11 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %69 = tensor.empty() : tensor<24x40xf16>
    %transposed_25 = linalg.transpose ins(%arg12 : tensor<40x24xf16>) outs(%69 : tensor<24x40xf16>) permutation = [1, 0] 
    %70 = tensor.empty() : tensor<1x24x40xf16>
    %71 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<24x40xf16>) outs(%70 : tensor<1x24x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24x40xf16>
    %72 = tensor.empty() : tensor<1x7x40xf32>
    %73 = linalg.fill ins(%cst : f32) outs(%72 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %74 = linalg.batch_matmul ins(%68, %71 : tensor<1x7x24xf16>, tensor<1x24x40xf16>) outs(%73 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %75 = tensor.empty() : tensor<1x7x40xf16>
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x40xf32>) outs(%75 : tensor<1x7x40xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x40xf16>
    %77 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %arg13 : tensor<1x7x40xf16>, tensor<40xf16>) outs(%75 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x40xf16>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x7x40xf16>) outs(%75 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %101 = math.sqrt %cst_2 : f16
      %102 = arith.divf %in, %101 : f16
      %103 = math.erf %102 : f16
      %104 = arith.addf %103, %cst_1 : f16
      %105 = arith.mulf %104, %cst_3 : f16
      %106 = arith.mulf %in, %105 : f16
      linalg.yield %106 : f16
    } -> tensor<1x7x40xf16>
    %79 = tensor.empty() : tensor<40x24xf16>
    %transposed_26 = linalg.transpose ins(%arg14 : tensor<24x40xf16>) outs(%79 : tensor<40x24xf16>) permutation = [1, 0] 
    %80 = tensor.empty() : tensor<1x40x24xf16>
    %81 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_26 : tensor<40x24xf16>) outs(%80 : tensor<1x40x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x40x24xf16>
    %82 = linalg.batch_matmul ins(%78, %81 : tensor<1x7x40xf16>, tensor<1x40x24xf16>) outs(%4 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %84 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg15 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %68 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x7x24xf16>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %101 = arith.extf %in : f16 to f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%86 : tensor<1x7x24xf32>) outs(%54 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %out : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.divf %in, %cst_5 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_27 = tensor.collapse_shape %88 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %89 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_27 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %89 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.subf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %90 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.mulf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<1x7x24xf32>) outs(%54 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %out : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.divf %in, %cst_5 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = arith.addf %in, %cst_6 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x7x1xf32>) outs(%53 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %101 = math.rsqrt %in : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x1xf32>
    %collapsed_28 = tensor.collapse_shape %95 [[0], [1, 2]] : tensor<1x7x1xf32> into tensor<1x7xf32>
    %96 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_28 : tensor<1x7xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %96 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%3 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %101 = arith.mulf %in, %in_29 : f32
      linalg.yield %101 : f32
    } -> tensor<1x7x24xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x7x24xf32>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %101 = arith.truncf %in : f32 to f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %99 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %arg16 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.mulf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    %100 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %arg17 : tensor<1x7x24xf16>, tensor<24xf16>) outs(%6 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_29: f16, %out: f16):
      %101 = arith.addf %in, %in_29 : f16
      linalg.yield %101 : f16
    } -> tensor<1x7x24xf16>
    return %100 : tensor<1x7x24xf16>
  }
}
