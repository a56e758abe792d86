// iree-rmsnorm-linear-f16
//   python export_jax.py . --route=iree rmsnorm-linear-f16
//   iree-opt --iree-stablehlo-to-stablehlo-preprocessing --iree-stablehlo-to-iree-input --inline --canonicalize --cse
// jax 0.10.2, iree-base-compiler 3.13.0

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
module @jit_rmsnorm_linear {
  func.func public @main(%arg0: tensor<6x24xf16>, %arg1: tensor<24xf16>, %arg2: tensor<24x20xf16>) -> tensor<6x20xf16> {
    %cst = arith.constant 9.99999974E-6 : f32
    %cst_0 = arith.constant 2.400000e+01 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x24xf16>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<6x24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.mulf %in, %in : f32
      linalg.yield %23 : f32
    } -> tensor<6x24xf32>
    %3 = tensor.empty() : tensor<6xf32>
    %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<6xf32>) -> tensor<6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<6x24xf32>) outs(%4 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %out, %in : f32
      linalg.yield %23 : f32
    } -> tensor<6xf32>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %6 = tensor.empty() : tensor<6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<6x1xf32>) outs(%6 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_0 : f32
      linalg.yield %23 : f32
    } -> tensor<6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x1xf32>) outs(%6 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<6x1xf32>) outs(%6 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = math.rsqrt %in : f32
      linalg.yield %23 : f32
    } -> tensor<6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x1xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x24xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %10 : tensor<6x24xf32>, tensor<6x24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.mulf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<6x24xf32>
    %12 = tensor.empty() : tensor<24xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%12 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<24xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %14 : tensor<6x24xf32>, tensor<6x24xf32>) outs(%0 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.mulf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<6x24xf32>
    %16 = tensor.empty() : tensor<6x24xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6x24xf32>) outs(%16 : tensor<6x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<6x24xf16>
    %18 = tensor.empty() : tensor<6x20xf32>
    %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %20 = linalg.matmul ins(%17, %arg2 : tensor<6x24xf16>, tensor<24x20xf16>) outs(%19 : tensor<6x20xf32>) -> tensor<6x20xf32>
    %21 = tensor.empty() : tensor<6x20xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<6x20xf32>) outs(%21 : tensor<6x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<6x20xf16>
    return %22 : tensor<6x20xf16>
  }
}
