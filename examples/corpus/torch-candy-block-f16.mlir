// torch-candy-block-f16
//   python export_pytorch.py . --real candy-block-f16
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<1x32x224x224xf16>, %arg1: tensor<32xf16>, %arg2: tensor<32xf16>) -> tensor<1x32x231x227xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f16
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 5.017600e+04 : f64
    %cst_4 = arith.constant 5.017600e+04 : f32
    %0 = tensor.empty() : tensor<1x32x224x224xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32x224x224xf16>) outs(%0 : tensor<1x32x224x224xf32>) {
    ^bb0(%in: f16, %out: f32):
      %26 = arith.extf %in : f16 to f32
      linalg.yield %26 : f32
    } -> tensor<1x32x224x224xf32>
    %2 = tensor.empty() : tensor<1x32x224x224xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x32x224x224xf32>) outs(%2 : tensor<1x32x224x224xf64>) {
    ^bb0(%in: f32, %out: f64):
      %26 = arith.extf %in : f32 to f64
      linalg.yield %26 : f64
    } -> tensor<1x32x224x224xf64>
    %4 = tensor.empty() : tensor<1x32x1x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x32x1x1xf64>) -> tensor<1x32x1x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%3 : tensor<1x32x224x224xf64>) outs(%5 : tensor<1x32x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %26 = arith.addf %in, %out : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x1x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x32x1x1xf64>) outs(%4 : tensor<1x32x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %26 = arith.divf %in, %cst_3 : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x1x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x32x224x224xf64>, tensor<1x32x1x1xf64>) outs(%2 : tensor<1x32x224x224xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %26 = arith.subf %in, %in_6 : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x224x224xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x32x224x224xf64>, tensor<1x32x224x224xf64>) outs(%2 : tensor<1x32x224x224xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %26 = arith.mulf %in, %in_6 : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x224x224xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%9 : tensor<1x32x224x224xf64>) outs(%5 : tensor<1x32x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %26 = arith.addf %in, %out : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x1x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x32x1x1xf64>) outs(%4 : tensor<1x32x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %26 = arith.divf %in, %cst_3 : f64
      linalg.yield %26 : f64
    } -> tensor<1x32x1x1xf64>
    %12 = tensor.empty() : tensor<1x32x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x32x1x1xf64>) outs(%12 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %26 = arith.truncf %in : f64 to f32
      linalg.yield %26 : f32
    } -> tensor<1x32x1x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%1 : tensor<1x32x224x224xf32>) outs(%14 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<1x32x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x32x1x1xf32>) outs(%12 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.divf %in, %cst_4 : f32
      linalg.yield %26 : f32
    } -> tensor<1x32x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x32x1x1xf32>) outs(%12 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.truncf %cst_2 : f64 to f32
      %27 = arith.addf %in, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<1x32x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x32x1x1xf32>) outs(%12 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.rsqrt %in : f32
      linalg.yield %26 : f32
    } -> tensor<1x32x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %16 : tensor<1x32x224x224xf16>, tensor<1x32x1x1xf32>) outs(%0 : tensor<1x32x224x224xf32>) {
    ^bb0(%in: f16, %in_6: f32, %out: f32):
      %26 = arith.extf %in : f16 to f32
      %27 = arith.subf %26, %in_6 : f32
      linalg.yield %27 : f32
    } -> tensor<1x32x224x224xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x32x224x224xf32>, tensor<1x32x1x1xf32>) outs(%0 : tensor<1x32x224x224xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %26 = arith.mulf %in, %in_6 : f32
      linalg.yield %26 : f32
    } -> tensor<1x32x224x224xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [32, 1, 1] : tensor<32xf16> into tensor<32x1x1xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded : tensor<1x32x224x224xf32>, tensor<32x1x1xf16>) outs(%0 : tensor<1x32x224x224xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %26 = arith.extf %in_6 : f16 to f32
      %27 = arith.mulf %in, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<1x32x224x224xf32>
    %expanded_5 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [32, 1, 1] : tensor<32xf16> into tensor<32x1x1xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_5 : tensor<1x32x224x224xf32>, tensor<32x1x1xf16>) outs(%0 : tensor<1x32x224x224xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %26 = arith.extf %in_6 : f16 to f32
      %27 = arith.addf %in, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<1x32x224x224xf32>
    %23 = tensor.empty() : tensor<1x32x224x224xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x32x224x224xf32>) outs(%23 : tensor<1x32x224x224xf16>) {
    ^bb0(%in: f32, %out: f16):
      %26 = arith.truncf %in : f32 to f16
      linalg.yield %26 : f16
    } -> tensor<1x32x224x224xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x32x224x224xf16>) outs(%23 : tensor<1x32x224x224xf16>) {
    ^bb0(%in: f16, %out: f16):
      %26 = arith.cmpf ugt, %in, %cst_1 : f16
      %27 = arith.select %26, %in, %cst_1 : f16
      linalg.yield %27 : f16
    } -> tensor<1x32x224x224xf16>
    %padded = tensor.pad %25 low[0, 0, 3, 1] high[0, 0, 4, 2] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_1 : f16
    } : tensor<1x32x224x224xf16> to tensor<1x32x231x227xf16>
    return %padded : tensor<1x32x231x227xf16>
  }
}
