// jax-gated-mlp-f16
//   python export_jax.py . gated-mlp-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @jit_gated_mlp attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x28xf16>, %arg2: tensor<24x28xf16>, %arg3: tensor<28x24xf16>) -> (tensor<6x24xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f16>
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = tensor.empty() : tensor<6x28xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %19 = arith.negf %in : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %19 = math.exp %in : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %6 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %19 = arith.addf %in, %in_1 : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %8 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %19 = arith.divf %in, %in_1 : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %9 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %19 = arith.mulf %in, %in_1 : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %11 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %19 = arith.mulf %in, %in_1 : f16
      linalg.yield %19 : f16
    } -> tensor<6x28xf16>
    %14 = tensor.empty() : tensor<6x24xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %16 = linalg.matmul ins(%13, %arg3 : tensor<6x28xf16>, tensor<28x24xf16>) outs(%15 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %17 = tensor.empty() : tensor<6x24xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<6x24xf32>) outs(%17 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<6x24xf16>
    return %18 : tensor<6x24xf16>
  }
}
