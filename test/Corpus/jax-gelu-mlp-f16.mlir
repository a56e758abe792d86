// jax-gelu-mlp-f16
//   python export_jax.py . gelu-mlp-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> ()>
module @jit_gelu_mlp attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x28xf16>, %arg2: tensor<28xf16>, %arg3: tensor<28x24xf16>, %arg4: tensor<24xf16>) -> (tensor<6x24xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<f16>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f16>
    %cst_2 = arith.constant dense<7.978520e-01> : tensor<f16>
    %cst_3 = arith.constant dense<4.470830e-02> : tensor<f16>
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = tensor.empty() : tensor<6x28xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %5 = tensor.empty() : tensor<1x28xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<28xf16>) outs(%5 : tensor<1x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x28xf16>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<1x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.addf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %8 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %11 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %10 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %12 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.addf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %13 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %31 = math.tanh %in : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %16 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.addf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %19 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %18 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %20 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.mulf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x28xf16>
    %22 = tensor.empty() : tensor<6x24xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %24 = linalg.matmul ins(%21, %arg3 : tensor<6x28xf16>, tensor<28x24xf16>) outs(%23 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %25 = tensor.empty() : tensor<6x24xf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<6x24xf32>) outs(%25 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<6x24xf16>
    %27 = tensor.empty() : tensor<1x24xf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<24xf16>) outs(%27 : tensor<1x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x24xf16>
    %29 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<1x24xf16>) outs(%25 : tensor<6x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x24xf16>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %29 : tensor<6x24xf16>, tensor<6x24xf16>) outs(%25 : tensor<6x24xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.addf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<6x24xf16>
    return %30 : tensor<6x24xf16>
  }
}
