// iree-mixtral-expert
//   python export_jax.py . --route=iree mixtral-expert
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module @jit_mixtral_expert {
  func.func public @main(%arg0: tensor<6x24xf32>, %arg1: tensor<6x1xf32>, %arg2: tensor<24x28xf32>, %arg3: tensor<24x28xf32>, %arg4: tensor<28x24xf32>) -> tensor<6x24xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf32>, tensor<24x28xf32>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.negf %in : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.exp %in : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.addf %in, %cst : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.divf %cst, %in : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.mulf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %8 = linalg.matmul ins(%arg0, %arg3 : tensor<6x24xf32>, tensor<24x28xf32>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %8 : tensor<6x28xf32>, tensor<6x28xf32>) outs(%0 : tensor<6x28xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.mulf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<6x28xf32>
    %10 = tensor.empty() : tensor<6x24xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %12 = linalg.matmul ins(%9, %arg4 : tensor<6x28xf32>, tensor<28x24xf32>) outs(%11 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x1xf32>) outs(%10 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x24xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<6x24xf32>, tensor<6x24xf32>) outs(%10 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.mulf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<6x24xf32>
    return %14 : tensor<6x24xf32>
  }
}
