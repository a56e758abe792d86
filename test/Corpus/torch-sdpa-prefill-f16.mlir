// torch-sdpa-prefill-f16
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x5x8xf16>, %arg1: tensor<2x2x7x8xf16>, %arg2: tensor<2x2x7x8xf16>) -> tensor<2x6x5x8xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x6x5x7xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.59460355750136051 : f64
    %0 = tensor.empty() : tensor<2x6x5x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x5x8xf16>) outs(%0 : tensor<2x6x5x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x8xf32>
    %2 = tensor.empty() : tensor<2x2x7x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x7x8xf16>) outs(%2 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x2x7x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x7x8xf16>) outs(%2 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x2x7x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x6x5x8xf32>) outs(%0 : tensor<2x6x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x6x5x8xf32>
    %6 = tensor.empty() : tensor<2x2x3x7x8xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x2x7x8xf32>) outs(%6 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<2x6x7x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2x7x8xf32>) outs(%6 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %9 = tensor.empty() : tensor<2x6x8x7xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x6x7x8xf32>) outs(%9 : tensor<2x6x8x7xf32>) permutation = [0, 1, 3, 2] 
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x6x8x7xf32>) outs(%9 : tensor<2x6x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x6x8x7xf32>
    %collapsed_4 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<2x6x5x8xf32> into tensor<12x5x8xf32>
    %collapsed_5 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<2x6x8x7xf32> into tensor<12x8x7xf32>
    %11 = tensor.empty() : tensor<12x5x7xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %13 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<12x5x8xf32>, tensor<12x8x7xf32>) outs(%12 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [2, 6, 5, 7] : tensor<12x5x7xf32> into tensor<2x6x5x7xf32>
    %14 = tensor.empty() : tensor<2x6x5xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<2x6x5xi64>) -> tensor<2x6x5xi64>
    %16 = tensor.empty() : tensor<2x6x5xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x6x5x7xf32>) outs(%17, %15 : tensor<2x6x5xf32>, tensor<2x6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_10 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<2x6x5xf32>, tensor<2x6x5xi64>)
    %expanded_6 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [2, 6, 5, 1] : tensor<2x6x5xf32> into tensor<2x6x5x1xf32>
    %19 = tensor.empty() : tensor<2x6x5x7xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_6 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%19 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.subf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x7xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x5x7xf32>) outs(%19 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x7xf32>
    %22 = tensor.empty() : tensor<2x6x5x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x6x5x1xf32>) -> tensor<2x6x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x6x5x7xf32>) outs(%23 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%19 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.divf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x7xf32>
    %26 = tensor.empty() : tensor<2x6x5x7xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x5x7xf32>) outs(%26 : tensor<2x6x5x7xi1>) {
    ^bb0(%in: f32, %out: i1):
      %37 = arith.extf %in : f32 to f64
      %38 = arith.cmpf oeq, %37, %cst_2 : f64
      linalg.yield %38 : i1
    } -> tensor<2x6x5x7xi1>
    %28 = tensor.empty() : tensor<2x6x5x1xi1>
    %29 = linalg.fill ins(%true : i1) outs(%28 : tensor<2x6x5x1xi1>) -> tensor<2x6x5x1xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<2x6x5x7xi1>) outs(%29 : tensor<2x6x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %37 = arith.andi %in, %out : i1
      linalg.yield %37 : i1
    } -> tensor<2x6x5x1xi1>
    %31 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %25 : tensor<2x6x5x1xi1>, tensor<2x6x5x7xf32>, tensor<2x6x5x7xf32>) outs(%19 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %37 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x5x7xf32>
    %collapsed_7 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x6x5x7xf32> into tensor<12x5x7xf32>
    %collapsed_8 = tensor.collapse_shape %8 [[0, 1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<12x7x8xf32>
    %32 = tensor.empty() : tensor<12x5x8xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<12x5x7xf32>, tensor<12x7x8xf32>) outs(%33 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %expanded_9 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 6, 5, 8] : tensor<12x5x8xf32> into tensor<2x6x5x8xf32>
    %35 = tensor.empty() : tensor<2x6x5x8xf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<2x6x5x8xf32>) outs(%35 : tensor<2x6x5x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<2x6x5x8xf16>
    return %36 : tensor<2x6x5x8xf16>
  }
}
