// jax-library-decode-mask
//   python export_jax.py . library-decode-mask
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_library_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x6x8xf32>, %arg1: tensor<2x11x2x8xf32>, %arg2: tensor<2x11x2x8xf32>, %arg3: tensor<2x1x1x11xf32>) -> (tensor<2x1x6x8xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 1, 2, 3, 8] : tensor<2x1x6x8xf32> into tensor<2x1x2x3x8xf32>
    %0 = tensor.empty() : tensor<2x1x1x1x11xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x1x11xf32>) outs(%0 : tensor<2x1x1x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x1x1x11xf32>
    %2 = tensor.empty() : tensor<2x1x3x1x11xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x1x1x11xf32>) outs(%2 : tensor<2x1x3x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x3x1x11xf32>
    %4 = tensor.empty() : tensor<2x2x1x3x11xf32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x2x1x3x11xf32>) -> tensor<2x2x1x3x11xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x1x2x3x8xf32>, tensor<2x11x2x8xf32>) outs(%5 : tensor<2x2x1x3x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.mulf %in, %in_3 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x2x1x3x11xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%4 : tensor<2x2x1x3x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x1x3x11xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x2x1x3x11xf32>, tensor<2x2x1x3x11xf32>) outs(%4 : tensor<2x2x1x3x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.mulf %in, %in_3 : f32
      linalg.yield %37 : f32
    } -> tensor<2x2x1x3x11xf32>
    %9 = tensor.empty() : tensor<3x2x2x1x11xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x1x3x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x11xf32>
    %11 = tensor.empty() : tensor<3x2x1x1x11xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x1x3x1x11xf32>) outs(%11 : tensor<3x2x1x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x1x1x11xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<3x2x1x1x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x11xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %13 : tensor<3x2x2x1x11xf32>, tensor<3x2x2x1x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.addf %in, %in_3 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1x11xf32>
    %15 = tensor.empty() : tensor<3x2x2x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<3x2x2x1xf32>) -> tensor<3x2x2x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<3x2x2x1x11xf32>) outs(%16 : tensor<3x2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%15 : tensor<3x2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1xf32>
    %19 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %17 : tensor<3x2x2x1xf32>, tensor<3x2x2x1xf32>) outs(%15 : tensor<3x2x2x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.maximumf %in, %in_3 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1xf32>
    %20 = tensor.empty() : tensor<3x2x2x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<3x2x2x1xf32>) outs(%20 : tensor<3x2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<3x2x2x1x1xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x11xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %22 : tensor<3x2x2x1x11xf32>, tensor<3x2x2x1x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.subf %in, %in_3 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1x11xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<3x2x2x1x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1x11xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<3x2x2x1xf32>) -> tensor<3x2x2x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<3x2x2x1x11xf32>) outs(%25 : tensor<3x2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1xf32>
    %27 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<3x2x2x1xf32>) outs(%20 : tensor<3x2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x1xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<3x2x2x1x1xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x1x11xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24, %28 : tensor<3x2x2x1x11xf32>, tensor<3x2x2x1x11xf32>) outs(%9 : tensor<3x2x2x1x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.divf %in, %in_3 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x2x1x11xf32>
    %30 = tensor.empty() : tensor<2x2x8x3x1xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x2x8x3x1xf32>) -> tensor<2x2x8x3x1xf32>
    %32 = linalg.generic {indexing_maps = [#map13, #map14, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %29 : tensor<2x11x2x8xf32>, tensor<3x2x2x1x11xf32>) outs(%31 : tensor<2x2x8x3x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %37 = arith.mulf %in, %in_3 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x2x8x3x1xf32>
    %33 = tensor.empty() : tensor<3x2x1x2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map15, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x2x8x3x1xf32>) outs(%33 : tensor<3x2x1x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x1x2x8xf32>
    %35 = tensor.empty() : tensor<2x1x2x3x8xf32>
    %36 = linalg.generic {indexing_maps = [#map16, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<3x2x1x2x8xf32>) outs(%35 : tensor<2x1x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x3x8xf32>
    %collapsed = tensor.collapse_shape %36 [[0], [1], [2, 3], [4]] : tensor<2x1x2x3x8xf32> into tensor<2x1x6x8xf32>
    return %collapsed : tensor<2x1x6x8xf32>
  }
}
