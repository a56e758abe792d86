// torch-qk-norm-attention
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x6x5x8xf32>, %arg1: tensor<2x2x7x8xf32>, %arg2: tensor<2x2x7x8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>) -> tensor<2x6x5x8xf32> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327379 : f64
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x5x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x5x8xf32>) outs(%0 : tensor<2x6x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %41 : f32
    } -> tensor<2x6x5x8xf32>
    %2 = tensor.empty() : tensor<2x6x5x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6x5x1xf32>) -> tensor<2x6x5x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x5x8xf32>) outs(%3 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6x5x1xf32>) outs(%2 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.divf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x6x5x1xf32>) outs(%2 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_2 : f64 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x5x1xf32>) outs(%2 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x6x5x8xf32>, tensor<2x6x5x1xf32>) outs(%0 : tensor<2x6x5x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.mulf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x8xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %8 : tensor<8xf32>, tensor<2x6x5x8xf32>) outs(%0 : tensor<2x6x5x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.mulf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x8xf32>
    %10 = tensor.empty() : tensor<2x2x7x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x7x8xf32>) outs(%10 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %41 : f32
    } -> tensor<2x2x7x8xf32>
    %12 = tensor.empty() : tensor<2x2x7x1xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<2x2x7x1xf32>) -> tensor<2x2x7x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<2x2x7x8xf32>) outs(%13 : tensor<2x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<2x2x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x7x1xf32>) outs(%12 : tensor<2x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.divf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<2x2x7x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x2x7x1xf32>) outs(%12 : tensor<2x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_2 : f64 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<2x2x7x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x2x7x1xf32>) outs(%12 : tensor<2x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x2x7x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %17 : tensor<2x2x7x8xf32>, tensor<2x2x7x1xf32>) outs(%10 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.mulf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x2x7x8xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %18 : tensor<8xf32>, tensor<2x2x7x8xf32>) outs(%10 : tensor<2x2x7x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.mulf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x2x7x8xf32>
    %20 = tensor.empty() : tensor<2x2x3x7x8xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x2x7x8xf32>) outs(%20 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %collapsed = tensor.collapse_shape %21 [[0], [1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<2x6x7x8xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x7x8xf32>) outs(%20 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %23 = tensor.empty() : tensor<2x6x8x7xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x6x7x8xf32>) outs(%23 : tensor<2x6x8x7xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_4 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<2x6x5x8xf32> into tensor<12x5x8xf32>
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x6x8x7xf32> into tensor<12x8x7xf32>
    %24 = tensor.empty() : tensor<12x5x7xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %26 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<12x5x8xf32>, tensor<12x8x7xf32>) outs(%25 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [2, 6, 5, 7] : tensor<12x5x7xf32> into tensor<2x6x5x7xf32>
    %27 = tensor.empty() : tensor<2x6x5x7xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x5x7xf32>) outs(%27 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_1 : f64 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x5x7xf32>
    %29 = tensor.empty() : tensor<2x6x5xi64>
    %30 = linalg.fill ins(%c0_i64 : i64) outs(%29 : tensor<2x6x5xi64>) -> tensor<2x6x5xi64>
    %31 = tensor.empty() : tensor<2x6x5xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
    %33:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x6x5x7xf32>) outs(%32, %30 : tensor<2x6x5xf32>, tensor<2x6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %41 = linalg.index 3 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_10 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<2x6x5xf32>, tensor<2x6x5xi64>)
    %expanded_6 = tensor.expand_shape %33#0 [[0], [1], [2, 3]] output_shape [2, 6, 5, 1] : tensor<2x6x5xf32> into tensor<2x6x5x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_6 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%27 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.subf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x7xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x6x5x7xf32>) outs(%27 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x7xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<2x6x5x7xf32>) outs(%3 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %36 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%27 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %41 = arith.divf %in, %in_10 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x5x7xf32>
    %collapsed_7 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<2x6x5x7xf32> into tensor<12x5x7xf32>
    %collapsed_8 = tensor.collapse_shape %22 [[0, 1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<12x7x8xf32>
    %38 = tensor.empty() : tensor<12x5x8xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %40 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<12x5x7xf32>, tensor<12x7x8xf32>) outs(%39 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %expanded_9 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [2, 6, 5, 8] : tensor<12x5x8xf32> into tensor<2x6x5x8xf32>
    return %expanded_9 : tensor<2x6x5x8xf32>
  }
}
