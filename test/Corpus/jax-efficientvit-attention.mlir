// jax-efficientvit-attention
//   python export_jax.py . efficientvit-attention
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module @jit_efficientvit_attention attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x6x10xf32>, %arg1: tensor<1x1x10x36xf32>, %arg2: tensor<1x1x12x10xf32>) -> (tensor<1x5x6x10xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<1x5x6x36xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x6x36xf32>) -> tensor<1x5x6x36xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x5x6x10xf32>, tensor<1x1x10x36xf32>) outs(%1 : tensor<1x5x6x36xf32>) -> tensor<1x5x6x36xf32>
    %collapsed = tensor.collapse_shape %2 [[0, 1, 2, 3]] : tensor<1x5x6x36xf32> into tensor<1080xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2, 3, 4]] output_shape [1, 30, 3, 3, 4] : tensor<1080xf32> into tensor<1x30x3x3x4xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %extracted_slice_3 = tensor.extract_slice %expanded[0, 0, 1, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %extracted_slice_5 = tensor.extract_slice %expanded[0, 0, 2, 0, 0] [1, 30, 1, 3, 4] [1, 1, 1, 1, 1] : tensor<1x30x3x3x4xf32> to tensor<1x30x1x3x4xf32>
    %collapsed_6 = tensor.collapse_shape %extracted_slice_5 [[0], [1], [2, 3], [4]] : tensor<1x30x1x3x4xf32> into tensor<1x30x3x4xf32>
    %3 = tensor.empty() : tensor<1x30x3x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x4xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2, %4 : tensor<1x30x3x4xf32>, tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.maximumf %in, %in_9 : f32
      linalg.yield %31 : f32
    } -> tensor<1x30x3x4xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_4, %4 : tensor<1x30x3x4xf32>, tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.maximumf %in, %in_9 : f32
      linalg.yield %31 : f32
    } -> tensor<1x30x3x4xf32>
    %7 = tensor.empty() : tensor<1x3x4x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%6, %collapsed_6 : tensor<1x30x3x4xf32>, tensor<1x30x3x4xf32>) outs(%8 : tensor<1x3x4x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.mulf %in, %in_9 : f32
      %32 = arith.addf %out, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x3x4x4xf32>
    %10 = tensor.empty() : tensor<1x3x4xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x30x3x4xf32>) outs(%11 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x3x4xf32>
    %13 = tensor.empty() : tensor<1x3x30xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x3x30xf32>) -> tensor<1x3x30xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12, %5 : tensor<1x3x4xf32>, tensor<1x30x3x4xf32>) outs(%14 : tensor<1x3x30xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.mulf %in, %in_9 : f32
      %32 = arith.addf %out, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x3x30xf32>
    %16 = tensor.empty() : tensor<1x30x3xf32>
    %17 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x30xf32>) outs(%16 : tensor<1x30x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3xf32>
    %18 = tensor.empty() : tensor<1x3x4x30xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x3x4x30xf32>) -> tensor<1x3x4x30xf32>
    %20 = linalg.generic {indexing_maps = [#map11, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%9, %5 : tensor<1x3x4x4xf32>, tensor<1x30x3x4xf32>) outs(%19 : tensor<1x3x4x30xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.mulf %in, %in_9 : f32
      %32 = arith.addf %out, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x3x4x30xf32>
    %21 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x3x4x30xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x4xf32>
    %22 = tensor.empty() : tensor<1x30x3x1xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x30x3xf32>) outs(%22 : tensor<1x30x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%22 : tensor<1x30x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %24 : tensor<1x30x3x1xf32>, tensor<1x30x3x1xf32>) outs(%22 : tensor<1x30x3x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.addf %in, %in_9 : f32
      linalg.yield %31 : f32
    } -> tensor<1x30x3x1xf32>
    %26 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x30x3x1xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x30x3x4xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %26 : tensor<1x30x3x4xf32>, tensor<1x30x3x4xf32>) outs(%3 : tensor<1x30x3x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %31 = arith.divf %in, %in_9 : f32
      linalg.yield %31 : f32
    } -> tensor<1x30x3x4xf32>
    %collapsed_7 = tensor.collapse_shape %27 [[0, 1, 2, 3]] : tensor<1x30x3x4xf32> into tensor<360xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3]] output_shape [1, 5, 6, 12] : tensor<360xf32> into tensor<1x5x6x12xf32>
    %28 = tensor.empty() : tensor<1x5x6x10xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x5x6x10xf32>) -> tensor<1x5x6x10xf32>
    %30 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_8, %arg2 : tensor<1x5x6x12xf32>, tensor<1x1x12x10xf32>) outs(%29 : tensor<1x5x6x10xf32>) -> tensor<1x5x6x10xf32>
    return %30 : tensor<1x5x6x10xf32>
  }
}
