// iree-gated-mlp-f16
//   python export_jax.py . --route=iree gated-mlp-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit_gated_mlp {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x28xf16>, %arg2: tensor<24x28xf16>, %arg3: tensor<28x24xf16>) -> tensor<6x24xf16> {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = tensor.empty() : tensor<6x28xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %18 = arith.truncf %in : f32 to f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.negf %in : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = math.exp %in : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.addf %in, %cst : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.divf %cst, %in : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %8 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %18 = arith.mulf %in, %in_1 : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %10 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %18 = arith.truncf %in : f32 to f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %18 = arith.mulf %in, %in_1 : f16
      linalg.yield %18 : f16
    } -> tensor<6x28xf16>
    %13 = tensor.empty() : tensor<6x24xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %15 = linalg.matmul ins(%12, %arg3 : tensor<6x28xf16>, tensor<28x24xf16>) outs(%14 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %16 = tensor.empty() : tensor<6x24xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6x24xf32>) outs(%16 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %18 = arith.truncf %in : f32 to f16
      linalg.yield %18 : f16
    } -> tensor<6x24xf16>
    return %17 : tensor<6x24xf16>
  }
}
