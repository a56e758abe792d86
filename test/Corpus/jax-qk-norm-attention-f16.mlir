// jax-qk-norm-attention-f16
//   python export_jax.py . qk-norm-attention-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map8 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_qk_norm_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x6x8xf16>, %arg1: tensor<2x7x2x8xf16>, %arg2: tensor<2x7x2x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<8xf16>) -> (tensor<2x5x6x8xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_4 = arith.constant dense<8.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x5x6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x6x8xf16>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x8xf32>
    %3 = tensor.empty() : tensor<2x5x6xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<2x5x6x8xf32>) outs(%4 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6xf32>
    %6 = tensor.empty() : tensor<2x5x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x5x6xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<2x5x6x1xf32>, tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.divf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<2x5x6x1xf32>, tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.addf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5x6x1xf32>) outs(%6 : tensor<2x5x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.rsqrt %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x5x6x1xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %13 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x8xf32>
    %15 = tensor.empty() : tensor<8xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%15 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      linalg.yield %75 : f32
    } -> tensor<8xf32>
    %17 = tensor.empty() : tensor<1x1x1x8xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<8xf32>) outs(%17 : tensor<1x1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x8xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x1x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x6x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %19 : tensor<2x5x6x8xf32>, tensor<2x5x6x8xf32>) outs(%0 : tensor<2x5x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x5x6x8xf32>
    %21 = tensor.empty() : tensor<2x5x6x8xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x5x6x8xf32>) outs(%21 : tensor<2x5x6x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %75 = arith.truncf %in : f32 to f16
      linalg.yield %75 : f16
    } -> tensor<2x5x6x8xf16>
    %23 = tensor.empty() : tensor<2x7x2x8xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x7x2x8xf16>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %24 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x8xf32>
    %26 = tensor.empty() : tensor<2x7x2xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<2x7x2xf32>) -> tensor<2x7x2xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x7x2x8xf32>) outs(%27 : tensor<2x7x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2xf32>
    %29 = tensor.empty() : tensor<2x7x2x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x7x2xf32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %31 : tensor<2x7x2x1xf32>, tensor<2x7x2x1xf32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.divf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x1xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %33 : tensor<2x7x2x1xf32>, tensor<2x7x2x1xf32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.addf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x7x2x1xf32>) outs(%29 : tensor<2x7x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.rsqrt %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x7x2x1xf32>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %36 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x8xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg4 : tensor<8xf16>) outs(%15 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      linalg.yield %75 : f32
    } -> tensor<8xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<8xf32>) outs(%17 : tensor<1x1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x8xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x1x1x8xf32>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x7x2x8xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>) outs(%23 : tensor<2x7x2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.mulf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x7x2x8xf32>
    %42 = tensor.empty() : tensor<2x7x2x8xf16>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x7x2x8xf32>) outs(%42 : tensor<2x7x2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %75 = arith.truncf %in : f32 to f16
      linalg.yield %75 : f16
    } -> tensor<2x7x2x8xf16>
    %expanded = tensor.expand_shape %22 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 3, 8] : tensor<2x5x6x8xf16> into tensor<2x5x2x3x8xf16>
    %44 = tensor.empty() : tensor<2x2x7x5x3xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<2x2x7x5x3xf32>) -> tensor<2x2x7x5x3xf32>
    %46 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%43, %expanded : tensor<2x7x2x8xf16>, tensor<2x5x2x3x8xf16>) outs(%45 : tensor<2x2x7x5x3xf32>) {
    ^bb0(%in: f16, %in_5: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      %76 = arith.extf %in_5 : f16 to f32
      %77 = arith.mulf %75, %76 : f32
      %78 = arith.addf %out, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<2x2x7x5x3xf32>
    %47 = tensor.empty() : tensor<2x2x3x5x7xf32>
    %48 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x2x7x5x3xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %49 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %50 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48, %49 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.divf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5x7xf32>
    %51 = tensor.empty() : tensor<2x2x3x5xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %53 = linalg.generic {indexing_maps = [#map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x2x3x5x7xf32>) outs(%52 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.maximumf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5xf32>
    %54 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%51 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %53 : tensor<2x2x3x5xf32>, tensor<2x2x3x5xf32>) outs(%51 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.maximumf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5xf32>
    %56 = tensor.empty() : tensor<2x2x3x5x1xf32>
    %57 = linalg.generic {indexing_maps = [#map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<2x2x3x5xf32>) outs(%56 : tensor<2x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x1xf32>
    %58 = linalg.generic {indexing_maps = [#map14, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x2x3x5x1xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %59 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %58 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.subf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5x7xf32>
    %60 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x2x3x5x7xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.exp %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5x7xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32>
    %62 = linalg.generic {indexing_maps = [#map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<2x2x3x5x7xf32>) outs(%61 : tensor<2x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5xf32>
    %63 = linalg.generic {indexing_maps = [#map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x2x3x5xf32>) outs(%56 : tensor<2x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x1xf32>
    %64 = linalg.generic {indexing_maps = [#map14, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<2x2x3x5x1xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x5x7xf32>
    %65 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60, %64 : tensor<2x2x3x5x7xf32>, tensor<2x2x3x5x7xf32>) outs(%47 : tensor<2x2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %75 = arith.divf %in, %in_5 : f32
      linalg.yield %75 : f32
    } -> tensor<2x2x3x5x7xf32>
    %66 = tensor.empty() : tensor<2x2x3x5x7xf16>
    %67 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<2x2x3x5x7xf32>) outs(%66 : tensor<2x2x3x5x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %75 = arith.truncf %in : f32 to f16
      linalg.yield %75 : f16
    } -> tensor<2x2x3x5x7xf16>
    %68 = tensor.empty() : tensor<2x2x8x3x5xf32>
    %69 = linalg.fill ins(%cst_0 : f32) outs(%68 : tensor<2x2x8x3x5xf32>) -> tensor<2x2x8x3x5xf32>
    %70 = linalg.generic {indexing_maps = [#map15, #map16, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %67 : tensor<2x7x2x8xf16>, tensor<2x2x3x5x7xf16>) outs(%69 : tensor<2x2x8x3x5xf32>) {
    ^bb0(%in: f16, %in_5: f16, %out: f32):
      %75 = arith.extf %in : f16 to f32
      %76 = arith.extf %in_5 : f16 to f32
      %77 = arith.mulf %75, %76 : f32
      %78 = arith.addf %out, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<2x2x8x3x5xf32>
    %71 = tensor.empty() : tensor<2x5x2x3x8xf32>
    %72 = linalg.generic {indexing_maps = [#map17, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<2x2x8x3x5xf32>) outs(%71 : tensor<2x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x3x8xf32>
    %73 = tensor.empty() : tensor<2x5x2x3x8xf16>
    %74 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<2x5x2x3x8xf32>) outs(%73 : tensor<2x5x2x3x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %75 = arith.truncf %in : f32 to f16
      linalg.yield %75 : f16
    } -> tensor<2x5x2x3x8xf16>
    %collapsed = tensor.collapse_shape %74 [[0], [1], [2, 3], [4]] : tensor<2x5x2x3x8xf16> into tensor<2x5x6x8xf16>
    return %collapsed : tensor<2x5x6x8xf16>
  }
}
