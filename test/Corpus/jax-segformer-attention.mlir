// jax-segformer-attention
//   python export_jax.py . segformer-attention
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_segformer_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x6x12xf32>, %arg1: tensor<2x2x12x12xf32>, %arg2: tensor<12xf32>, %arg3: tensor<12xf32>, %arg4: tensor<12x12xf32>, %arg5: tensor<12x12xf32>, %arg6: tensor<12x12xf32>, %arg7: tensor<12x12xf32>) -> (tensor<1x4x6x12xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_4 = arith.constant dense<1.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x3x12xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x3x12xf32>) -> tensor<1x2x3x12xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x4x6x12xf32>, tensor<2x2x12x12xf32>) outs(%1 : tensor<1x2x3x12xf32>) -> tensor<1x2x3x12xf32>
    %3 = tensor.empty() : tensor<1x2x3xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<1x2x3x12xf32>) outs(%4 : tensor<1x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = arith.addf %out, %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3xf32>
    %6 = tensor.empty() : tensor<1x2x3x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x3xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.divf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %2 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x12xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x2x3x12xf32>) outs(%4 : tensor<1x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = arith.addf %out, %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x3xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %8 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.divf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.subf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %16 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.subf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x12xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.addf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x3x1xf32>) outs(%6 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = math.rsqrt %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %21 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x12xf32>
    %23 = tensor.empty() : tensor<1x1x1x12xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<12xf32>) outs(%23 : tensor<1x1x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x12xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1x1x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x12xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<12xf32>) outs(%23 : tensor<1x1x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x12xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x1x1x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x12xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<1x2x3x12xf32>, tensor<1x2x3x12xf32>) outs(%0 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.addf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x3x12xf32>
    %30 = tensor.empty() : tensor<1x4x6x12xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<1x4x6x12xf32>) -> tensor<1x4x6x12xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg4 : tensor<1x4x6x12xf32>, tensor<12x12xf32>) outs(%31 : tensor<1x4x6x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x6x12xf32>
    %collapsed = tensor.collapse_shape %32 [[0, 1, 2, 3]] : tensor<1x4x6x12xf32> into tensor<288xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29, %arg5 : tensor<1x2x3x12xf32>, tensor<12x12xf32>) outs(%1 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x3x12xf32>
    %collapsed_5 = tensor.collapse_shape %33 [[0, 1, 2, 3]] : tensor<1x2x3x12xf32> into tensor<72xf32>
    %expanded = tensor.expand_shape %collapsed_5 [[0, 1, 2, 3]] output_shape [1, 6, 3, 4] : tensor<72xf32> into tensor<1x6x3x4xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29, %arg6 : tensor<1x2x3x12xf32>, tensor<12x12xf32>) outs(%1 : tensor<1x2x3x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x3x12xf32>
    %collapsed_6 = tensor.collapse_shape %34 [[0, 1, 2, 3]] : tensor<1x2x3x12xf32> into tensor<72xf32>
    %expanded_7 = tensor.expand_shape %collapsed_6 [[0, 1, 2, 3]] output_shape [1, 6, 3, 4] : tensor<72xf32> into tensor<1x6x3x4xf32>
    %expanded_8 = tensor.expand_shape %collapsed [[0, 1, 2, 3, 4]] output_shape [1, 24, 3, 1, 4] : tensor<288xf32> into tensor<1x24x3x1x4xf32>
    %35 = tensor.empty() : tensor<1x3x6x24x1xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<1x3x6x24x1xf32>) -> tensor<1x3x6x24x1xf32>
    %37 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_8 : tensor<1x6x3x4xf32>, tensor<1x24x3x1x4xf32>) outs(%36 : tensor<1x3x6x24x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x3x6x24x1xf32>
    %38 = tensor.empty() : tensor<1x3x1x24x6xf32>
    %39 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x3x6x24x1xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %40 = linalg.generic {indexing_maps = [#map14, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %41 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %40 : tensor<1x3x1x24x6xf32>, tensor<1x3x1x24x6xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.divf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24x6xf32>
    %42 = tensor.empty() : tensor<1x3x1x24xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x3x1x24xf32>) -> tensor<1x3x1x24xf32>
    %44 = linalg.generic {indexing_maps = [#map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x3x1x24x6xf32>) outs(%43 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = arith.maximumf %out, %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%42 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %44 : tensor<1x3x1x24xf32>, tensor<1x3x1x24xf32>) outs(%42 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.maximumf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24xf32>
    %47 = tensor.empty() : tensor<1x3x1x24x1xf32>
    %48 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x3x1x24xf32>) outs(%47 : tensor<1x3x1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x1xf32>
    %49 = linalg.generic {indexing_maps = [#map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x3x1x24x1xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %50 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41, %49 : tensor<1x3x1x24x6xf32>, tensor<1x3x1x24x6xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.subf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24x6xf32>
    %51 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x3x1x24x6xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = math.exp %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24x6xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%42 : tensor<1x3x1x24xf32>) -> tensor<1x3x1x24xf32>
    %53 = linalg.generic {indexing_maps = [#map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x3x1x24x6xf32>) outs(%52 : tensor<1x3x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %63 = arith.addf %out, %in : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24xf32>
    %54 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x3x1x24xf32>) outs(%47 : tensor<1x3x1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x1xf32>
    %55 = linalg.generic {indexing_maps = [#map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x3x1x24x1xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x1x24x6xf32>
    %56 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<1x3x1x24x6xf32>, tensor<1x3x1x24x6xf32>) outs(%38 : tensor<1x3x1x24x6xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.divf %in, %in_11 : f32
      linalg.yield %63 : f32
    } -> tensor<1x3x1x24x6xf32>
    %57 = tensor.empty() : tensor<1x3x4x1x24xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<1x3x4x1x24xf32>) -> tensor<1x3x4x1x24xf32>
    %59 = linalg.generic {indexing_maps = [#map16, #map17, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_7, %56 : tensor<1x6x3x4xf32>, tensor<1x3x1x24x6xf32>) outs(%58 : tensor<1x3x4x1x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x3x4x1x24xf32>
    %60 = tensor.empty() : tensor<1x24x3x1x4xf32>
    %61 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x3x4x1x24xf32>) outs(%60 : tensor<1x24x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x24x3x1x4xf32>
    %collapsed_9 = tensor.collapse_shape %61 [[0, 1, 2, 3, 4]] : tensor<1x24x3x1x4xf32> into tensor<288xf32>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1, 2, 3]] output_shape [1, 4, 6, 12] : tensor<288xf32> into tensor<1x4x6x12xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_10, %arg7 : tensor<1x4x6x12xf32>, tensor<12x12xf32>) outs(%31 : tensor<1x4x6x12xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %63 = arith.mulf %in, %in_11 : f32
      %64 = arith.addf %out, %63 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x6x12xf32>
    return %62 : tensor<1x4x6x12xf32>
  }
}
