// onnx-candy-block-reflect
//   python export_onnx.py . candy-block-reflect
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
module {
  func.func @main_graph(%arg0: tensor<1x3x7x8xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<1x3x11x12xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %cst_0 = arith.constant 5.600000e+01 : f32
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<1x3x1x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<1x3x7x8xf32>) outs(%1 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x3x1x1xf32>) outs(%0 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.divf %in, %cst_0 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %4 = tensor.empty() : tensor<1x3x7x8xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2, 3]] : tensor<1x3x1x1xf32> into tensor<1x3xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x3xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<1x3x7x8xf32>, tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %30 = arith.subf %in, %in_19 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x7x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x3x7x8xf32>, tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %30 = arith.mulf %in, %in_19 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x7x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%7 : tensor<1x3x7x8xf32>) outs(%1 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x3x1x1xf32>) outs(%0 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.divf %in, %cst_0 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x3x1x1xf32>) outs(%0 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %cst_1 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x1x1xf32>) outs(%0 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.rsqrt %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x1x1xf32>
    %collapsed_2 = tensor.collapse_shape %11 [[0], [1, 2, 3]] : tensor<1x3x1x1xf32> into tensor<1x3xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<1x3xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<1x3x7x8xf32>, tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %30 = arith.mulf %in, %in_19 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x7x8xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x3xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x8xf32>
    %expanded_3 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<1x3xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x7x8xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<1x3x7x8xf32>, tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %30 = arith.mulf %in, %in_19 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x7x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %15 : tensor<1x3x7x8xf32>, tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %30 = arith.addf %in, %in_19 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3x7x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x7x8xf32>) outs(%4 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<1x3x7x8xf32>
    %19 = tensor.empty() : tensor<1x3x11x12xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<1x3x11x12xf32>) -> tensor<1x3x11x12xf32>
    %extracted_slice = tensor.extract_slice %18[0, 0, 1, 1] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x2xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x3x2x2xf32>) outs(%extracted_slice : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %34 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice[%c0, %30, %34, %33] : tensor<1x3x2x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x2xf32>
    %inserted_slice = tensor.insert_slice %21 into %20[0, 0, 0, 0] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x2xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_4 = tensor.extract_slice %18[0, 0, 1, 5] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x2xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_4 : tensor<1x3x2x2xf32>) outs(%extracted_slice_4 : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %34 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice_4[%c0, %30, %34, %33] : tensor<1x3x2x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x2xf32>
    %inserted_slice_5 = tensor.insert_slice %22 into %inserted_slice[0, 0, 0, 10] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x2xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_6 = tensor.extract_slice %18[0, 0, 1, 0] [1, 3, 2, 8] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_6 : tensor<1x3x2x8xf32>) outs(%extracted_slice_6 : tensor<1x3x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice_6[%c0, %30, %33, %32] : tensor<1x3x2x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x8xf32>
    %inserted_slice_7 = tensor.insert_slice %23 into %inserted_slice_5[0, 0, 0, 2] [1, 3, 2, 8] [1, 1, 1, 1] : tensor<1x3x2x8xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_8 = tensor.extract_slice %18[0, 0, 4, 1] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x2xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x3x2x2xf32>) outs(%extracted_slice_8 : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %34 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice_8[%c0, %30, %34, %33] : tensor<1x3x2x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x2xf32>
    %inserted_slice_9 = tensor.insert_slice %24 into %inserted_slice_7[0, 0, 9, 0] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x2xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_10 = tensor.extract_slice %18[0, 0, 4, 5] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x2xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x3x2x2xf32>) outs(%extracted_slice_10 : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %34 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice_10[%c0, %30, %34, %33] : tensor<1x3x2x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x2xf32>
    %inserted_slice_11 = tensor.insert_slice %25 into %inserted_slice_9[0, 0, 9, 10] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x2xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_12 = tensor.extract_slice %18[0, 0, 4, 0] [1, 3, 2, 8] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x2x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_12 : tensor<1x3x2x8xf32>) outs(%extracted_slice_12 : tensor<1x3x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %31 : index
      %extracted = tensor.extract %extracted_slice_12[%c0, %30, %33, %32] : tensor<1x3x2x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x2x8xf32>
    %inserted_slice_13 = tensor.insert_slice %26 into %inserted_slice_11[0, 0, 9, 2] [1, 3, 2, 8] [1, 1, 1, 1] : tensor<1x3x2x8xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_14 = tensor.extract_slice %18[0, 0, 0, 1] [1, 3, 7, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x7x2xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14 : tensor<1x3x7x2xf32>) outs(%extracted_slice_14 : tensor<1x3x7x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %extracted = tensor.extract %extracted_slice_14[%c0, %30, %31, %33] : tensor<1x3x7x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x7x2xf32>
    %inserted_slice_15 = tensor.insert_slice %27 into %inserted_slice_13[0, 0, 2, 0] [1, 3, 7, 2] [1, 1, 1, 1] : tensor<1x3x7x2xf32> into tensor<1x3x11x12xf32>
    %extracted_slice_16 = tensor.extract_slice %18[0, 0, 0, 5] [1, 3, 7, 2] [1, 1, 1, 1] : tensor<1x3x7x8xf32> to tensor<1x3x7x2xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_16 : tensor<1x3x7x2xf32>) outs(%extracted_slice_16 : tensor<1x3x7x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %33 = arith.subi %c1, %32 : index
      %extracted = tensor.extract %extracted_slice_16[%c0, %30, %31, %33] : tensor<1x3x7x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x7x2xf32>
    %inserted_slice_17 = tensor.insert_slice %28 into %inserted_slice_15[0, 0, 2, 10] [1, 3, 7, 2] [1, 1, 1, 1] : tensor<1x3x7x2xf32> into tensor<1x3x11x12xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x3x7x8xf32>) outs(%18 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 3 : index
      %extracted = tensor.extract %18[%c0, %30, %31, %32] : tensor<1x3x7x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x7x8xf32>
    %inserted_slice_18 = tensor.insert_slice %29 into %inserted_slice_17[0, 0, 2, 2] [1, 3, 7, 8] [1, 1, 1, 1] : tensor<1x3x7x8xf32> into tensor<1x3x11x12xf32>
    return %inserted_slice_18 : tensor<1x3x11x12xf32>
  }
}
