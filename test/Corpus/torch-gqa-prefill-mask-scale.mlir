// torch-gqa-prefill-mask-scale
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x5x8xf32>, %arg1: tensor<2x2x7x8xf32>, %arg2: tensor<2x2x7x8xf32>, %arg3: tensor<2x1x5x7xf32>) -> tensor<2x6x5x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<2x2x3x7x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x7x8xf32>) outs(%0 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<2x6x7x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x7x8xf32>) outs(%0 : tensor<2x2x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x7x8xf32>
    %3 = tensor.empty() : tensor<2x6x8x7xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x6x7x8xf32>) outs(%3 : tensor<2x6x8x7xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_2 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x6x5x8xf32> into tensor<12x5x8xf32>
    %collapsed_3 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x6x8x7xf32> into tensor<12x8x7xf32>
    %4 = tensor.empty() : tensor<12x5x7xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %6 = linalg.batch_matmul ins(%collapsed_2, %collapsed_3 : tensor<12x5x8xf32>, tensor<12x8x7xf32>) outs(%5 : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [2, 6, 5, 7] : tensor<12x5x7xf32> into tensor<2x6x5x7xf32>
    %7 = tensor.empty() : tensor<2x6x5x7xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x5x7xf32>) outs(%7 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.truncf %cst_1 : f64 to f32
      %25 = arith.mulf %in, %24 : f32
      linalg.yield %25 : f32
    } -> tensor<2x6x5x7xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg3 : tensor<2x6x5x7xf32>, tensor<2x1x5x7xf32>) outs(%7 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %24 = arith.addf %in, %in_8 : f32
      linalg.yield %24 : f32
    } -> tensor<2x6x5x7xf32>
    %10 = tensor.empty() : tensor<2x6x5xi64>
    %11 = linalg.fill ins(%c0_i64 : i64) outs(%10 : tensor<2x6x5xi64>) -> tensor<2x6x5xi64>
    %12 = tensor.empty() : tensor<2x6x5xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
    %14:2 = linalg.generic {indexing_maps = [#map2, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<2x6x5x7xf32>) outs(%13, %11 : tensor<2x6x5xf32>, tensor<2x6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_8: i64):
      %24 = linalg.index 3 : index
      %25 = arith.index_cast %24 : index to i64
      %26 = arith.maximumf %in, %out : f32
      %27 = arith.cmpf ogt, %in, %out : f32
      %28 = arith.select %27, %25, %out_8 : i64
      linalg.yield %26, %28 : f32, i64
    } -> (tensor<2x6x5xf32>, tensor<2x6x5xi64>)
    %expanded_4 = tensor.expand_shape %14#0 [[0], [1], [2, 3]] output_shape [2, 6, 5, 1] : tensor<2x6x5xf32> into tensor<2x6x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_4 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%7 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %24 = arith.subf %in, %in_8 : f32
      linalg.yield %24 : f32
    } -> tensor<2x6x5x7xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x5x7xf32>) outs(%7 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = math.exp %in : f32
      linalg.yield %24 : f32
    } -> tensor<2x6x5x7xf32>
    %17 = tensor.empty() : tensor<2x6x5x1xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x6x5x1xf32>) -> tensor<2x6x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<2x6x5x7xf32>) outs(%18 : tensor<2x6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<2x6x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<2x6x5x7xf32>, tensor<2x6x5x1xf32>) outs(%7 : tensor<2x6x5x7xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %24 = arith.divf %in, %in_8 : f32
      linalg.yield %24 : f32
    } -> tensor<2x6x5x7xf32>
    %collapsed_5 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<2x6x5x7xf32> into tensor<12x5x7xf32>
    %collapsed_6 = tensor.collapse_shape %2 [[0, 1, 2], [3], [4]] : tensor<2x2x3x7x8xf32> into tensor<12x7x8xf32>
    %21 = tensor.empty() : tensor<12x5x8xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %23 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<12x5x7xf32>, tensor<12x7x8xf32>) outs(%22 : tensor<12x5x8xf32>) -> tensor<12x5x8xf32>
    %expanded_7 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [2, 6, 5, 8] : tensor<12x5x8xf32> into tensor<2x6x5x8xf32>
    return %expanded_7 : tensor<2x6x5x8xf32>
  }
}
