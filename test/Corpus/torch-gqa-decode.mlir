// torch-gqa-decode
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x1x8xf32>, %arg1: tensor<2x2x11x8xf32>, %arg2: tensor<2x2x11x8xf32>) -> tensor<2x6x1x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x2x3x11x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x11x8xf32>) outs(%0 : tensor<2x2x3x11x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x11x8xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<2x2x3x11x8xf32> into tensor<2x6x11x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x11x8xf32>) outs(%0 : tensor<2x2x3x11x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x11x8xf32>
    %3 = tensor.empty() : tensor<2x6x8x11xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x6x11x8xf32>) outs(%3 : tensor<2x6x8x11xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_1 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x6x1x8xf32> into tensor<12x1x8xf32>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x6x8x11xf32> into tensor<12x8x11xf32>
    %4 = tensor.empty() : tensor<12x1x11xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<12x1x11xf32>) -> tensor<12x1x11xf32>
    %6 = linalg.batch_matmul ins(%collapsed_1, %collapsed_2 : tensor<12x1x8xf32>, tensor<12x8x11xf32>) outs(%5 : tensor<12x1x11xf32>) -> tensor<12x1x11xf32>
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [2, 6, 1, 11] : tensor<12x1x11xf32> into tensor<2x6x1x11xf32>
    %7 = tensor.empty() : tensor<2x6x1xi64>
    %8 = linalg.fill ins(%c0_i64 : i64) outs(%7 : tensor<2x6x1xi64>) -> tensor<2x6x1xi64>
    %9 = tensor.empty() : tensor<2x6x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %11:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x6x1x11xf32>) outs(%10, %8 : tensor<2x6x1xf32>, tensor<2x6x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %22 = linalg.index 3 : index
      %23 = arith.index_cast %22 : index to i64
      %24 = arith.maximumf %in, %out : f32
      %25 = arith.cmpf ogt, %in, %out : f32
      %26 = arith.select %25, %23, %out_7 : i64
      linalg.yield %24, %26 : f32, i64
    } -> (tensor<2x6x1xf32>, tensor<2x6x1xi64>)
    %expanded_3 = tensor.expand_shape %11#0 [[0], [1], [2, 3]] output_shape [2, 6, 1, 1] : tensor<2x6x1xf32> into tensor<2x6x1x1xf32>
    %12 = tensor.empty() : tensor<2x6x1x11xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<2x6x1x11xf32>, tensor<2x6x1x1xf32>) outs(%12 : tensor<2x6x1x11xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %22 = arith.subf %in, %in_7 : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x1x11xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x1x11xf32>) outs(%12 : tensor<2x6x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.exp %in : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x1x11xf32>
    %15 = tensor.empty() : tensor<2x6x1x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x6x1x1xf32>) -> tensor<2x6x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x6x1x11xf32>) outs(%16 : tensor<2x6x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.addf %in, %out : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<2x6x1x11xf32>, tensor<2x6x1x1xf32>) outs(%12 : tensor<2x6x1x11xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %22 = arith.divf %in, %in_7 : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x1x11xf32>
    %collapsed_4 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<2x6x1x11xf32> into tensor<12x1x11xf32>
    %collapsed_5 = tensor.collapse_shape %2 [[0, 1, 2], [3], [4]] : tensor<2x2x3x11x8xf32> into tensor<12x11x8xf32>
    %19 = tensor.empty() : tensor<12x1x8xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<12x1x8xf32>) -> tensor<12x1x8xf32>
    %21 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<12x1x11xf32>, tensor<12x11x8xf32>) outs(%20 : tensor<12x1x8xf32>) -> tensor<12x1x8xf32>
    %expanded_6 = tensor.expand_shape %21 [[0, 1], [2], [3]] output_shape [2, 6, 1, 8] : tensor<12x1x8xf32> into tensor<2x6x1x8xf32>
    return %expanded_6 : tensor<2x6x1x8xf32>
  }
}
