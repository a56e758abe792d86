// jax-llama-decoder-layer
//   python export_jax.py . llama-decoder-layer
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
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> ()>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map22 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_decoder_layer attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x24xf32>, %arg1: tensor<1x5x8xf32>, %arg2: tensor<1x5x8xf32>, %arg3: tensor<1x1x5x5xf32>, %arg4: tensor<24xf32>, %arg5: tensor<24x48xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24x16xf32>, %arg8: tensor<48x24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24x28xf32>, %arg11: tensor<24x28xf32>, %arg12: tensor<28x24xf32>) -> (tensor<1x5x24xf32> {jax.result_info = "result"}) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_5 = arith.constant dense<2.400000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %2 = tensor.empty() : tensor<1x5xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5xf32>
    %5 = tensor.empty() : tensor<1x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x5xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.divf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.rsqrt %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %14 = tensor.empty() : tensor<1x1x24xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<24xf32>) outs(%14 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %18 = tensor.empty() : tensor<1x5x48xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<1x5x48xf32>) -> tensor<1x5x48xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %arg5 : tensor<1x5x24xf32>, tensor<24x48xf32>) outs(%19 : tensor<1x5x48xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x48xf32>
    %expanded = tensor.expand_shape %20 [[0], [1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<1x5x48xf32> into tensor<1x5x6x8xf32>
    %21 = tensor.empty() : tensor<1x5x16xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %arg6 : tensor<1x5x24xf32>, tensor<24x16xf32>) outs(%22 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x16xf32>
    %expanded_6 = tensor.expand_shape %23 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf32> into tensor<1x5x2x8xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %arg7 : tensor<1x5x24xf32>, tensor<24x16xf32>) outs(%22 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x16xf32>
    %expanded_7 = tensor.expand_shape %24 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf32> into tensor<1x5x2x8xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf32> to tensor<1x5x6x4xf32>
    %extracted_slice_8 = tensor.extract_slice %expanded[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf32> to tensor<1x5x6x4xf32>
    %25 = tensor.empty() : tensor<1x5x6x4xf32>
    %26 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x5x6x4xf32>) outs(%25 : tensor<1x5x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.negf %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x6x4xf32>
    %27 = tensor.empty() : tensor<1x5x6x8xf32>
    %28 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%out: f32):
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi ult, %106, %c4 : index
      %108 = scf.if %107 -> (f32) {
        %extracted = tensor.extract %26[%c0, %104, %105, %106] : tensor<1x5x6x4xf32>
        scf.yield %extracted : f32
      } else {
        %109 = arith.subi %106, %c4 : index
        %extracted = tensor.extract %extracted_slice[%c0, %104, %105, %109] : tensor<1x5x6x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %108 : f32
    } -> tensor<1x5x6x8xf32>
    %29 = tensor.empty() : tensor<1x5x1x8xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf32>) outs(%29 : tensor<1x5x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1x8xf32>
    %31 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x5x1x8xf32>) outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x6x8xf32>
    %32 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %31 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x6x8xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf32>) outs(%29 : tensor<1x5x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1x8xf32>
    %34 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x5x1x8xf32>) outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x6x8xf32>
    %35 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %34 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x6x8xf32>
    %36 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<1x5x6x8xf32>, tensor<1x5x6x8xf32>) outs(%27 : tensor<1x5x6x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x6x8xf32>
    %extracted_slice_9 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf32> to tensor<1x5x2x4xf32>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf32> to tensor<1x5x2x4xf32>
    %37 = tensor.empty() : tensor<1x5x2x4xf32>
    %38 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x5x2x4xf32>) outs(%37 : tensor<1x5x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.negf %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x2x4xf32>
    %39 = tensor.empty() : tensor<1x5x2x8xf32>
    %40 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%out: f32):
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi ult, %106, %c4 : index
      %108 = scf.if %107 -> (f32) {
        %extracted = tensor.extract %38[%c0, %104, %105, %106] : tensor<1x5x2x4xf32>
        scf.yield %extracted : f32
      } else {
        %109 = arith.subi %106, %c4 : index
        %extracted = tensor.extract %extracted_slice_9[%c0, %104, %105, %109] : tensor<1x5x2x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %108 : f32
    } -> tensor<1x5x2x8xf32>
    %41 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x5x1x8xf32>) outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x8xf32>
    %42 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %41 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x2x8xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x5x1x8xf32>) outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x8xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x2x8xf32>
    %45 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %44 : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>) outs(%39 : tensor<1x5x2x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x2x8xf32>
    %expanded_11 = tensor.expand_shape %36 [[0], [1], [2, 3], [4]] output_shape [1, 5, 2, 3, 8] : tensor<1x5x6x8xf32> into tensor<1x5x2x3x8xf32>
    %46 = tensor.empty() : tensor<1x2x5x5x3xf32>
    %47 = linalg.fill ins(%cst_0 : f32) outs(%46 : tensor<1x2x5x5x3xf32>) -> tensor<1x2x5x5x3xf32>
    %48 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%45, %expanded_11 : tensor<1x5x2x8xf32>, tensor<1x5x2x3x8xf32>) outs(%47 : tensor<1x2x5x5x3xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x5x5x3xf32>
    %49 = tensor.empty() : tensor<1x2x3x5x5xf32>
    %50 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x5x5x3xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %51 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %52 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %51 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.divf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5x5xf32>
    %53 = tensor.empty() : tensor<1x1x1x5x5xf32>
    %54 = linalg.generic {indexing_maps = [#map17, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x5x5xf32>) outs(%53 : tensor<1x1x1x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x5x5xf32>
    %55 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x1x1x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %56 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52, %55 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5x5xf32>
    %57 = tensor.empty() : tensor<1x2x3x5xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%57 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %59 = linalg.generic {indexing_maps = [#map15, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x2x3x5x5xf32>) outs(%58 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.maximumf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5xf32>
    %60 = linalg.generic {indexing_maps = [#map20, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%57 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5xf32>
    %61 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %59 : tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) outs(%57 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.maximumf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5xf32>
    %62 = tensor.empty() : tensor<1x2x3x5x1xf32>
    %63 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x2x3x5xf32>) outs(%62 : tensor<1x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x1xf32>
    %64 = linalg.generic {indexing_maps = [#map21, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x3x5x1xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %65 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56, %64 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.subf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5x5xf32>
    %66 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.exp %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5x5xf32>
    %67 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %68 = linalg.generic {indexing_maps = [#map15, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x2x3x5x5xf32>) outs(%67 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5xf32>
    %69 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x2x3x5xf32>) outs(%62 : tensor<1x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x1xf32>
    %70 = linalg.generic {indexing_maps = [#map21, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x3x5x1xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %71 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%66, %70 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%49 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.divf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x3x5x5xf32>
    %72 = tensor.empty() : tensor<1x2x8x3x5xf32>
    %73 = linalg.fill ins(%cst_0 : f32) outs(%72 : tensor<1x2x8x3x5xf32>) -> tensor<1x2x8x3x5xf32>
    %74 = linalg.generic {indexing_maps = [#map22, #map23, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_7, %71 : tensor<1x5x2x8xf32>, tensor<1x2x3x5x5xf32>) outs(%73 : tensor<1x2x8x3x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x8x3x5xf32>
    %75 = tensor.empty() : tensor<1x5x2x3x8xf32>
    %76 = linalg.generic {indexing_maps = [#map24, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x2x8x3x5xf32>) outs(%75 : tensor<1x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x3x8xf32>
    %collapsed = tensor.collapse_shape %76 [[0], [1], [2, 3, 4]] : tensor<1x5x2x3x8xf32> into tensor<1x5x48xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
    %78 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg8 : tensor<1x5x48xf32>, tensor<48x24xf32>) outs(%77 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x24xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %78 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %79 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%80 : tensor<1x5x24xf32>) outs(%3 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x5xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %7 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.divf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %9 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<1x5x1xf32>) outs(%5 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.rsqrt %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x1xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %86 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %88 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<24xf32>) outs(%14 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x1x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %89 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    %91 = tensor.empty() : tensor<1x5x28xf32>
    %92 = linalg.fill ins(%cst_0 : f32) outs(%91 : tensor<1x5x28xf32>) -> tensor<1x5x28xf32>
    %93 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90, %arg10 : tensor<1x5x24xf32>, tensor<24x28xf32>) outs(%92 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x28xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.negf %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.exp %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %96 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x28xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %95 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %97 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.divf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %98 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %100 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90, %arg11 : tensor<1x5x24xf32>, tensor<24x28xf32>) outs(%92 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x28xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %100 : tensor<1x5x28xf32>, tensor<1x5x28xf32>) outs(%91 : tensor<1x5x28xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x28xf32>
    %102 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%101, %arg12 : tensor<1x5x28xf32>, tensor<28x24xf32>) outs(%77 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.mulf %in, %in_12 : f32
      %105 = arith.addf %out, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x5x24xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %102 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %104 = arith.addf %in, %in_12 : f32
      linalg.yield %104 : f32
    } -> tensor<1x5x24xf32>
    return %103 : tensor<1x5x24xf32>
  }
}
