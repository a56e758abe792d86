// jax-gated-mlp
//   python export_jax.py . gated-mlp
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @jit_gated_mlp attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x24xf32>, %arg1: tensor<24x28xf32>, %arg2: tensor<24x28xf32>, %arg3: tensor<28x24xf32>) -> (tensor<6x24xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf32>, tensor<24x28xf32>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.negf %in : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.exp %in : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x28xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %4 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.addf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.divf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %7 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.mulf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %9 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf32>, tensor<24x28xf32>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.mulf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<6x28xf32>
    %11 = tensor.empty() : tensor<6x24xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %13 = linalg.matmul ins(%10, %arg3 : tensor<6x28xf32>, tensor<28x24xf32>) outs(%12 : tensor<6x24xf32>) -> tensor<6x24xf32>
    return %13 : tensor<6x24xf32>
  }
}
