// jax-llama-decoder-layer-f16
//   python export_jax.py . --real llama-decoder-layer-f16
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
  func.func public @main(%arg0: tensor<1x1024x4096xf16>, %arg1: tensor<1x1024x128xf16>, %arg2: tensor<1x1024x128xf16>, %arg3: tensor<1x1x1024x1024xf16>, %arg4: tensor<4096xf16>, %arg5: tensor<4096x4096xf16>, %arg6: tensor<4096x1024xf16>, %arg7: tensor<4096x1024xf16>, %arg8: tensor<4096x4096xf16>, %arg9: tensor<4096xf16>, %arg10: tensor<4096x14336xf16>, %arg11: tensor<4096x14336xf16>, %arg12: tensor<14336x4096xf16>) -> (tensor<1x1024x4096xf16> {jax.result_info = "result"}) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f16>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<11.3137083> : tensor<f32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_5 = arith.constant dense<4.096000e+03> : tensor<f32>
    %0 = tensor.empty() : tensor<1x1024x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %3 = tensor.empty() : tensor<1x1024xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %out, %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024xf32>
    %6 = tensor.empty() : tensor<1x1024x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x1024xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<1x1024x1xf32>, tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.divf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<1x1024x1xf32>, tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.addf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %13 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %15 = tensor.empty() : tensor<4096xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg4 : tensor<4096xf16>) outs(%15 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<4096xf32>
    %17 = tensor.empty() : tensor<1x1x4096xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4096xf32>) outs(%17 : tensor<1x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4096xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %19 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %21 = tensor.empty() : tensor<1x1024x4096xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1024x4096xf32>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x1024x4096xf32>) -> tensor<1x1024x4096xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg5 : tensor<1x1024x4096xf16>, tensor<4096x4096xf16>) outs(%23 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x4096xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1024x4096xf32>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %expanded = tensor.expand_shape %25 [[0], [1], [2, 3]] output_shape [1, 1024, 32, 128] : tensor<1x1024x4096xf16> into tensor<1x1024x32x128xf16>
    %26 = tensor.empty() : tensor<1x1024x1024xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<1x1024x1024xf32>) -> tensor<1x1024x1024xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg6 : tensor<1x1024x4096xf16>, tensor<4096x1024xf16>) outs(%27 : tensor<1x1024x1024xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x1024xf32>
    %29 = tensor.empty() : tensor<1x1024x1024xf16>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1024x1024xf32>) outs(%29 : tensor<1x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x1024xf16>
    %expanded_6 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1x1024x1024xf16> into tensor<1x1024x8x128xf16>
    %31 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg7 : tensor<1x1024x4096xf16>, tensor<4096x1024xf16>) outs(%27 : tensor<1x1024x1024xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x1024xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1024x1024xf32>) outs(%29 : tensor<1x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x1024xf16>
    %expanded_7 = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [1, 1024, 8, 128] : tensor<1x1024x1024xf16> into tensor<1x1024x8x128xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x128xf16> to tensor<1x1024x32x64xf16>
    %extracted_slice_8 = tensor.extract_slice %expanded[0, 0, 0, 64] [1, 1024, 32, 64] [1, 1, 1, 1] : tensor<1x1024x32x128xf16> to tensor<1x1024x32x64xf16>
    %33 = tensor.empty() : tensor<1x1024x32x64xf16>
    %34 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x1024x32x64xf16>) outs(%33 : tensor<1x1024x32x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = arith.negf %in : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x32x64xf16>
    %35 = tensor.empty() : tensor<1x1024x32x128xf16>
    %36 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%out: f16):
      %125 = linalg.index 1 : index
      %126 = linalg.index 2 : index
      %127 = linalg.index 3 : index
      %128 = arith.cmpi ult, %127, %c64 : index
      %129 = scf.if %128 -> (f16) {
        %extracted = tensor.extract %34[%c0, %125, %126, %127] : tensor<1x1024x32x64xf16>
        scf.yield %extracted : f16
      } else {
        %130 = arith.subi %127, %c64 : index
        %extracted = tensor.extract %extracted_slice[%c0, %125, %126, %130] : tensor<1x1024x32x64xf16>
        scf.yield %extracted : f16
      }
      linalg.yield %129 : f16
    } -> tensor<1x1024x32x128xf16>
    %37 = tensor.empty() : tensor<1x1024x1x128xf16>
    %38 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x1024x128xf16>) outs(%37 : tensor<1x1024x1x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x1x128xf16>
    %39 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x1024x1x128xf16>) outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x32x128xf16>
    %40 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %39 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x32x128xf16>
    %41 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x1024x128xf16>) outs(%37 : tensor<1x1024x1x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x1x128xf16>
    %42 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x1024x1x128xf16>) outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x32x128xf16>
    %43 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %42 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x32x128xf16>
    %44 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x1024x32x128xf16>, tensor<1x1024x32x128xf16>) outs(%35 : tensor<1x1024x32x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.addf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x32x128xf16>
    %extracted_slice_9 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x128xf16> to tensor<1x1024x8x64xf16>
    %extracted_slice_10 = tensor.extract_slice %expanded_6[0, 0, 0, 64] [1, 1024, 8, 64] [1, 1, 1, 1] : tensor<1x1024x8x128xf16> to tensor<1x1024x8x64xf16>
    %45 = tensor.empty() : tensor<1x1024x8x64xf16>
    %46 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x1024x8x64xf16>) outs(%45 : tensor<1x1024x8x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = arith.negf %in : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x8x64xf16>
    %47 = tensor.empty() : tensor<1x1024x8x128xf16>
    %48 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%out: f16):
      %125 = linalg.index 1 : index
      %126 = linalg.index 2 : index
      %127 = linalg.index 3 : index
      %128 = arith.cmpi ult, %127, %c64 : index
      %129 = scf.if %128 -> (f16) {
        %extracted = tensor.extract %46[%c0, %125, %126, %127] : tensor<1x1024x8x64xf16>
        scf.yield %extracted : f16
      } else {
        %130 = arith.subi %127, %c64 : index
        %extracted = tensor.extract %extracted_slice_9[%c0, %125, %126, %130] : tensor<1x1024x8x64xf16>
        scf.yield %extracted : f16
      }
      linalg.yield %129 : f16
    } -> tensor<1x1024x8x128xf16>
    %49 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x1024x1x128xf16>) outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x8x128xf16>
    %50 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %49 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x8x128xf16>
    %51 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x1024x1x128xf16>) outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x8x128xf16>
    %52 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %51 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x8x128xf16>
    %53 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %52 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x128xf16>) outs(%47 : tensor<1x1024x8x128xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.addf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x8x128xf16>
    %expanded_11 = tensor.expand_shape %44 [[0], [1], [2, 3], [4]] output_shape [1, 1024, 8, 4, 128] : tensor<1x1024x32x128xf16> into tensor<1x1024x8x4x128xf16>
    %54 = tensor.empty() : tensor<1x8x1024x1024x4xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<1x8x1024x1024x4xf32>) -> tensor<1x8x1024x1024x4xf32>
    %56 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%53, %expanded_11 : tensor<1x1024x8x128xf16>, tensor<1x1024x8x4x128xf16>) outs(%55 : tensor<1x8x1024x1024x4xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x8x1024x1024x4xf32>
    %57 = tensor.empty() : tensor<1x8x4x1024x1024xf32>
    %58 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x8x1024x1024x4xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %59 = linalg.generic {indexing_maps = [#map17, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %60 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%58, %59 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.divf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %61 = tensor.empty() : tensor<1x1x1x1024x1024xf16>
    %62 = linalg.generic {indexing_maps = [#map18, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x1024x1024xf16>) outs(%61 : tensor<1x1x1x1024x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x1x1024x1024xf16>
    %63 = tensor.empty() : tensor<1x1x1x1024x1024xf32>
    %64 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x1x1x1024x1024xf16>) outs(%63 : tensor<1x1x1x1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x1x1x1024x1024xf32>
    %65 = linalg.generic {indexing_maps = [#map19, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x1x1x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %66 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60, %65 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.addf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %67 = tensor.empty() : tensor<1x8x4x1024xf32>
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<1x8x4x1024xf32>) -> tensor<1x8x4x1024xf32>
    %69 = linalg.generic {indexing_maps = [#map16, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x8x4x1024x1024xf32>) outs(%68 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.maximumf %out, %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024xf32>
    %70 = linalg.generic {indexing_maps = [#map21, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%67 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024xf32>
    %71 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %69 : tensor<1x8x4x1024xf32>, tensor<1x8x4x1024xf32>) outs(%67 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.maximumf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024xf32>
    %72 = tensor.empty() : tensor<1x8x4x1024x1xf32>
    %73 = linalg.generic {indexing_maps = [#map20, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x4x1024xf32>) outs(%72 : tensor<1x8x4x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1xf32>
    %74 = linalg.generic {indexing_maps = [#map22, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x8x4x1024x1xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %75 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%66, %74 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.subf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %76 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x8x4x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.exp %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%67 : tensor<1x8x4x1024xf32>) -> tensor<1x8x4x1024xf32>
    %78 = linalg.generic {indexing_maps = [#map16, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<1x8x4x1024x1024xf32>) outs(%77 : tensor<1x8x4x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %out, %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024xf32>
    %79 = linalg.generic {indexing_maps = [#map20, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x8x4x1024xf32>) outs(%72 : tensor<1x8x4x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1xf32>
    %80 = linalg.generic {indexing_maps = [#map22, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x8x4x1024x1xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %81 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%76, %80 : tensor<1x8x4x1024x1024xf32>, tensor<1x8x4x1024x1024xf32>) outs(%57 : tensor<1x8x4x1024x1024xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.divf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x4x1024x1024xf32>
    %82 = tensor.empty() : tensor<1x8x4x1024x1024xf16>
    %83 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x8x4x1024x1024xf32>) outs(%82 : tensor<1x8x4x1024x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x8x4x1024x1024xf16>
    %84 = tensor.empty() : tensor<1x8x128x4x1024xf32>
    %85 = linalg.fill ins(%cst_0 : f32) outs(%84 : tensor<1x8x128x4x1024xf32>) -> tensor<1x8x128x4x1024xf32>
    %86 = linalg.generic {indexing_maps = [#map23, #map24, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_7, %83 : tensor<1x1024x8x128xf16>, tensor<1x8x4x1024x1024xf16>) outs(%85 : tensor<1x8x128x4x1024xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x8x128x4x1024xf32>
    %87 = tensor.empty() : tensor<1x1024x8x4x128xf32>
    %88 = linalg.generic {indexing_maps = [#map25, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x8x128x4x1024xf32>) outs(%87 : tensor<1x1024x8x4x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x8x4x128xf32>
    %89 = tensor.empty() : tensor<1x1024x8x4x128xf16>
    %90 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x1024x8x4x128xf32>) outs(%89 : tensor<1x1024x8x4x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x8x4x128xf16>
    %collapsed = tensor.collapse_shape %90 [[0], [1], [2, 3, 4]] : tensor<1x1024x8x4x128xf16> into tensor<1x1024x4096xf16>
    %91 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg8 : tensor<1x1024x4096xf16>, tensor<4096x4096xf16>) outs(%23 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x4096xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x1024x4096xf32>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %92 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.addf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x1024x4096xf16>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %94 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<1x1024x4096xf32>) outs(%4 : tensor<1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %out, %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x1024xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %8 : tensor<1x1024x1xf32>, tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.divf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %10 : tensor<1x1024x1xf32>, tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.addf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x1024x1xf32>) outs(%6 : tensor<1x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x1xf32>
    %101 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x1024x1xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %101 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %103 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg9 : tensor<4096xf16>) outs(%15 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<4096xf32>
    %104 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<4096xf32>) outs(%17 : tensor<1x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4096xf32>
    %105 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x1x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1024x4096xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %105 : tensor<1x1024x4096xf32>, tensor<1x1024x4096xf32>) outs(%0 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %125 = arith.mulf %in, %in_12 : f32
      linalg.yield %125 : f32
    } -> tensor<1x1024x4096xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x1024x4096xf32>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %108 = tensor.empty() : tensor<1x1024x14336xf32>
    %109 = linalg.fill ins(%cst_0 : f32) outs(%108 : tensor<1x1024x14336xf32>) -> tensor<1x1024x14336xf32>
    %110 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%107, %arg10 : tensor<1x1024x4096xf16>, tensor<4096x14336xf16>) outs(%109 : tensor<1x1024x14336xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x14336xf32>
    %111 = tensor.empty() : tensor<1x1024x14336xf16>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x1024x14336xf32>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = arith.negf %in : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = math.exp %in : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %115 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x14336xf16>
    %116 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %114 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.addf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %116 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.divf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %117 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %119 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%107, %arg11 : tensor<1x1024x4096xf16>, tensor<4096x14336xf16>) outs(%109 : tensor<1x1024x14336xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x14336xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x1024x14336xf32>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %120 : tensor<1x1024x14336xf16>, tensor<1x1024x14336xf16>) outs(%111 : tensor<1x1024x14336xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.mulf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x14336xf16>
    %122 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%121, %arg12 : tensor<1x1024x14336xf16>, tensor<14336x4096xf16>) outs(%23 : tensor<1x1024x4096xf32>) {
    ^bb0(%in: f16, %in_12: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      %126 = arith.extf %in_12 : f16 to f32
      %127 = arith.mulf %125, %126 : f32
      %128 = arith.addf %out, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1024x4096xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x1024x4096xf32>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %123 : tensor<1x1024x4096xf16>, tensor<1x1024x4096xf16>) outs(%21 : tensor<1x1024x4096xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %125 = arith.addf %in, %in_12 : f16
      linalg.yield %125 : f16
    } -> tensor<1x1024x4096xf16>
    return %124 : tensor<1x1024x4096xf16>
  }
}
