// jax-vit-block-f16
//   python export_jax.py . vit-block-f16
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> ()>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map21 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_vit_block attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x7x24xf16>, %arg1: tensor<24xf16>, %arg2: tensor<24xf16>, %arg3: tensor<24x24xf16>, %arg4: tensor<24x24xf16>, %arg5: tensor<24x24xf16>, %arg6: tensor<24x24xf16>, %arg7: tensor<24xf16>, %arg8: tensor<24xf16>, %arg9: tensor<24x40xf16>, %arg10: tensor<40xf16>, %arg11: tensor<40x24xf16>, %arg12: tensor<24xf16>) -> (tensor<1x7x24xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<f16>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f16>
    %cst_3 = arith.constant dense<7.978520e-01> : tensor<f16>
    %cst_4 = arith.constant dense<4.470830e-02> : tensor<f16>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_7 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_8 = arith.constant dense<2.400000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x7x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x24xf16>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %2 = tensor.empty() : tensor<1x7xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<1x7xf32>) -> tensor<1x7xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.addf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7xf32>
    %5 = tensor.empty() : tensor<1x7x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x7xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.addf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x7xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %7 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.subf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %15 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.subf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.addf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = math.rsqrt %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %22 = tensor.empty() : tensor<24xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%22 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<24xf32>
    %24 = tensor.empty() : tensor<1x1x24xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<24xf32>) outs(%24 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %26 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg2 : tensor<24xf16>) outs(%22 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<24xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<24xf32>) outs(%24 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.addf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %32 = tensor.empty() : tensor<1x7x24xf16>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33, %arg3 : tensor<1x7x24xf16>, tensor<24x24xf16>) outs(%34 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x24xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %37 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33, %arg4 : tensor<1x7x24xf16>, tensor<24x24xf16>) outs(%34 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x24xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %expanded = tensor.expand_shape %38 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf16> into tensor<1x7x3x8xf16>
    %39 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33, %arg5 : tensor<1x7x24xf16>, tensor<24x24xf16>) outs(%34 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x24xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %expanded_9 = tensor.expand_shape %40 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf16> into tensor<1x7x3x8xf16>
    %expanded_10 = tensor.expand_shape %36 [[0], [1], [2, 3, 4]] output_shape [1, 7, 3, 1, 8] : tensor<1x7x24xf16> into tensor<1x7x3x1x8xf16>
    %41 = tensor.empty() : tensor<1x3x7x7x1xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x3x7x7x1xf32>) -> tensor<1x3x7x7x1xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_10 : tensor<1x7x3x8xf16>, tensor<1x7x3x1x8xf16>) outs(%42 : tensor<1x3x7x7x1xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x3x7x7x1xf32>
    %44 = tensor.empty() : tensor<1x3x1x7x7xf32>
    %45 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x7x7x1xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %46 = linalg.generic {indexing_maps = [#map15, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %47 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7x7xf32>
    %48 = tensor.empty() : tensor<1x3x1x7xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %50 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x3x1x7x7xf32>) outs(%49 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.maximumf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7xf32>
    %51 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%48 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7xf32>
    %52 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %50 : tensor<1x3x1x7xf32>, tensor<1x3x1x7xf32>) outs(%48 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.maximumf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7xf32>
    %53 = tensor.empty() : tensor<1x3x1x7x1xf32>
    %54 = linalg.generic {indexing_maps = [#map16, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x3x1x7xf32>) outs(%53 : tensor<1x3x1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x1xf32>
    %55 = linalg.generic {indexing_maps = [#map19, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x3x1x7x1xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %56 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47, %55 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.subf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7x7xf32>
    %57 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x3x1x7x7xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = math.exp %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7x7xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %59 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<1x3x1x7x7xf32>) outs(%58 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.addf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7xf32>
    %60 = linalg.generic {indexing_maps = [#map16, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x3x1x7xf32>) outs(%53 : tensor<1x3x1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x1xf32>
    %61 = linalg.generic {indexing_maps = [#map19, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x3x1x7x1xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %62 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%44 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x3x1x7x7xf32>
    %63 = tensor.empty() : tensor<1x3x1x7x7xf16>
    %64 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x3x1x7x7xf32>) outs(%63 : tensor<1x3x1x7x7xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x3x1x7x7xf16>
    %65 = tensor.empty() : tensor<1x3x8x1x7xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<1x3x8x1x7xf32>) -> tensor<1x3x8x1x7xf32>
    %67 = linalg.generic {indexing_maps = [#map20, #map21, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_9, %64 : tensor<1x7x3x8xf16>, tensor<1x3x1x7x7xf16>) outs(%66 : tensor<1x3x8x1x7xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x3x8x1x7xf32>
    %68 = tensor.empty() : tensor<1x7x3x1x8xf32>
    %69 = linalg.generic {indexing_maps = [#map22, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x3x8x1x7xf32>) outs(%68 : tensor<1x7x3x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x3x1x8xf32>
    %70 = tensor.empty() : tensor<1x7x3x1x8xf16>
    %71 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x7x3x1x8xf32>) outs(%70 : tensor<1x7x3x1x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x3x1x8xf16>
    %collapsed = tensor.collapse_shape %71 [[0], [1], [2, 3, 4]] : tensor<1x7x3x1x8xf16> into tensor<1x7x24xf16>
    %72 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg6 : tensor<1x7x24xf16>, tensor<24x24xf16>) outs(%34 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x24xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %73 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x7x24xf16>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.addf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x7xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %7 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %75 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<1x7x24xf32>) outs(%3 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = arith.addf %out, %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<1x7xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %7 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.divf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %78 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %83 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.subf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %85 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.subf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %17 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.addf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<1x7x1xf32>) outs(%5 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %129 = math.rsqrt %in : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x1xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x7x1xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %89 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %91 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg7 : tensor<24xf16>) outs(%22 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<24xf32>
    %92 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<24xf32>) outs(%24 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %93 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x1x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %93 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.mulf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %95 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg8 : tensor<24xf16>) outs(%22 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      linalg.yield %129 : f32
    } -> tensor<24xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<24xf32>) outs(%24 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %97 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x1x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %97 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%0 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %129 = arith.addf %in, %in_11 : f32
      linalg.yield %129 : f32
    } -> tensor<1x7x24xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %100 = tensor.empty() : tensor<1x7x40xf32>
    %101 = linalg.fill ins(%cst_0 : f32) outs(%100 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %102 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%99, %arg9 : tensor<1x7x24xf16>, tensor<24x40xf16>) outs(%101 : tensor<1x7x40xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x40xf32>
    %103 = tensor.empty() : tensor<1x7x40xf16>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x7x40xf32>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %105 = tensor.empty() : tensor<1x1x40xf16>
    %106 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<40xf16>) outs(%105 : tensor<1x1x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x40xf16>
    %107 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x1x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %107 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %108 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %110 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %108 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %111 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %112 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %110 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %113 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %112 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %114 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %113 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      %129 = math.tanh %in : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %117 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %116 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %119 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x40xf16>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %118 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %120 : tensor<1x7x40xf16>, tensor<1x7x40xf16>) outs(%103 : tensor<1x7x40xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.mulf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x40xf16>
    %122 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%121, %arg11 : tensor<1x7x40xf16>, tensor<40x24xf16>) outs(%34 : tensor<1x7x24xf32>) {
    ^bb0(%in: f16, %in_11: f16, %out: f32):
      %129 = arith.extf %in : f16 to f32
      %130 = arith.extf %in_11 : f16 to f32
      %131 = arith.mulf %129, %130 : f32
      %132 = arith.addf %out, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x7x24xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x7x24xf32>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %129 = arith.truncf %in : f32 to f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %124 = tensor.empty() : tensor<1x1x24xf16>
    %125 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<24xf16>) outs(%124 : tensor<1x1x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x24xf16>
    %126 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<1x1x24xf16>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x7x24xf16>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %126 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %127 : tensor<1x7x24xf16>, tensor<1x7x24xf16>) outs(%32 : tensor<1x7x24xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %129 = arith.addf %in, %in_11 : f16
      linalg.yield %129 : f16
    } -> tensor<1x7x24xf16>
    return %128 : tensor<1x7x24xf16>
  }
}
