// Llama's layer for one token: a gated product and the product back.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @swiglu_down(%arg0: tensor<1x1024xbf16>, %arg1: tensor<1024x2816xbf16>, %arg2: tensor<1024x2816xbf16>, %arg3: tensor<2816x1024xbf16>) -> tensor<1x1024xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2816xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2816xf32>) -> tensor<1x2816xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<1x1024xbf16>, tensor<1024x2816xbf16>) outs(%1 : tensor<1x2816xf32>) -> tensor<1x2816xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %3 = tensor.empty() : tensor<1x2816xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<1x2816xf32>) outs(%3 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_3 = arith.constant -1.000000e+00 : f32
      %25 = arith.mulf %in, %cst_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %5 = tensor.empty() : tensor<1x2816xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x2816xf32>) outs(%5 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.exp %in : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %7 = tensor.empty() : tensor<1x2816xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %6 : tensor<1x1xf32>, tensor<1x2816xf32>) outs(%7 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.addf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %9 = tensor.empty() : tensor<1x2816xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %8 : tensor<1x1xf32>, tensor<1x2816xf32>) outs(%9 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.divf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %11 = tensor.empty() : tensor<1x2816xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %10 : tensor<1x2816xf32>, tensor<1x2816xf32>) outs(%11 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %13 = tensor.empty() : tensor<1x2816xf32>
    %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<1x2816xf32>) -> tensor<1x2816xf32>
    %15 = linalg.matmul ins(%arg0, %arg2 : tensor<1x1024xbf16>, tensor<1024x2816xbf16>) outs(%14 : tensor<1x2816xf32>) -> tensor<1x2816xf32>
    %16 = tensor.empty() : tensor<1x2816xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %15 : tensor<1x2816xf32>, tensor<1x2816xf32>) outs(%16 : tensor<1x2816xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2816xf32>
    %18 = tensor.empty() : tensor<1x2816xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<1x2816xf32>) outs(%18 : tensor<1x2816xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<1x2816xbf16>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %20 = tensor.empty() : tensor<1x1024xf32>
    %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %22 = linalg.matmul ins(%19, %arg3 : tensor<1x2816xbf16>, tensor<2816x1024xbf16>) outs(%21 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %23 = tensor.empty() : tensor<1x1024xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<1x1024xf32>) outs(%23 : tensor<1x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<1x1024xbf16>
    return %24 : tensor<1x1024xbf16>
  }
}

