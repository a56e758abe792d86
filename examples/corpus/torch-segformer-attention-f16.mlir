// torch-segformer-attention-f16
//   python export_pytorch.py . --real segformer-attention-f16
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x4096x64xf16>, %arg1: tensor<64x64xf16>, %arg2: tensor<64xf16>, %arg3: tensor<64x64xf16>, %arg4: tensor<64xf16>, %arg5: tensor<64x64xf16>, %arg6: tensor<64xf16>, %arg7: tensor<64x64xf16>, %arg8: tensor<64xf16>, %arg9: tensor<64x64x4x4xf16>, %arg10: tensor<64xf16>, %arg11: tensor<64xf16>, %arg12: tensor<64xf16>) -> tensor<1x4096x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0.17677669529663689 : f64
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 6.400000e+01 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x4096x64xf16> into tensor<4096x64xf16>
    %0 = tensor.empty() : tensor<64x64xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<64xf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64xf32>
    %3 = tensor.empty() : tensor<4096x64xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4096x64xf16>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<4096x64xf32>
    %5 = tensor.empty() : tensor<64x64xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x64xf16>) outs(%5 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64x64xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4096x64xf32>) -> tensor<4096x64xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<4096x64xf32>, tensor<64x64xf32>) outs(%7 : tensor<4096x64xf32>) -> tensor<4096x64xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<64xf32>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x64xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<4096x64xf32>, tensor<4096x64xf32>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.addf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<4096x64xf32>
    %11 = tensor.empty() : tensor<4096x64xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<4096x64xf32>) outs(%11 : tensor<4096x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<4096x64xf16>
    %expanded = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [1, 4096, 2, 32] : tensor<4096x64xf16> into tensor<1x4096x2x32xf16>
    %13 = tensor.empty() : tensor<1x2x4096x32xf16>
    %transposed_6 = linalg.transpose ins(%expanded : tensor<1x4096x2x32xf16>) outs(%13 : tensor<1x2x4096x32xf16>) permutation = [0, 2, 1, 3] 
    %14 = tensor.empty() : tensor<1x64x4096xf16>
    %transposed_7 = linalg.transpose ins(%arg0 : tensor<1x4096x64xf16>) outs(%14 : tensor<1x64x4096xf16>) permutation = [0, 2, 1] 
    %expanded_8 = tensor.expand_shape %transposed_7 [[0], [1], [2, 3]] output_shape [1, 64, 64, 64] : tensor<1x64x4096xf16> into tensor<1x64x64x64xf16>
    %15 = tensor.empty() : tensor<1x64x16x16xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg10 : tensor<64xf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64xf32>
    %broadcasted = linalg.broadcast ins(%16 : tensor<64xf32>) outs(%15 : tensor<1x64x16x16xf32>) dimensions = [0, 2, 3] 
    %17 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%expanded_8, %arg9 : tensor<1x64x64x64xf16>, tensor<64x64x4x4xf16>) outs(%broadcasted : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    %18 = tensor.empty() : tensor<1x64x16x16xf16>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x64x16x16xf32>) outs(%18 : tensor<1x64x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<1x64x16x16xf16>
    %collapsed_9 = tensor.collapse_shape %19 [[0], [1], [2, 3]] : tensor<1x64x16x16xf16> into tensor<1x64x256xf16>
    %20 = tensor.empty() : tensor<1x256x64xf16>
    %transposed_10 = linalg.transpose ins(%collapsed_9 : tensor<1x64x256xf16>) outs(%20 : tensor<1x256x64xf16>) permutation = [0, 2, 1] 
    %21 = tensor.empty() : tensor<1x256x64xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<1x256x64xf16>) outs(%21 : tensor<1x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<1x256x64xf32>
    %23 = tensor.empty() : tensor<1x256x64xf64>
    %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x256x64xf32>) outs(%23 : tensor<1x256x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %97 = arith.extf %in : f32 to f64
      linalg.yield %97 : f64
    } -> tensor<1x256x64xf64>
    %25 = tensor.empty() : tensor<1x256x1xf64>
    %26 = linalg.fill ins(%cst_0 : f64) outs(%25 : tensor<1x256x1xf64>) -> tensor<1x256x1xf64>
    %27 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24 : tensor<1x256x64xf64>) outs(%26 : tensor<1x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %97 = arith.addf %in, %out : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x1xf64>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<1x256x1xf64>) outs(%25 : tensor<1x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %97 = arith.divf %in, %cst_4 : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x1xf64>
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %28 : tensor<1x256x64xf64>, tensor<1x256x1xf64>) outs(%23 : tensor<1x256x64xf64>) {
    ^bb0(%in: f64, %in_29: f64, %out: f64):
      %97 = arith.subf %in, %in_29 : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x64xf64>
    %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %29 : tensor<1x256x64xf64>, tensor<1x256x64xf64>) outs(%23 : tensor<1x256x64xf64>) {
    ^bb0(%in: f64, %in_29: f64, %out: f64):
      %97 = arith.mulf %in, %in_29 : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x64xf64>
    %31 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30 : tensor<1x256x64xf64>) outs(%26 : tensor<1x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %97 = arith.addf %in, %out : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x1xf64>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x256x1xf64>) outs(%25 : tensor<1x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %97 = arith.divf %in, %cst_4 : f64
      linalg.yield %97 : f64
    } -> tensor<1x256x1xf64>
    %33 = tensor.empty() : tensor<1x256x1xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x256x1xf64>) outs(%33 : tensor<1x256x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %97 = arith.truncf %in : f64 to f32
      linalg.yield %97 : f32
    } -> tensor<1x256x1xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%33 : tensor<1x256x1xf32>) -> tensor<1x256x1xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<1x256x64xf32>) outs(%35 : tensor<1x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = arith.addf %in, %out : f32
      linalg.yield %97 : f32
    } -> tensor<1x256x1xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<1x256x1xf32>) outs(%33 : tensor<1x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = arith.divf %in, %cst_5 : f32
      linalg.yield %97 : f32
    } -> tensor<1x256x1xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<1x256x1xf32>) outs(%33 : tensor<1x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = arith.truncf %cst_3 : f64 to f32
      %98 = arith.addf %in, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<1x256x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<1x256x1xf32>) outs(%33 : tensor<1x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = math.rsqrt %in : f32
      linalg.yield %97 : f32
    } -> tensor<1x256x1xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %37 : tensor<1x256x64xf32>, tensor<1x256x1xf32>) outs(%21 : tensor<1x256x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.subf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<1x256x64xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %39 : tensor<1x256x64xf32>, tensor<1x256x1xf32>) outs(%21 : tensor<1x256x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.mulf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<1x256x64xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %arg11 : tensor<1x256x64xf32>, tensor<64xf16>) outs(%21 : tensor<1x256x64xf32>) {
    ^bb0(%in: f32, %in_29: f16, %out: f32):
      %97 = arith.extf %in_29 : f16 to f32
      %98 = arith.mulf %in, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<1x256x64xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %arg12 : tensor<1x256x64xf32>, tensor<64xf16>) outs(%21 : tensor<1x256x64xf32>) {
    ^bb0(%in: f32, %in_29: f16, %out: f32):
      %97 = arith.extf %in_29 : f16 to f32
      %98 = arith.addf %in, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<1x256x64xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x256x64xf32>) outs(%20 : tensor<1x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<1x256x64xf16>
    %collapsed_11 = tensor.collapse_shape %44 [[0, 1], [2]] : tensor<1x256x64xf16> into tensor<256x64xf16>
    %transposed_12 = linalg.transpose ins(%arg3 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0] 
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg4 : tensor<64xf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64xf32>
    %46 = tensor.empty() : tensor<256x64xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_11 : tensor<256x64xf16>) outs(%46 : tensor<256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<256x64xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_12 : tensor<64x64xf16>) outs(%5 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64x64xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%46 : tensor<256x64xf32>) -> tensor<256x64xf32>
    %50 = linalg.matmul ins(%47, %48 : tensor<256x64xf32>, tensor<64x64xf32>) outs(%49 : tensor<256x64xf32>) -> tensor<256x64xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<64xf32>) outs(%46 : tensor<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x64xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%50, %51 : tensor<256x64xf32>, tensor<256x64xf32>) outs(%46 : tensor<256x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.addf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<256x64xf32>
    %53 = tensor.empty() : tensor<256x64xf16>
    %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<256x64xf32>) outs(%53 : tensor<256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<256x64xf16>
    %expanded_13 = tensor.expand_shape %54 [[0, 1], [2, 3]] output_shape [1, 256, 2, 32] : tensor<256x64xf16> into tensor<1x256x2x32xf16>
    %transposed_14 = linalg.transpose ins(%arg5 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0] 
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<64xf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_14 : tensor<64x64xf16>) outs(%5 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64x64xf32>
    %57 = linalg.matmul ins(%47, %56 : tensor<256x64xf32>, tensor<64x64xf32>) outs(%49 : tensor<256x64xf32>) -> tensor<256x64xf32>
    %58 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<64xf32>) outs(%46 : tensor<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x64xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%57, %58 : tensor<256x64xf32>, tensor<256x64xf32>) outs(%46 : tensor<256x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.addf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<256x64xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<256x64xf32>) outs(%53 : tensor<256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<256x64xf16>
    %expanded_15 = tensor.expand_shape %60 [[0, 1], [2, 3]] output_shape [1, 256, 2, 32] : tensor<256x64xf16> into tensor<1x256x2x32xf16>
    %61 = tensor.empty() : tensor<1x2x256x32xf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<1x256x2x32xf16>) outs(%61 : tensor<1x2x256x32xf16>) permutation = [0, 2, 1, 3] 
    %62 = tensor.empty() : tensor<1x2x32x256xf16>
    %transposed_17 = linalg.transpose ins(%expanded_13 : tensor<1x256x2x32xf16>) outs(%62 : tensor<1x2x32x256xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_18 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x2x4096x32xf16> into tensor<2x4096x32xf16>
    %collapsed_19 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x2x32x256xf16> into tensor<2x32x256xf16>
    %63 = tensor.empty() : tensor<2x4096x256xf32>
    %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<2x4096x256xf32>) -> tensor<2x4096x256xf32>
    %65 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x4096x32xf16>, tensor<2x32x256xf16>) outs(%64 : tensor<2x4096x256xf32>) -> tensor<2x4096x256xf32>
    %66 = tensor.empty() : tensor<2x4096x256xf16>
    %67 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x4096x256xf32>) outs(%66 : tensor<2x4096x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<2x4096x256xf16>
    %expanded_20 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [1, 2, 4096, 256] : tensor<2x4096x256xf16> into tensor<1x2x4096x256xf16>
    %68 = tensor.empty() : tensor<1x2x4096x256xf16>
    %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x4096x256xf16>) outs(%68 : tensor<1x2x4096x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      %97 = arith.truncf %cst_2 : f64 to f16
      %98 = arith.mulf %in, %97 : f16
      linalg.yield %98 : f16
    } -> tensor<1x2x4096x256xf16>
    %70 = tensor.empty() : tensor<1x2x4096x256xf32>
    %71 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x4096x256xf16>) outs(%70 : tensor<1x2x4096x256xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<1x2x4096x256xf32>
    %72 = tensor.empty() : tensor<1x2x4096xi64>
    %73 = linalg.fill ins(%c0_i64 : i64) outs(%72 : tensor<1x2x4096xi64>) -> tensor<1x2x4096xi64>
    %74 = tensor.empty() : tensor<1x2x4096xf32>
    %75 = linalg.fill ins(%cst_1 : f32) outs(%74 : tensor<1x2x4096xf32>) -> tensor<1x2x4096xf32>
    %76:2 = linalg.generic {indexing_maps = [#map3, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x2x4096x256xf32>) outs(%75, %73 : tensor<1x2x4096xf32>, tensor<1x2x4096xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %97 = linalg.index 3 : index
      %98 = arith.index_cast %97 : index to i64
      %99 = arith.maximumf %in, %out : f32
      %100 = arith.cmpf ogt, %in, %out : f32
      %101 = arith.select %100, %98, %out_29 : i64
      linalg.yield %99, %101 : f32, i64
    } -> (tensor<1x2x4096xf32>, tensor<1x2x4096xi64>)
    %expanded_21 = tensor.expand_shape %76#0 [[0], [1], [2, 3]] output_shape [1, 2, 4096, 1] : tensor<1x2x4096xf32> into tensor<1x2x4096x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %expanded_21 : tensor<1x2x4096x256xf32>, tensor<1x2x4096x1xf32>) outs(%70 : tensor<1x2x4096x256xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.subf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<1x2x4096x256xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<1x2x4096x256xf32>) outs(%70 : tensor<1x2x4096x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = math.exp %in : f32
      linalg.yield %97 : f32
    } -> tensor<1x2x4096x256xf32>
    %79 = tensor.empty() : tensor<1x2x4096x1xf32>
    %80 = linalg.fill ins(%cst : f32) outs(%79 : tensor<1x2x4096x1xf32>) -> tensor<1x2x4096x1xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<1x2x4096x256xf32>) outs(%80 : tensor<1x2x4096x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = arith.addf %in, %out : f32
      linalg.yield %97 : f32
    } -> tensor<1x2x4096x1xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %81 : tensor<1x2x4096x256xf32>, tensor<1x2x4096x1xf32>) outs(%70 : tensor<1x2x4096x256xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.divf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<1x2x4096x256xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x2x4096x256xf32>) outs(%68 : tensor<1x2x4096x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<1x2x4096x256xf16>
    %collapsed_22 = tensor.collapse_shape %83 [[0, 1], [2], [3]] : tensor<1x2x4096x256xf16> into tensor<2x4096x256xf16>
    %collapsed_23 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x2x256x32xf16> into tensor<2x256x32xf16>
    %84 = tensor.empty() : tensor<2x4096x32xf32>
    %85 = linalg.fill ins(%cst : f32) outs(%84 : tensor<2x4096x32xf32>) -> tensor<2x4096x32xf32>
    %86 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<2x4096x256xf16>, tensor<2x256x32xf16>) outs(%85 : tensor<2x4096x32xf32>) -> tensor<2x4096x32xf32>
    %87 = tensor.empty() : tensor<2x4096x32xf16>
    %88 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x4096x32xf32>) outs(%87 : tensor<2x4096x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<2x4096x32xf16>
    %expanded_24 = tensor.expand_shape %88 [[0, 1], [2], [3]] output_shape [1, 2, 4096, 32] : tensor<2x4096x32xf16> into tensor<1x2x4096x32xf16>
    %89 = tensor.empty() : tensor<1x4096x2x32xf16>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x2x4096x32xf16>) outs(%89 : tensor<1x4096x2x32xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0, 1], [2, 3]] : tensor<1x4096x2x32xf16> into tensor<4096x64xf16>
    %transposed_27 = linalg.transpose ins(%arg7 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0] 
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg8 : tensor<64xf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_26 : tensor<4096x64xf16>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<4096x64xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_27 : tensor<64x64xf16>) outs(%5 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %97 = arith.extf %in : f16 to f32
      linalg.yield %97 : f32
    } -> tensor<64x64xf32>
    %93 = linalg.matmul ins(%91, %92 : tensor<4096x64xf32>, tensor<64x64xf32>) outs(%7 : tensor<4096x64xf32>) -> tensor<4096x64xf32>
    %94 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<64xf32>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x64xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%93, %94 : tensor<4096x64xf32>, tensor<4096x64xf32>) outs(%3 : tensor<4096x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %97 = arith.addf %in, %in_29 : f32
      linalg.yield %97 : f32
    } -> tensor<4096x64xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<4096x64xf32>) outs(%11 : tensor<4096x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %97 = arith.truncf %in : f32 to f16
      linalg.yield %97 : f16
    } -> tensor<4096x64xf16>
    %expanded_28 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 4096, 64] : tensor<4096x64xf16> into tensor<1x4096x64xf16>
    return %expanded_28 : tensor<1x4096x64xf16>
  }
}
