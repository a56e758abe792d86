// jax-lora-linear
//   python export_jax.py . lora-linear
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @jit_lora_linear attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x24xf32>, %arg1: tensor<24x20xf32>, %arg2: tensor<24x4xf32>, %arg3: tensor<4x20xf32>) -> (tensor<6x20xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<4.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<6x20xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf32>, tensor<24x20xf32>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %3 = tensor.empty() : tensor<6x4xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %5 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf32>, tensor<24x4xf32>) outs(%4 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %6 = linalg.matmul ins(%5, %arg3 : tensor<6x4xf32>, tensor<4x20xf32>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<6x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x20xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %6 : tensor<6x20xf32>, tensor<6x20xf32>) outs(%0 : tensor<6x20xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.mulf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<6x20xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %8 : tensor<6x20xf32>, tensor<6x20xf32>) outs(%0 : tensor<6x20xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.addf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<6x20xf32>
    return %9 : tensor<6x20xf32>
  }
}
