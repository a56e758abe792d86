// torch-bert-layer-gelu-new-f16
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<1x7x24xf16>, %arg1: tensor<1x1x1x7xf16>, %arg2: tensor<24x24xf16>, %arg3: tensor<24xf16>, %arg4: tensor<24x24xf16>, %arg5: tensor<24xf16>, %arg6: tensor<24x24xf16>, %arg7: tensor<24xf16>, %arg8: tensor<24x24xf16>, %arg9: tensor<24xf16>, %arg10: tensor<24xf16>, %arg11: tensor<24xf16>, %arg12: tensor<40x24xf16>, %arg13: tensor<40xf16>, %arg14: tensor<24x40xf16>, %arg15: tensor<24xf16>, %arg16: tensor<24xf16>, %arg17: tensor<24xf16>) -> tensor<1x7x24xf16> {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 0.79788456080286541 : f64
    %cst_3 = arith.constant 4.471500e-02 : f64
    %cst_4 = arith.constant 9.9999999999999998E-13 : f64
    %cst_5 = arith.constant 0.35355339059327379 : f64
    %cst_6 = arith.constant 2.400000e+01 : f64
    %cst_7 = arith.constant 2.400000e+01 : f32
    %cst_8 = arith.constant 5.000000e-01 : f16
    %cst_9 = arith.constant 1.000000e+00 : f16
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x7x24xf16> into tensor<7x24xf16>
    %0 = tensor.empty() : tensor<24x24xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24xf32>
    %3 = tensor.empty() : tensor<7x24xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<7x24xf16>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %5 = tensor.empty() : tensor<24x24xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<24x24xf16>) outs(%5 : tensor<24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24x24xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%7 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %11 = tensor.empty() : tensor<7x24xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<7x24xf32>) outs(%11 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x24xf16>
    %expanded = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf16> into tensor<1x7x3x8xf16>
    %13 = tensor.empty() : tensor<1x3x7x8xf16>
    %transposed_10 = linalg.transpose ins(%expanded : tensor<1x7x3x8xf16>) outs(%13 : tensor<1x3x7x8xf16>) permutation = [0, 2, 1, 3] 
    %transposed_11 = linalg.transpose ins(%arg4 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<24x24xf16>) outs(%5 : tensor<24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24x24xf32>
    %16 = linalg.matmul ins(%4, %15 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%7 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %17 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<7x24xf32>) outs(%11 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x24xf16>
    %expanded_12 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf16> into tensor<1x7x3x8xf16>
    %transposed_13 = linalg.transpose ins(%arg6 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_13 : tensor<24x24xf16>) outs(%5 : tensor<24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24x24xf32>
    %22 = linalg.matmul ins(%4, %21 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%7 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %23 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<7x24xf32>) outs(%11 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x24xf16>
    %expanded_14 = tensor.expand_shape %25 [[0, 1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<7x24xf16> into tensor<1x7x3x8xf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x7x3x8xf16>) outs(%13 : tensor<1x3x7x8xf16>) permutation = [0, 2, 1, 3] 
    %26 = tensor.empty() : tensor<1x3x8x7xf16>
    %transposed_16 = linalg.transpose ins(%expanded_12 : tensor<1x7x3x8xf16>) outs(%26 : tensor<1x3x8x7xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<1x3x7x8xf16> into tensor<3x7x8xf16>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x3x8x7xf16> into tensor<3x8x7xf16>
    %27 = tensor.empty() : tensor<3x7x7xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %29 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<3x7x8xf16>, tensor<3x8x7xf16>) outs(%28 : tensor<3x7x7xf32>) -> tensor<3x7x7xf32>
    %30 = tensor.empty() : tensor<3x7x7xf16>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<3x7x7xf32>) outs(%30 : tensor<3x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<3x7x7xf16>
    %expanded_19 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 3, 7, 7] : tensor<3x7x7xf16> into tensor<1x3x7x7xf16>
    %32 = tensor.empty() : tensor<1x3x7x7xf16>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x3x7x7xf16>) outs(%32 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.truncf %cst_5 : f64 to f16
      %139 = arith.mulf %in, %138 : f16
      linalg.yield %139 : f16
    } -> tensor<1x3x7x7xf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %arg1 : tensor<1x3x7x7xf16>, tensor<1x1x1x7xf16>) outs(%32 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %138 = arith.addf %in, %in_34 : f16
      linalg.yield %138 : f16
    } -> tensor<1x3x7x7xf16>
    %35 = tensor.empty() : tensor<1x3x7x7xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x7x7xf16>) outs(%35 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x3x7x7xf32>
    %37 = tensor.empty() : tensor<1x3x7xi64>
    %38 = linalg.fill ins(%c0_i64 : i64) outs(%37 : tensor<1x3x7xi64>) -> tensor<1x3x7xi64>
    %39 = tensor.empty() : tensor<1x3x7xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %41:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x3x7x7xf32>) outs(%40, %38 : tensor<1x3x7xf32>, tensor<1x3x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_34: i64):
      %138 = linalg.index 3 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.maximumf %in, %out : f32
      %141 = arith.cmpf ogt, %in, %out : f32
      %142 = arith.select %141, %139, %out_34 : i64
      linalg.yield %140, %142 : f32, i64
    } -> (tensor<1x3x7xf32>, tensor<1x3x7xi64>)
    %expanded_20 = tensor.expand_shape %41#0 [[0], [1], [2, 3]] output_shape [1, 3, 7, 1] : tensor<1x3x7xf32> into tensor<1x3x7x1xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %expanded_20 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%35 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.subf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x7x7xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x3x7x7xf32>) outs(%35 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.exp %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x7x7xf32>
    %44 = tensor.empty() : tensor<1x3x7x1xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<1x3x7x1xf32>) -> tensor<1x3x7x1xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x3x7x7xf32>) outs(%45 : tensor<1x3x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x7x1xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %46 : tensor<1x3x7x7xf32>, tensor<1x3x7x1xf32>) outs(%35 : tensor<1x3x7x7xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.divf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x7x7xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x3x7x7xf32>) outs(%32 : tensor<1x3x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x3x7x7xf16>
    %collapsed_21 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<1x3x7x7xf16> into tensor<3x7x7xf16>
    %collapsed_22 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x3x7x8xf16> into tensor<3x7x8xf16>
    %49 = tensor.empty() : tensor<3x7x8xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %51 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<3x7x7xf16>, tensor<3x7x8xf16>) outs(%50 : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
    %52 = tensor.empty() : tensor<3x7x8xf16>
    %53 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<3x7x8xf32>) outs(%52 : tensor<3x7x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<3x7x8xf16>
    %expanded_23 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 3, 7, 8] : tensor<3x7x8xf16> into tensor<1x3x7x8xf16>
    %54 = tensor.empty() : tensor<1x7x3x8xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<1x3x7x8xf16>) outs(%54 : tensor<1x7x3x8xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2, 3]] : tensor<1x7x3x8xf16> into tensor<7x24xf16>
    %transposed_26 = linalg.transpose ins(%arg8 : tensor<24x24xf16>) outs(%0 : tensor<24x24xf16>) permutation = [1, 0] 
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg9 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_25 : tensor<7x24xf16>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_26 : tensor<24x24xf16>) outs(%5 : tensor<24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24x24xf32>
    %58 = linalg.matmul ins(%56, %57 : tensor<7x24xf32>, tensor<24x24xf32>) outs(%7 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58, %59 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<7x24xf32>) outs(%11 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x24xf16>
    %expanded_27 = tensor.expand_shape %61 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf16> into tensor<1x7x24xf16>
    %62 = tensor.empty() : tensor<1x7x24xf16>
    %63 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27, %arg0 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%62 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %138 = arith.addf %in, %in_34 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x24xf16>
    %64 = tensor.empty() : tensor<1x7x24xf32>
    %65 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x7x24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %66 = tensor.empty() : tensor<1x7x24xf64>
    %67 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x7x24xf32>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %68 = tensor.empty() : tensor<1x7x1xf64>
    %69 = linalg.fill ins(%cst_1 : f64) outs(%68 : tensor<1x7x1xf64>) -> tensor<1x7x1xf64>
    %70 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%67 : tensor<1x7x24xf64>) outs(%69 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %71 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x7x1xf64>) outs(%68 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_6 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %72 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %71 : tensor<1x7x24xf64>, tensor<1x7x1xf64>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %138 = arith.subf %in, %in_34 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %73 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %72 : tensor<1x7x24xf64>, tensor<1x7x24xf64>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %138 = arith.mulf %in, %in_34 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %74 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<1x7x24xf64>) outs(%69 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x1xf64>) outs(%68 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_6 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %76 = tensor.empty() : tensor<1x7x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x7x1xf64>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %78 = linalg.fill ins(%cst : f32) outs(%76 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<1x7x24xf32>) outs(%78 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_7 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_4 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x1xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %80 : tensor<1x7x24xf32>, tensor<1x7x1xf32>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.subf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %82 : tensor<1x7x24xf32>, tensor<1x7x1xf32>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.mulf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %arg10 : tensor<1x7x24xf32>, tensor<24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %138 = arith.extf %in_34 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x24xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %arg11 : tensor<1x7x24xf32>, tensor<24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %138 = arith.extf %in_34 : f16 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x24xf32>
    %87 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x7x24xf32>) outs(%62 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x7x24xf16>
    %collapsed_28 = tensor.collapse_shape %87 [[0, 1], [2]] : tensor<1x7x24xf16> into tensor<7x24xf16>
    %88 = tensor.empty() : tensor<24x40xf16>
    %transposed_29 = linalg.transpose ins(%arg12 : tensor<40x24xf16>) outs(%88 : tensor<24x40xf16>) permutation = [1, 0] 
    %89 = tensor.empty() : tensor<40xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg13 : tensor<40xf16>) outs(%89 : tensor<40xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<40xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_28 : tensor<7x24xf16>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %92 = tensor.empty() : tensor<24x40xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_29 : tensor<24x40xf16>) outs(%92 : tensor<24x40xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24x40xf32>
    %94 = tensor.empty() : tensor<7x40xf32>
    %95 = linalg.fill ins(%cst : f32) outs(%94 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %96 = linalg.matmul ins(%91, %93 : tensor<7x24xf32>, tensor<24x40xf32>) outs(%95 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %97 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<40xf32>) outs(%94 : tensor<7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x40xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%96, %97 : tensor<7x40xf32>, tensor<7x40xf32>) outs(%94 : tensor<7x40xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x40xf32>
    %99 = tensor.empty() : tensor<7x40xf16>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%98 : tensor<7x40xf32>) outs(%99 : tensor<7x40xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x40xf16>
    %expanded_30 = tensor.expand_shape %100 [[0, 1], [2]] output_shape [1, 7, 40] : tensor<7x40xf16> into tensor<1x7x40xf16>
    %101 = tensor.empty() : tensor<1x7x40xf16>
    %102 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.mulf %in, %cst_8 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = math.fpowi %in, %c3_i64 : f16, i64
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %104 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.truncf %cst_3 : f64 to f16
      %139 = arith.mulf %in, %138 : f16
      linalg.yield %139 : f16
    } -> tensor<1x7x40xf16>
    %105 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30, %104 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %138 = arith.addf %in, %in_34 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %106 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.truncf %cst_2 : f64 to f16
      %139 = arith.mulf %in, %138 : f16
      linalg.yield %139 : f16
    } -> tensor<1x7x40xf16>
    %107 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = math.tanh %in : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %108 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.addf %in, %cst_9 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %109 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %108 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%101 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %138 = arith.mulf %in, %in_34 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x40xf16>
    %collapsed_31 = tensor.collapse_shape %109 [[0, 1], [2]] : tensor<1x7x40xf16> into tensor<7x40xf16>
    %110 = tensor.empty() : tensor<40x24xf16>
    %transposed_32 = linalg.transpose ins(%arg14 : tensor<24x40xf16>) outs(%110 : tensor<40x24xf16>) permutation = [1, 0] 
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg15 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<24xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_31 : tensor<7x40xf16>) outs(%94 : tensor<7x40xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<7x40xf32>
    %113 = tensor.empty() : tensor<40x24xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_32 : tensor<40x24xf16>) outs(%113 : tensor<40x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<40x24xf32>
    %115 = linalg.matmul ins(%112, %114 : tensor<7x40xf32>, tensor<40x24xf32>) outs(%7 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %116 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%115, %116 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%3 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.addf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<7x24xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<7x24xf32>) outs(%11 : tensor<7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<7x24xf16>
    %expanded_33 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf16> into tensor<1x7x24xf16>
    %119 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33, %87 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%62 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %138 = arith.addf %in, %in_34 : f16
      linalg.yield %138 : f16
    } -> tensor<1x7x24xf16>
    %120 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x7x24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<1x7x24xf32>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %122 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%121 : tensor<1x7x24xf64>) outs(%69 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %123 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x7x1xf64>) outs(%68 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_6 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %124 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %123 : tensor<1x7x24xf64>, tensor<1x7x1xf64>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %138 = arith.subf %in, %in_34 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %125 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %124 : tensor<1x7x24xf64>, tensor<1x7x24xf64>) outs(%66 : tensor<1x7x24xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %138 = arith.mulf %in, %in_34 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x24xf64>
    %126 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<1x7x24xf64>) outs(%69 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %127 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x7x1xf64>) outs(%68 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_6 : f64
      linalg.yield %138 : f64
    } -> tensor<1x7x1xf64>
    %128 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<1x7x1xf64>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %129 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%120 : tensor<1x7x24xf32>) outs(%78 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %130 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_7 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %131 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_4 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x1xf32>
    %132 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x7x1xf32>) outs(%76 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x1xf32>
    %133 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %130 : tensor<1x7x24xf32>, tensor<1x7x1xf32>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.subf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %134 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %132 : tensor<1x7x24xf32>, tensor<1x7x1xf32>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %138 = arith.mulf %in, %in_34 : f32
      linalg.yield %138 : f32
    } -> tensor<1x7x24xf32>
    %135 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %arg16 : tensor<1x7x24xf32>, tensor<24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %138 = arith.extf %in_34 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x24xf32>
    %136 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %arg17 : tensor<1x7x24xf32>, tensor<24xf16>) outs(%64 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %138 = arith.extf %in_34 : f16 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x7x24xf32>
    %137 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<1x7x24xf32>) outs(%62 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x7x24xf16>
    return %137 : tensor<1x7x24xf16>
  }
}
