// jax-llama-decoder-layer-f16
//   python export_jax.py . llama-decoder-layer-f16
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
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map14 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, d4)>
#map20 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map21 = affine_map<(d0, d1, d2, d3) -> ()>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map24 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map25 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
module @jit_decoder_layer attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x24xf16>, %arg1: tensor<1x5x8xf16>, %arg2: tensor<1x5x8xf16>, %arg3: tensor<1x1x5x5xf16>, %arg4: tensor<24xf16>, %arg5: tensor<24x48xf16>, %arg6: tensor<24x16xf16>, %arg7: tensor<24x16xf16>, %arg8: tensor<48x24xf16>, %arg9: tensor<24xf16>, %arg10: tensor<24x28xf16>, %arg11: tensor<24x28xf16>, %arg12: tensor<28x24xf16>) -> (tensor<1x5x24xf16> {jax.result_info = "result"}) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f16>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_5 = arith.constant dense<2.400000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x5x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x24xf16>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %3 = tensor.empty() : tensor<1x5xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x5x24xf32>) outs(%4 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %out, %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x5xf32>
    %6 = tensor.empty() : tensor<1x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x5xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.divf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.addf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %13 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %15 = tensor.empty() : tensor<24xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg4 : tensor<24xf16>) outs(%15 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<24xf32>
    %17 = tensor.empty() : tensor<1x1x24xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<24xf32>) outs(%17 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %19 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %21 = tensor.empty() : tensor<1x5x24xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x5x24xf32>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    %23 = tensor.empty() : tensor<1x5x48xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x5x48xf32>) -> tensor<1x5x48xf32>
    %25 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg5 : tensor<1x5x24xf16>, tensor<24x48xf16>) outs(%24 : tensor<1x5x48xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x48xf32>
    %26 = tensor.empty() : tensor<1x5x48xf16>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x5x48xf32>) outs(%26 : tensor<1x5x48xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x48xf16>
    %expanded = tensor.expand_shape %27 [[0], [1], [2, 3]] output_shape [1, 5, 6, 8] : tensor<1x5x48xf16> into tensor<1x5x6x8xf16>
    %28 = tensor.empty() : tensor<1x5x16xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
    %30 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg6 : tensor<1x5x24xf16>, tensor<24x16xf16>) outs(%29 : tensor<1x5x16xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x16xf32>
    %31 = tensor.empty() : tensor<1x5x16xf16>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x5x16xf32>) outs(%31 : tensor<1x5x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x16xf16>
    %expanded_6 = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf16> into tensor<1x5x2x8xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg7 : tensor<1x5x24xf16>, tensor<24x16xf16>) outs(%29 : tensor<1x5x16xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x16xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x5x16xf32>) outs(%31 : tensor<1x5x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x16xf16>
    %expanded_7 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [1, 5, 2, 8] : tensor<1x5x16xf16> into tensor<1x5x2x8xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf16> to tensor<1x5x6x4xf16>
    %extracted_slice_8 = tensor.extract_slice %expanded[0, 0, 0, 4] [1, 5, 6, 4] [1, 1, 1, 1] : tensor<1x5x6x8xf16> to tensor<1x5x6x4xf16>
    %35 = tensor.empty() : tensor<1x5x6x4xf16>
    %36 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x5x6x4xf16>) outs(%35 : tensor<1x5x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = arith.negf %in : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x6x4xf16>
    %37 = tensor.empty() : tensor<1x5x6x8xf16>
    %38 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%out: f16):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi ult, %130, %c4 : index
      %132 = scf.if %131 -> (f16) {
        %extracted = tensor.extract %36[%c0, %128, %129, %130] : tensor<1x5x6x4xf16>
        scf.yield %extracted : f16
      } else {
        %133 = arith.subi %130, %c4 : index
        %extracted = tensor.extract %extracted_slice[%c0, %128, %129, %133] : tensor<1x5x6x4xf16>
        scf.yield %extracted : f16
      }
      linalg.yield %132 : f16
    } -> tensor<1x5x6x8xf16>
    %39 = tensor.empty() : tensor<1x5x1x8xf16>
    %40 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x8xf16>) outs(%39 : tensor<1x5x1x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x1x8xf16>
    %41 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x5x1x8xf16>) outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x6x8xf16>
    %42 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %41 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x6x8xf16>
    %43 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x8xf16>) outs(%39 : tensor<1x5x1x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x1x8xf16>
    %44 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x5x1x8xf16>) outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x6x8xf16>
    %45 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %44 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x6x8xf16>
    %46 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<1x5x6x8xf16>, tensor<1x5x6x8xf16>) outs(%37 : tensor<1x5x6x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.addf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x6x8xf16>
    %extracted_slice_9 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf16> to tensor<1x5x2x4xf16>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 4] [1, 5, 2, 4] [1, 1, 1, 1] : tensor<1x5x2x8xf16> to tensor<1x5x2x4xf16>
    %47 = tensor.empty() : tensor<1x5x2x4xf16>
    %48 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x5x2x4xf16>) outs(%47 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = arith.negf %in : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x2x4xf16>
    %49 = tensor.empty() : tensor<1x5x2x8xf16>
    %50 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%out: f16):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi ult, %130, %c4 : index
      %132 = scf.if %131 -> (f16) {
        %extracted = tensor.extract %48[%c0, %128, %129, %130] : tensor<1x5x2x4xf16>
        scf.yield %extracted : f16
      } else {
        %133 = arith.subi %130, %c4 : index
        %extracted = tensor.extract %extracted_slice_9[%c0, %128, %129, %133] : tensor<1x5x2x4xf16>
        scf.yield %extracted : f16
      }
      linalg.yield %132 : f16
    } -> tensor<1x5x2x8xf16>
    %51 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x5x1x8xf16>) outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x8xf16>
    %52 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %51 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x2x8xf16>
    %53 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x5x1x8xf16>) outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x8xf16>
    %54 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x2x8xf16>
    %55 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %54 : tensor<1x5x2x8xf16>, tensor<1x5x2x8xf16>) outs(%49 : tensor<1x5x2x8xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.addf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x2x8xf16>
    %expanded_11 = tensor.expand_shape %46 [[0], [1], [2, 3], [4]] output_shape [1, 5, 2, 3, 8] : tensor<1x5x6x8xf16> into tensor<1x5x2x3x8xf16>
    %56 = tensor.empty() : tensor<1x2x5x5x3xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<1x2x5x5x3xf32>) -> tensor<1x2x5x5x3xf32>
    %58 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%55, %expanded_11 : tensor<1x5x2x8xf16>, tensor<1x5x2x3x8xf16>) outs(%57 : tensor<1x2x5x5x3xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x5x5x3xf32>
    %59 = tensor.empty() : tensor<1x2x3x5x5xf32>
    %60 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x5x5x3xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %61 = linalg.generic {indexing_maps = [#map17, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %62 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60, %61 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.divf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5x5xf32>
    %63 = tensor.empty() : tensor<1x1x1x5x5xf16>
    %64 = linalg.generic {indexing_maps = [#map18, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x5x5xf16>) outs(%63 : tensor<1x1x1x5x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x1x5x5xf16>
    %65 = tensor.empty() : tensor<1x1x1x5x5xf32>
    %66 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x1x1x5x5xf16>) outs(%65 : tensor<1x1x1x5x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x1x1x5x5xf32>
    %67 = linalg.generic {indexing_maps = [#map19, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x1x1x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %68 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62, %67 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.addf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5x5xf32>
    %69 = tensor.empty() : tensor<1x2x3x5xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %71 = linalg.generic {indexing_maps = [#map16, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<1x2x3x5x5xf32>) outs(%70 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.maximumf %out, %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5xf32>
    %72 = linalg.generic {indexing_maps = [#map21, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%69 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5xf32>
    %73 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %71 : tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) outs(%69 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.maximumf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5xf32>
    %74 = tensor.empty() : tensor<1x2x3x5x1xf32>
    %75 = linalg.generic {indexing_maps = [#map20, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x2x3x5xf32>) outs(%74 : tensor<1x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x1xf32>
    %76 = linalg.generic {indexing_maps = [#map22, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x3x5x1xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %77 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%68, %76 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.subf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5x5xf32>
    %78 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<1x2x3x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.exp %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5x5xf32>
    %79 = linalg.fill ins(%cst_0 : f32) outs(%69 : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %80 = linalg.generic {indexing_maps = [#map16, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<1x2x3x5x5xf32>) outs(%79 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %out, %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5xf32>
    %81 = linalg.generic {indexing_maps = [#map20, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x2x3x5xf32>) outs(%74 : tensor<1x2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x1xf32>
    %82 = linalg.generic {indexing_maps = [#map22, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x2x3x5x1xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x3x5x5xf32>
    %83 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%78, %82 : tensor<1x2x3x5x5xf32>, tensor<1x2x3x5x5xf32>) outs(%59 : tensor<1x2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.divf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x3x5x5xf32>
    %84 = tensor.empty() : tensor<1x2x3x5x5xf16>
    %85 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x2x3x5x5xf32>) outs(%84 : tensor<1x2x3x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x2x3x5x5xf16>
    %86 = tensor.empty() : tensor<1x2x8x3x5xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%86 : tensor<1x2x8x3x5xf32>) -> tensor<1x2x8x3x5xf32>
    %88 = linalg.generic {indexing_maps = [#map23, #map24, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_7, %85 : tensor<1x5x2x8xf16>, tensor<1x2x3x5x5xf16>) outs(%87 : tensor<1x2x8x3x5xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x8x3x5xf32>
    %89 = tensor.empty() : tensor<1x5x2x3x8xf32>
    %90 = linalg.generic {indexing_maps = [#map25, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x2x8x3x5xf32>) outs(%89 : tensor<1x5x2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x2x3x8xf32>
    %91 = tensor.empty() : tensor<1x5x2x3x8xf16>
    %92 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x5x2x3x8xf32>) outs(%91 : tensor<1x5x2x3x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x2x3x8xf16>
    %collapsed = tensor.collapse_shape %92 [[0], [1], [2, 3, 4]] : tensor<1x5x2x3x8xf16> into tensor<1x5x48xf16>
    %93 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
    %94 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg8 : tensor<1x5x48xf16>, tensor<48x24xf16>) outs(%93 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x24xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x5x24xf32>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %95 : tensor<1x5x24xf16>, tensor<1x5x24xf16>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.addf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x5x24xf16>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %97 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x5x24xf32>) outs(%4 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %out, %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x5xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x5xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %8 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.divf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %10 : tensor<1x5x1xf32>, tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.addf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x5x1xf32>) outs(%6 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x1xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x5x1xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %104 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %106 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg9 : tensor<24xf16>) outs(%15 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<24xf32>
    %107 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<24xf32>) outs(%17 : tensor<1x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x24xf32>
    %108 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x1x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5x24xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %108 : tensor<1x5x24xf32>, tensor<1x5x24xf32>) outs(%0 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %128 = arith.mulf %in, %in_12 : f32
      linalg.yield %128 : f32
    } -> tensor<1x5x24xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x5x24xf32>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    %111 = tensor.empty() : tensor<1x5x28xf32>
    %112 = linalg.fill ins(%cst_0 : f32) outs(%111 : tensor<1x5x28xf32>) -> tensor<1x5x28xf32>
    %113 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110, %arg10 : tensor<1x5x24xf16>, tensor<24x28xf16>) outs(%112 : tensor<1x5x28xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x28xf32>
    %114 = tensor.empty() : tensor<1x5x28xf16>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x5x28xf32>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = arith.negf %in : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = math.exp %in : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %118 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x28xf16>
    %119 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %117 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.addf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %119 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.divf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %120 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %122 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110, %arg11 : tensor<1x5x24xf16>, tensor<24x28xf16>) outs(%112 : tensor<1x5x28xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x28xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x5x28xf32>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %123 : tensor<1x5x28xf16>, tensor<1x5x28xf16>) outs(%114 : tensor<1x5x28xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.mulf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x28xf16>
    %125 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%124, %arg12 : tensor<1x5x28xf16>, tensor<28x24xf16>) outs(%93 : tensor<1x5x24xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      %129 = arith.extf %in_12 : f16 to f32
      %130 = arith.mulf %128, %129 : f32
      %131 = arith.addf %out, %130 : f32
      linalg.yield %131 : f32
    } -> tensor<1x5x24xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<1x5x24xf32>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %126 : tensor<1x5x24xf16>, tensor<1x5x24xf16>) outs(%21 : tensor<1x5x24xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %128 = arith.addf %in, %in_12 : f16
      linalg.yield %128 : f16
    } -> tensor<1x5x24xf16>
    return %127 : tensor<1x5x24xf16>
  }
}
