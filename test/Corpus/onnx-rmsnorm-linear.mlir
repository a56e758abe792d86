// onnx-rmsnorm-linear
//   python export_onnx.py . rmsnorm-linear
//   torch-mlir-import-onnx program.onnx -o program.mlir
//   torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline
// torch 2.15.0, onnx 1.23.2, onnxscript 0.7.2, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main_graph(%arg0: tensor<6x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<20x24xf32>) -> tensor<6x20xf32> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_2 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<6x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %15 : f32
    } -> tensor<6x24xf32>
    %2 = tensor.empty() : tensor<6x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<6x1xf32>) -> tensor<6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x24xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.addf %in, %out : f32
      linalg.yield %15 : f32
    } -> tensor<6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x1xf32>) outs(%2 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.divf %in, %cst_2 : f32
      linalg.yield %15 : f32
    } -> tensor<6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %cst_1 : tensor<6x1xf32>, tensor<f32>) outs(%2 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.addf %in, %in_3 : f32
      linalg.yield %15 : f32
    } -> tensor<6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x1xf32>) outs(%2 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.sqrt %in : f32
      linalg.yield %15 : f32
    } -> tensor<6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x1xf32>) outs(%2 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.cmpf one, %in, %cst : f32
      cf.assert %15, "unimplemented: tensor with zero element"
      %16 = arith.divf %cst_0, %in : f32
      linalg.yield %16 : f32
    } -> tensor<6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<6x24xf32>, tensor<6x1xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.mulf %in, %in_3 : f32
      linalg.yield %15 : f32
    } -> tensor<6x24xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %arg1 : tensor<6x24xf32>, tensor<24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.mulf %in, %in_3 : f32
      linalg.yield %15 : f32
    } -> tensor<6x24xf32>
    %11 = tensor.empty() : tensor<24x20xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<20x24xf32>) outs(%11 : tensor<24x20xf32>) permutation = [1, 0] 
    %12 = tensor.empty() : tensor<6x20xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %14 = linalg.matmul ins(%10, %transposed : tensor<6x24xf32>, tensor<24x20xf32>) outs(%13 : tensor<6x20xf32>) -> tensor<6x20xf32>
    return %14 : tensor<6x20xf32>
  }
}
