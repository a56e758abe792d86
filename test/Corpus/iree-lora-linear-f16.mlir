// iree-lora-linear-f16
//   python export_jax.py . --route=iree lora-linear-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit_lora_linear {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x20xf16>, %arg2: tensor<24x4xf16>, %arg3: tensor<4x20xf16>) -> tensor<6x20xf16> {
    %cst = arith.constant 4.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x20xf16>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %3 = tensor.empty() : tensor<6x20xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x20xf32>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %14 = arith.truncf %in : f32 to f16
      linalg.yield %14 : f16
    } -> tensor<6x20xf16>
    %5 = tensor.empty() : tensor<6x4xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %7 = linalg.matmul ins(%arg0, %arg2 : tensor<6x24xf16>, tensor<24x4xf16>) outs(%6 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %8 = tensor.empty() : tensor<6x4xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x4xf32>) outs(%8 : tensor<6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %14 = arith.truncf %in : f32 to f16
      linalg.yield %14 : f16
    } -> tensor<6x4xf16>
    %10 = linalg.matmul ins(%9, %arg3 : tensor<6x4xf16>, tensor<4x20xf16>) outs(%1 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x20xf32>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %14 = arith.truncf %in : f32 to f16
      linalg.yield %14 : f16
    } -> tensor<6x20xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6x20xf16>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %14 = arith.mulf %in, %cst : f16
      linalg.yield %14 : f16
    } -> tensor<6x20xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %12 : tensor<6x20xf16>, tensor<6x20xf16>) outs(%3 : tensor<6x20xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %14 = arith.addf %in, %in_1 : f16
      linalg.yield %14 : f16
    } -> tensor<6x20xf16>
    return %13 : tensor<6x20xf16>
  }
}
