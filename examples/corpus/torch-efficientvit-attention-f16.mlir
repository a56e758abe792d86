// torch-efficientvit-attention-f16
//   python export_pytorch.py . --real efficientvit-attention-f16
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
module {
  func.func @main(%arg0: tensor<1x128x14x14xf16>, %arg1: tensor<384x128x1x1xf16>, %arg2: tensor<128x128x1x1xf16>) -> tensor<1x128x14x14xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<1x384x14x14xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x128x14x14xf16>, tensor<384x128x1x1xf16>) outs(%1 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %3 = tensor.empty() : tensor<1x384x14x14xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x384x14x14xf32>) outs(%3 : tensor<1x384x14x14xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<1x384x14x14xf16>
    %collapsed = tensor.collapse_shape %4 [[0], [1], [2, 3]] : tensor<1x384x14x14xf16> into tensor<1x384x196xf16>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [1, 8, 48, 196] : tensor<1x384x196xf16> into tensor<1x8x48x196xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [1, 8, 16, 196] [1, 1, 1, 1] : tensor<1x8x48x196xf16> to tensor<1x8x16x196xf16>
    %extracted_slice_3 = tensor.extract_slice %expanded[0, 0, 16, 0] [1, 8, 16, 196] [1, 1, 1, 1] : tensor<1x8x48x196xf16> to tensor<1x8x16x196xf16>
    %extracted_slice_4 = tensor.extract_slice %expanded[0, 0, 32, 0] [1, 8, 16, 196] [1, 1, 1, 1] : tensor<1x8x48x196xf16> to tensor<1x8x16x196xf16>
    %5 = tensor.empty() : tensor<1x8x16x196xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x8x16x196xf16>) outs(%5 : tensor<1x8x16x196xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.cmpf ugt, %in, %cst : f16
      %28 = arith.select %27, %in, %cst : f16
      linalg.yield %28 : f16
    } -> tensor<1x8x16x196xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_3 : tensor<1x8x16x196xf16>) outs(%5 : tensor<1x8x16x196xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.cmpf ugt, %in, %cst : f16
      %28 = arith.select %27, %in, %cst : f16
      linalg.yield %28 : f16
    } -> tensor<1x8x16x196xf16>
    %padded = tensor.pad %extracted_slice_4 low[0, 0, 0, 0] high[0, 0, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_2 : f16
    } : tensor<1x8x16x196xf16> to tensor<1x8x17x196xf16>
    %8 = tensor.empty() : tensor<1x8x196x16xf16>
    %transposed = linalg.transpose ins(%7 : tensor<1x8x16x196xf16>) outs(%8 : tensor<1x8x196x16xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_5 = tensor.collapse_shape %padded [[0, 1], [2], [3]] : tensor<1x8x17x196xf16> into tensor<8x17x196xf16>
    %collapsed_6 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x8x196x16xf16> into tensor<8x196x16xf16>
    %9 = tensor.empty() : tensor<8x17x16xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<8x17x16xf32>) -> tensor<8x17x16xf32>
    %11 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x17x196xf16>, tensor<8x196x16xf16>) outs(%10 : tensor<8x17x16xf32>) -> tensor<8x17x16xf32>
    %12 = tensor.empty() : tensor<8x17x16xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<8x17x16xf32>) outs(%12 : tensor<8x17x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<8x17x16xf16>
    %collapsed_7 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x8x16x196xf16> into tensor<8x16x196xf16>
    %14 = tensor.empty() : tensor<8x17x196xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<8x17x196xf32>) -> tensor<8x17x196xf32>
    %16 = linalg.batch_matmul ins(%13, %collapsed_7 : tensor<8x17x16xf16>, tensor<8x16x196xf16>) outs(%15 : tensor<8x17x196xf32>) -> tensor<8x17x196xf32>
    %17 = tensor.empty() : tensor<8x17x196xf16>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<8x17x196xf32>) outs(%17 : tensor<8x17x196xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<8x17x196xf16>
    %expanded_8 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 8, 17, 196] : tensor<8x17x196xf16> into tensor<1x8x17x196xf16>
    %extracted_slice_9 = tensor.extract_slice %expanded_8[0, 0, 0, 0] [1, 8, 16, 196] [1, 1, 1, 1] : tensor<1x8x17x196xf16> to tensor<1x8x16x196xf16>
    %extracted_slice_10 = tensor.extract_slice %expanded_8[0, 0, 16, 0] [1, 8, 1, 196] [1, 1, 1, 1] : tensor<1x8x17x196xf16> to tensor<1x8x1x196xf16>
    %19 = tensor.empty() : tensor<1x8x1x196xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x8x1x196xf16>) outs(%19 : tensor<1x8x1x196xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.truncf %cst_1 : f64 to f16
      %28 = arith.addf %in, %27 : f16
      linalg.yield %28 : f16
    } -> tensor<1x8x1x196xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9, %20 : tensor<1x8x16x196xf16>, tensor<1x8x1x196xf16>) outs(%5 : tensor<1x8x16x196xf16>) {
    ^bb0(%in: f16, %in_13: f16, %out: f16):
      %27 = arith.divf %in, %in_13 : f16
      linalg.yield %27 : f16
    } -> tensor<1x8x16x196xf16>
    %collapsed_11 = tensor.collapse_shape %21 [[0], [1, 2], [3]] : tensor<1x8x16x196xf16> into tensor<1x128x196xf16>
    %expanded_12 = tensor.expand_shape %collapsed_11 [[0], [1], [2, 3]] output_shape [1, 128, 14, 14] : tensor<1x128x196xf16> into tensor<1x128x14x14xf16>
    %22 = tensor.empty() : tensor<1x128x14x14xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x128x14x14xf32>) -> tensor<1x128x14x14xf32>
    %24 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded_12, %arg2 : tensor<1x128x14x14xf16>, tensor<128x128x1x1xf16>) outs(%23 : tensor<1x128x14x14xf32>) -> tensor<1x128x14x14xf32>
    %25 = tensor.empty() : tensor<1x128x14x14xf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x128x14x14xf32>) outs(%25 : tensor<1x128x14x14xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<1x128x14x14xf16>
    return %26 : tensor<1x128x14x14xf16>
  }
}
