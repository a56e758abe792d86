// jax-vit-block
//   python export_jax.py . vit-block
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> ()>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_vit_block attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x7x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24x24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24x40xf32>, %arg10: tensor<40xf32>, %arg11: tensor<40x24xf32>, %arg12: tensor<24xf32>) -> (tensor<1x7x24xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_3 = arith.constant dense<4.471500e-02> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_6 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_7 = arith.constant dense<2.400000e+01> : tensor<f32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x7xf32>
    %1 = linalg.fill ins(%cst_8 : f32) outs(%0 : tensor<1x7xf32>) -> tensor<1x7xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7xf32>
    %3 = tensor.empty() : tensor<1x7x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x7xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %7 = tensor.empty() : tensor<1x7x24xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x7xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %5 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.subf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.subf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.rsqrt %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x7x1xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %21 = tensor.empty() : tensor<1x1x24xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<24xf32>) outs(%21 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<24xf32>) outs(%21 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %28 = linalg.fill ins(%cst_8 : f32) outs(%7 : tensor<1x7x24xf32>) -> tensor<1x7x24xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27, %arg3 : tensor<1x7x24xf32>, tensor<24x24xf32>) outs(%28 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x24xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27, %arg4 : tensor<1x7x24xf32>, tensor<24x24xf32>) outs(%28 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x24xf32>
    %expanded = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27, %arg5 : tensor<1x7x24xf32>, tensor<24x24xf32>) outs(%28 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x24xf32>
    %expanded_9 = tensor.expand_shape %31 [[0], [1], [2, 3]] output_shape [1, 7, 3, 8] : tensor<1x7x24xf32> into tensor<1x7x3x8xf32>
    %expanded_10 = tensor.expand_shape %29 [[0], [1], [2, 3, 4]] output_shape [1, 7, 3, 1, 8] : tensor<1x7x24xf32> into tensor<1x7x3x1x8xf32>
    %32 = tensor.empty() : tensor<1x3x7x7x1xf32>
    %33 = linalg.fill ins(%cst_8 : f32) outs(%32 : tensor<1x3x7x7x1xf32>) -> tensor<1x3x7x7x1xf32>
    %34 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_10 : tensor<1x7x3x8xf32>, tensor<1x7x3x1x8xf32>) outs(%33 : tensor<1x3x7x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x3x7x7x1xf32>
    %35 = tensor.empty() : tensor<1x3x1x7x7xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x7x7x1xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %37 = linalg.generic {indexing_maps = [#map14, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %38 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36, %37 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7x7xf32>
    %39 = tensor.empty() : tensor<1x3x1x7xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %41 = linalg.generic {indexing_maps = [#map13, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x3x1x7x7xf32>) outs(%40 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.maximumf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7xf32>
    %42 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%39 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7xf32>
    %43 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %41 : tensor<1x3x1x7xf32>, tensor<1x3x1x7xf32>) outs(%39 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.maximumf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7xf32>
    %44 = tensor.empty() : tensor<1x3x1x7x1xf32>
    %45 = linalg.generic {indexing_maps = [#map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x1x7xf32>) outs(%44 : tensor<1x3x1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x1xf32>
    %46 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x1x7x1xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %47 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38, %46 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.subf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7x7xf32>
    %48 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x3x1x7x7xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.exp %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7x7xf32>
    %49 = linalg.fill ins(%cst_8 : f32) outs(%39 : tensor<1x3x1x7xf32>) -> tensor<1x3x1x7xf32>
    %50 = linalg.generic {indexing_maps = [#map13, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<1x3x1x7x7xf32>) outs(%49 : tensor<1x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7xf32>
    %51 = linalg.generic {indexing_maps = [#map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x3x1x7xf32>) outs(%44 : tensor<1x3x1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x1xf32>
    %52 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x3x1x7x1xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x7x7xf32>
    %53 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48, %52 : tensor<1x3x1x7x7xf32>, tensor<1x3x1x7x7xf32>) outs(%35 : tensor<1x3x1x7x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x3x1x7x7xf32>
    %54 = tensor.empty() : tensor<1x3x8x1x7xf32>
    %55 = linalg.fill ins(%cst_8 : f32) outs(%54 : tensor<1x3x8x1x7xf32>) -> tensor<1x3x8x1x7xf32>
    %56 = linalg.generic {indexing_maps = [#map19, #map20, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_9, %53 : tensor<1x7x3x8xf32>, tensor<1x3x1x7x7xf32>) outs(%55 : tensor<1x3x8x1x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x3x8x1x7xf32>
    %57 = tensor.empty() : tensor<1x7x3x1x8xf32>
    %58 = linalg.generic {indexing_maps = [#map21, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x3x8x1x7xf32>) outs(%57 : tensor<1x7x3x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x3x1x8xf32>
    %collapsed = tensor.collapse_shape %58 [[0], [1], [2, 3, 4]] : tensor<1x7x3x1x8xf32> into tensor<1x7x24xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg6 : tensor<1x7x24xf32>, tensor<24x24xf32>) outs(%28 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x24xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %59 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x7xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %5 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %60 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<1x7x24xf32>) outs(%1 : tensor<1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %out, %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x7xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %5 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.divf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %63 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %68 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.subf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x7x1xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %70 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.subf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %16 : tensor<1x7x1xf32>, tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.rsqrt %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x1xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x7x1xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<24xf32>) outs(%21 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %77 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x1x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %77 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<24xf32>) outs(%21 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x1x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %80 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %82 = tensor.empty() : tensor<1x7x40xf32>
    %83 = linalg.fill ins(%cst_8 : f32) outs(%82 : tensor<1x7x40xf32>) -> tensor<1x7x40xf32>
    %84 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81, %arg9 : tensor<1x7x24xf32>, tensor<24x40xf32>) outs(%83 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x40xf32>
    %85 = tensor.empty() : tensor<1x1x40xf32>
    %86 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<40xf32>) outs(%85 : tensor<1x1x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x40xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x1x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %87 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %88 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %88 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %91 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %90 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %92 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %94 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %93 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.tanh %in : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %97 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %96 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %99 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x40xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %98 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %100 : tensor<1x7x40xf32>, tensor<1x7x40xf32>) outs(%82 : tensor<1x7x40xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x40xf32>
    %102 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%101, %arg11 : tensor<1x7x40xf32>, tensor<40x24xf32>) outs(%28 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.mulf %in, %in_11 : f32
      %108 = arith.addf %out, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x7x24xf32>
    %103 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<24xf32>) outs(%21 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %104 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x1x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x24xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %104 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %105 : tensor<1x7x24xf32>, tensor<1x7x24xf32>) outs(%7 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %107 = arith.addf %in, %in_11 : f32
      linalg.yield %107 : f32
    } -> tensor<1x7x24xf32>
    return %106 : tensor<1x7x24xf32>
  }
}
