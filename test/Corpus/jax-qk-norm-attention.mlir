// jax-qk-norm-attention
//   python export_jax.py . qk-norm-attention
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map8 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map14 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_qk_norm_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x6x8xf32>, %arg1: tensor<2x7x2x8xf32>, %arg2: tensor<2x7x2x8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>) -> (tensor<2x5x6x8xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_4 = arith.constant dense<8.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x5x6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x8xf32>
    %2 = tensor.empty() : tensor<2x5x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x6x8xf32>) outs(%3 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = arith.addf %out, %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6xf32>
    %5 = tensor.empty() : tensor<2x5x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x6xf32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x5x6x1xf32>, tensor<2x5x6x1xf32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.divf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x5x6x1xf32>, tensor<2x5x6x1xf32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.addf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x5x6x1xf32>) outs(%5 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = math.rsqrt %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5x6x1xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x8xf32>
    %14 = tensor.empty() : tensor<1x1x1x8xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<8xf32>) outs(%14 : tensor<1x1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x8xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x6x8xf32>
    %18 = tensor.empty() : tensor<2x7x2x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x8xf32>
    %20 = tensor.empty() : tensor<2x7x2xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x7x2xf32>) -> tensor<2x7x2xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x7x2x8xf32>) outs(%21 : tensor<2x7x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = arith.addf %out, %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2xf32>
    %23 = tensor.empty() : tensor<2x7x2x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x7x2xf32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %25 : tensor<2x7x2x1xf32>, tensor<2x7x2x1xf32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.divf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x1xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %27 : tensor<2x7x2x1xf32>, tensor<2x7x2x1xf32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.addf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x7x2x1xf32>) outs(%23 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = math.rsqrt %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x7x2x1xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %30 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x8xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<8xf32>) outs(%14 : tensor<1x1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x8xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x1x1x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%18 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x7x2x8xf32>
    %expanded = tensor.expand_shape %17 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 3, 8] : tensor<2x5x6x8xf32> into tensor<2x5x2x3x8xf32>
    %35 = tensor.empty() : tensor<2x2x7x5x3xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x2x7x5x3xf32>) -> tensor<2x2x7x5x3xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%34, %expanded : tensor<2x7x2x8xf32>, tensor<2x5x2x3x8xf32>) outs(%36 : tensor<2x2x7x5x3xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      %63 = arith.addf %out, %62 : f32
      linalg.yield %63 : f32
    } -> tensor<2x2x7x5x3xf32>
    %38 = tensor.empty() : tensor<2x2x3x5x7xf32>
    %39 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x2x7x5x3xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %40 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %41 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %40 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.divf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5x7xf32>
    %42 = tensor.empty() : tensor<2x2x3x5xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %44 = linalg.generic {indexing_maps = [#map10, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<2x2x3x5x7xf32>) outs(%43 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = arith.maximumf %out, %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%42 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %44 : tensor<2x2x3x5xf32>, tensor<2x2x3x5xf32>) outs(%42 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.maximumf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5xf32>
    %47 = tensor.empty() : tensor<2x2x3x5x1xf32>
    %48 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x2x3x5xf32>) outs(%47 : tensor<2x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x1xf32>
    %49 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x3x5x1xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %50 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41, %49 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.subf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5x7xf32>
    %51 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x2x3x5x7xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = math.exp %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5x7xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%42 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %53 = linalg.generic {indexing_maps = [#map10, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<2x2x3x5x7xf32>) outs(%52 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %62 = arith.addf %out, %in : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5xf32>
    %54 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x2x3x5xf32>) outs(%47 : tensor<2x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x1xf32>
    %55 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x2x3x5x1xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %56 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%38 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.divf %in, %in_5 : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x3x5x7xf32>
    %57 = tensor.empty() : tensor<2x2x8x3x5xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<2x2x8x3x5xf32>) -> tensor<2x2x8x3x5xf32>
    %59 = linalg.generic {indexing_maps = [#map14, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %56 : tensor<2x7x2x8xf32>, tensor<2x2x3x5x7xf32>) outs(%58 : tensor<2x2x8x3x5xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %62 = arith.mulf %in, %in_5 : f32
      %63 = arith.addf %out, %62 : f32
      linalg.yield %63 : f32
    } -> tensor<2x2x8x3x5xf32>
    %60 = tensor.empty() : tensor<2x5x2x3x8xf32>
    %61 = linalg.generic {indexing_maps = [#map16, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x2x8x3x5xf32>) outs(%60 : tensor<2x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x3x8xf32>
    %collapsed = tensor.collapse_shape %61 [[0], [1], [2, 3], [4]] : tensor<2x5x2x3x8xf32> into tensor<2x5x6x8xf32>
    return %collapsed : tensor<2x5x6x8xf32>
  }
}
