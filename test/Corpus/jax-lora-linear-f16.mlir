// jax-lora-linear-f16
//   python export_jax.py . lora-linear-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @jit_lora_linear attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x20xf16>, %arg2: tensor<24x4xf16>, %arg3: tensor<4x20xf16>) -> (tensor<6x20xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<4.000000e+00> : tensor<f16>
    %0 = tensor.empty() : tensor<6x20xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x20xf16>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %3 = tensor.empty() : tensor<6x20xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x20xf32>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %15 = arith.truncf %in : f32 to f16
      linalg.yield %15 : f16
    } -> tensor<6x20xf16>
    %5 = tensor.empty() : tensor<6x4xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %7 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf16>, tensor<24x4xf16>) outs(%6 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %8 = tensor.empty() : tensor<6x4xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x4xf32>) outs(%8 : tensor<6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %15 = arith.truncf %in : f32 to f16
      linalg.yield %15 : f16
    } -> tensor<6x4xf16>
    %10 = linalg.matmul ins(%9, %arg3 : tensor<6x4xf16>, tensor<4x20xf16>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x20xf32>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %15 = arith.truncf %in : f32 to f16
      linalg.yield %15 : f16
    } -> tensor<6x20xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f16>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x20xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %11 : tensor<6x20xf16>, tensor<6x20xf16>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %15 = arith.mulf %in, %in_1 : f16
      linalg.yield %15 : f16
    } -> tensor<6x20xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %13 : tensor<6x20xf16>, tensor<6x20xf16>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %15 = arith.addf %in, %in_1 : f16
      linalg.yield %15 : f16
    } -> tensor<6x20xf16>
    return %14 : tensor<6x20xf16>
  }
}
