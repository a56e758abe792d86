// torch-qk-norm-attention-f16
//   python export_pytorch.py . --real qk-norm-attention-f16
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x32x1024x128xf16>, %arg1: tensor<1x8x1026x128xf16>, %arg2: tensor<1x8x1026x128xf16>, %arg3: tensor<128xf16>, %arg4: tensor<128xf16>) -> tensor<1x32x1024x128xf16> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.088388347648318447 : f64
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 1.280000e+02 : f32
    %0 = tensor.empty() : tensor<1x32x1024x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32x1024x128xf16>) outs(%0 : tensor<1x32x1024x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %54 = arith.extf %in : f16 to f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x128xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x32x1024x128xf32>) outs(%0 : tensor<1x32x1024x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x128xf32>
    %3 = tensor.empty() : tensor<1x32x1024x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<1x32x1024x128xf32>) outs(%4 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x32x1024x1xf32>) outs(%3 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.divf %in, %cst_3 : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x32x1024x1xf32>) outs(%3 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.truncf %cst_2 : f64 to f32
      %55 = arith.addf %in, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<1x32x1024x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x32x1024x1xf32>) outs(%3 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.rsqrt %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x32x1024x128xf32>, tensor<1x32x1024x1xf32>) outs(%0 : tensor<1x32x1024x128xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %54 = arith.mulf %in, %in_10 : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x128xf32>
    %10 = tensor.empty() : tensor<1x32x1024x128xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x32x1024x128xf32>) outs(%10 : tensor<1x32x1024x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<1x32x1024x128xf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %11 : tensor<128xf16>, tensor<1x32x1024x128xf16>) outs(%10 : tensor<1x32x1024x128xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %54 = arith.mulf %in, %in_10 : f16
      linalg.yield %54 : f16
    } -> tensor<1x32x1024x128xf16>
    %13 = tensor.empty() : tensor<1x8x1026x128xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x8x1026x128xf16>) outs(%13 : tensor<1x8x1026x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %54 = arith.extf %in : f16 to f32
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x128xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x8x1026x128xf32>) outs(%13 : tensor<1x8x1026x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x128xf32>
    %16 = tensor.empty() : tensor<1x8x1026x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x8x1026x1xf32>) -> tensor<1x8x1026x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x8x1026x128xf32>) outs(%17 : tensor<1x8x1026x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x8x1026x1xf32>) outs(%16 : tensor<1x8x1026x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.divf %in, %cst_3 : f32
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x1026x1xf32>) outs(%16 : tensor<1x8x1026x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.truncf %cst_2 : f64 to f32
      %55 = arith.addf %in, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<1x8x1026x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x8x1026x1xf32>) outs(%16 : tensor<1x8x1026x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.rsqrt %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %21 : tensor<1x8x1026x128xf32>, tensor<1x8x1026x1xf32>) outs(%13 : tensor<1x8x1026x128xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %54 = arith.mulf %in, %in_10 : f32
      linalg.yield %54 : f32
    } -> tensor<1x8x1026x128xf32>
    %23 = tensor.empty() : tensor<1x8x1026x128xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x8x1026x128xf32>) outs(%23 : tensor<1x8x1026x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<1x8x1026x128xf16>
    %25 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %24 : tensor<128xf16>, tensor<1x8x1026x128xf16>) outs(%23 : tensor<1x8x1026x128xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %54 = arith.mulf %in, %in_10 : f16
      linalg.yield %54 : f16
    } -> tensor<1x8x1026x128xf16>
    %26 = tensor.empty() : tensor<1x8x4x1026x128xf16>
    %27 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x8x1026x128xf16>) outs(%26 : tensor<1x8x4x1026x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1026x128xf16>
    %collapsed = tensor.collapse_shape %27 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1026x128xf16> into tensor<1x32x1026x128xf16>
    %28 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x8x1026x128xf16>) outs(%26 : tensor<1x8x4x1026x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1026x128xf16>
    %29 = tensor.empty() : tensor<1x32x128x1026xf16>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x32x1026x128xf16>) outs(%29 : tensor<1x32x128x1026xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_4 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x32x1024x128xf16> into tensor<32x1024x128xf16>
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x32x128x1026xf16> into tensor<32x128x1026xf16>
    %30 = tensor.empty() : tensor<32x1024x1026xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<32x1024x1026xf32>) -> tensor<32x1024x1026xf32>
    %32 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<32x1024x128xf16>, tensor<32x128x1026xf16>) outs(%31 : tensor<32x1024x1026xf32>) -> tensor<32x1024x1026xf32>
    %33 = tensor.empty() : tensor<32x1024x1026xf16>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<32x1024x1026xf32>) outs(%33 : tensor<32x1024x1026xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<32x1024x1026xf16>
    %expanded = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 1026] : tensor<32x1024x1026xf16> into tensor<1x32x1024x1026xf16>
    %35 = tensor.empty() : tensor<1x32x1024x1026xf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x32x1024x1026xf16>) outs(%35 : tensor<1x32x1024x1026xf16>) {
    ^bb0(%in: f16, %out: f16):
      %54 = arith.truncf %cst_1 : f64 to f16
      %55 = arith.mulf %in, %54 : f16
      linalg.yield %55 : f16
    } -> tensor<1x32x1024x1026xf16>
    %37 = tensor.empty() : tensor<1x32x1024x1026xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x32x1024x1026xf16>) outs(%37 : tensor<1x32x1024x1026xf32>) {
    ^bb0(%in: f16, %out: f32):
      %54 = arith.extf %in : f16 to f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1026xf32>
    %39 = tensor.empty() : tensor<1x32x1024xi64>
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<1x32x1024xi64>) -> tensor<1x32x1024xi64>
    %41 = tensor.empty() : tensor<1x32x1024xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x32x1024xf32>) -> tensor<1x32x1024xf32>
    %43:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x32x1024x1026xf32>) outs(%42, %40 : tensor<1x32x1024xf32>, tensor<1x32x1024xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %54 = linalg.index 3 : index
      %55 = arith.index_cast %54 : index to i64
      %56 = arith.maximumf %in, %out : f32
      %57 = arith.cmpf ogt, %in, %out : f32
      %58 = arith.select %57, %55, %out_10 : i64
      linalg.yield %56, %58 : f32, i64
    } -> (tensor<1x32x1024xf32>, tensor<1x32x1024xi64>)
    %expanded_6 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [1, 32, 1024, 1] : tensor<1x32x1024xf32> into tensor<1x32x1024x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %expanded_6 : tensor<1x32x1024x1026xf32>, tensor<1x32x1024x1xf32>) outs(%37 : tensor<1x32x1024x1026xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %54 = arith.subf %in, %in_10 : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1026xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x32x1024x1026xf32>) outs(%37 : tensor<1x32x1024x1026xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1026xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x32x1024x1026xf32>) outs(%4 : tensor<1x32x1024x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<1x32x1024x1026xf32>, tensor<1x32x1024x1xf32>) outs(%37 : tensor<1x32x1024x1026xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %54 = arith.divf %in, %in_10 : f32
      linalg.yield %54 : f32
    } -> tensor<1x32x1024x1026xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x32x1024x1026xf32>) outs(%35 : tensor<1x32x1024x1026xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<1x32x1024x1026xf16>
    %collapsed_7 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<1x32x1024x1026xf16> into tensor<32x1024x1026xf16>
    %collapsed_8 = tensor.collapse_shape %28 [[0, 1, 2], [3], [4]] : tensor<1x8x4x1026x128xf16> into tensor<32x1026x128xf16>
    %49 = tensor.empty() : tensor<32x1024x128xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<32x1024x128xf32>) -> tensor<32x1024x128xf32>
    %51 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<32x1024x1026xf16>, tensor<32x1026x128xf16>) outs(%50 : tensor<32x1024x128xf32>) -> tensor<32x1024x128xf32>
    %52 = tensor.empty() : tensor<32x1024x128xf16>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<32x1024x128xf32>) outs(%52 : tensor<32x1024x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<32x1024x128xf16>
    %expanded_9 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 128] : tensor<32x1024x128xf16> into tensor<1x32x1024x128xf16>
    return %expanded_9 : tensor<1x32x1024x128xf16>
  }
}
