// jax-gqa-decode-f16
//   python export_jax.py . --real gqa-decode-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x32x128xf16>, %arg1: tensor<1x4096x8x128xf16>, %arg2: tensor<1x4096x8x128xf16>) -> (tensor<1x1x32x128xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<11.3137083> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 1, 8, 4, 128] : tensor<1x1x32x128xf16> into tensor<1x1x8x4x128xf16>
    %0 = tensor.empty() : tensor<1x8x4096x1x4xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x8x4096x1x4xf32>) -> tensor<1x8x4096x1x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %expanded : tensor<1x4096x8x128xf16>, tensor<1x1x8x4x128xf16>) outs(%1 : tensor<1x8x4096x1x4xf32>) {
    ^bb0(%in: f16, %in_3: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      %32 = arith.extf %in_3 : f16 to f32
      %33 = arith.mulf %31, %32 : f32
      %34 = arith.addf %out, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x8x4096x1x4xf32>
    %3 = tensor.empty() : tensor<1x8x4x1x4096xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x8x4096x1x4xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x4096xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x4096xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x8x4x1x4096xf32>, tensor<1x8x4x1x4096xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.divf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1x4096xf32>
    %7 = tensor.empty() : tensor<1x8x4x1xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x8x4x1xf32>) -> tensor<1x8x4x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x8x4x1x4096xf32>) outs(%8 : tensor<1x8x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.maximumf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%7 : tensor<1x8x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %9 : tensor<1x8x4x1xf32>, tensor<1x8x4x1xf32>) outs(%7 : tensor<1x8x4x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.maximumf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1xf32>
    %12 = tensor.empty() : tensor<1x8x4x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x8x4x1xf32>) outs(%12 : tensor<1x8x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x8x4x1x1xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x4096xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6, %14 : tensor<1x8x4x1x4096xf32>, tensor<1x8x4x1x4096xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.subf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1x4096xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x8x4x1x4096xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1x4096xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x8x4x1xf32>) -> tensor<1x8x4x1xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x8x4x1x4096xf32>) outs(%17 : tensor<1x8x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x8x4x1xf32>) outs(%12 : tensor<1x8x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x4x1x1xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1x4096xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<1x8x4x1x4096xf32>, tensor<1x8x4x1x4096xf32>) outs(%3 : tensor<1x8x4x1x4096xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.divf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<1x8x4x1x4096xf32>
    %22 = tensor.empty() : tensor<1x8x4x1x4096xf16>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x8x4x1x4096xf32>) outs(%22 : tensor<1x8x4x1x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<1x8x4x1x4096xf16>
    %24 = tensor.empty() : tensor<1x8x128x4x1xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<1x8x128x4x1xf32>) -> tensor<1x8x128x4x1xf32>
    %26 = linalg.generic {indexing_maps = [#map10, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %23 : tensor<1x4096x8x128xf16>, tensor<1x8x4x1x4096xf16>) outs(%25 : tensor<1x8x128x4x1xf32>) {
    ^bb0(%in: f16, %in_3: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      %32 = arith.extf %in_3 : f16 to f32
      %33 = arith.mulf %31, %32 : f32
      %34 = arith.addf %out, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x8x128x4x1xf32>
    %27 = tensor.empty() : tensor<1x1x8x4x128xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x8x128x4x1xf32>) outs(%27 : tensor<1x1x8x4x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8x4x128xf32>
    %29 = tensor.empty() : tensor<1x1x8x4x128xf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x8x4x128xf32>) outs(%29 : tensor<1x1x8x4x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<1x1x8x4x128xf16>
    %collapsed = tensor.collapse_shape %30 [[0], [1], [2, 3], [4]] : tensor<1x1x8x4x128xf16> into tensor<1x1x32x128xf16>
    return %collapsed : tensor<1x1x32x128xf16>
  }
}
