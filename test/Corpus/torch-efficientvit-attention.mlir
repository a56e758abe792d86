// torch-efficientvit-attention
//   python export_pytorch.py . efficientvit-attention
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
module {
  func.func @main(%arg0: tensor<1x10x5x6xf32>, %arg1: tensor<36x10x1x1xf32>, %arg2: tensor<10x12x1x1xf32>) -> tensor<1x10x5x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x36x5x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x36x5x6xf32>) -> tensor<1x36x5x6xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x10x5x6xf32>, tensor<36x10x1x1xf32>) outs(%1 : tensor<1x36x5x6xf32>) -> tensor<1x36x5x6xf32>
    %collapsed = tensor.collapse_shape %2 [[0], [1], [2, 3]] : tensor<1x36x5x6xf32> into tensor<1x36x30xf32>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [1, 3, 12, 30] : tensor<1x36x30xf32> into tensor<1x3x12x30xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [1, 3, 4, 30] [1, 1, 1, 1] : tensor<1x3x12x30xf32> to tensor<1x3x4x30xf32>
    %extracted_slice_2 = tensor.extract_slice %expanded[0, 0, 4, 0] [1, 3, 4, 30] [1, 1, 1, 1] : tensor<1x3x12x30xf32> to tensor<1x3x4x30xf32>
    %extracted_slice_3 = tensor.extract_slice %expanded[0, 0, 8, 0] [1, 3, 4, 30] [1, 1, 1, 1] : tensor<1x3x12x30xf32> to tensor<1x3x4x30xf32>
    %3 = tensor.empty() : tensor<1x3x4x30xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x3x4x30xf32>) outs(%3 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.cmpf ugt, %in, %cst : f32
      %20 = arith.select %19, %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x3x4x30xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_2 : tensor<1x3x4x30xf32>) outs(%3 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.cmpf ugt, %in, %cst : f32
      %20 = arith.select %19, %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x3x4x30xf32>
    %padded = tensor.pad %extracted_slice_3 low[0, 0, 0, 0] high[0, 0, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x3x4x30xf32> to tensor<1x3x5x30xf32>
    %6 = tensor.empty() : tensor<1x3x30x4xf32>
    %transposed = linalg.transpose ins(%5 : tensor<1x3x4x30xf32>) outs(%6 : tensor<1x3x30x4xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_4 = tensor.collapse_shape %padded [[0, 1], [2], [3]] : tensor<1x3x5x30xf32> into tensor<3x5x30xf32>
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x3x30x4xf32> into tensor<3x30x4xf32>
    %7 = tensor.empty() : tensor<3x5x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
    %9 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<3x5x30xf32>, tensor<3x30x4xf32>) outs(%8 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
    %collapsed_6 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x3x4x30xf32> into tensor<3x4x30xf32>
    %10 = tensor.empty() : tensor<3x5x30xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<3x5x30xf32>) -> tensor<3x5x30xf32>
    %12 = linalg.batch_matmul ins(%9, %collapsed_6 : tensor<3x5x4xf32>, tensor<3x4x30xf32>) outs(%11 : tensor<3x5x30xf32>) -> tensor<3x5x30xf32>
    %expanded_7 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [1, 3, 5, 30] : tensor<3x5x30xf32> into tensor<1x3x5x30xf32>
    %extracted_slice_8 = tensor.extract_slice %expanded_7[0, 0, 0, 0] [1, 3, 4, 30] [1, 1, 1, 1] : tensor<1x3x5x30xf32> to tensor<1x3x4x30xf32>
    %extracted_slice_9 = tensor.extract_slice %expanded_7[0, 0, 4, 0] [1, 3, 1, 30] [1, 1, 1, 1] : tensor<1x3x5x30xf32> to tensor<1x3x1x30xf32>
    %13 = tensor.empty() : tensor<1x3x1x30xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9 : tensor<1x3x1x30xf32>) outs(%13 : tensor<1x3x1x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.truncf %cst_0 : f64 to f32
      %20 = arith.addf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x3x1x30xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8, %14 : tensor<1x3x4x30xf32>, tensor<1x3x1x30xf32>) outs(%3 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %19 = arith.divf %in, %in_12 : f32
      linalg.yield %19 : f32
    } -> tensor<1x3x4x30xf32>
    %collapsed_10 = tensor.collapse_shape %15 [[0], [1, 2], [3]] : tensor<1x3x4x30xf32> into tensor<1x12x30xf32>
    %expanded_11 = tensor.expand_shape %collapsed_10 [[0], [1], [2, 3]] output_shape [1, 12, 5, 6] : tensor<1x12x30xf32> into tensor<1x12x5x6xf32>
    %16 = tensor.empty() : tensor<1x10x5x6xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x10x5x6xf32>) -> tensor<1x10x5x6xf32>
    %18 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded_11, %arg2 : tensor<1x12x5x6xf32>, tensor<10x12x1x1xf32>) outs(%17 : tensor<1x10x5x6xf32>) -> tensor<1x10x5x6xf32>
    return %18 : tensor<1x10x5x6xf32>
  }
}
