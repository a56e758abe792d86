// iree-gelu-mlp-f16
//   python export_jax.py . --route=iree gelu-mlp-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @jit_gelu_mlp {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24x28xf16>, %arg2: tensor<28xf16>, %arg3: tensor<28x24xf16>, %arg4: tensor<24xf16>) -> tensor<6x24xf16> {
    %cst = arith.constant 5.000000e-01 : f16
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 7.978520e-01 : f16
    %cst_2 = arith.constant 4.470830e-02 : f16
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x28xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf16>, tensor<24x28xf16>) outs(%1 : tensor<6x28xf32>) -> tensor<6x28xf32>
    %3 = tensor.empty() : tensor<6x28xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x28xf32>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x28xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %23 = arith.addf %in, %in_4 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.mulf %in, %in : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %6 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %23 = arith.mulf %in, %in_4 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.mulf %in, %cst_2 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %9 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %23 = arith.addf %in, %in_4 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.mulf %in, %cst_1 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.tanh %in : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.addf %in, %cst_0 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.mulf %in, %cst : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %14 : tensor<6x28xf16>, tensor<6x28xf16>) outs(%3 : tensor<6x28xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %23 = arith.mulf %in, %in_4 : f16
      linalg.yield %23 : f16
    } -> tensor<6x28xf16>
    %16 = tensor.empty() : tensor<6x24xf32>
    %17 = linalg.fill ins(%cst_3 : f32) outs(%16 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %18 = linalg.matmul ins(%15, %arg3 : tensor<6x28xf16>, tensor<28x24xf16>) outs(%17 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %19 = tensor.empty() : tensor<6x24xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<6x24xf32>) outs(%19 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<6x24xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<24xf16>) outs(%19 : tensor<6x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<6x24xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %21 : tensor<6x24xf16>, tensor<6x24xf16>) outs(%19 : tensor<6x24xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %23 = arith.addf %in, %in_4 : f16
      linalg.yield %23 : f16
    } -> tensor<6x24xf16>
    return %22 : tensor<6x24xf16>
  }
}
