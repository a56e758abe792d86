// A step of a long short-term memory, the gates' weights in one matrix.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @lstm_cell(%arg0: tensor<16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<16x256xf32>, %arg3: tensor<256x1024xf32>, %arg4: tensor<256x1024xf32>, %arg5: tensor<1024xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>) {
    %cst = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x1024xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %2 = linalg.matmul ins(%arg0, %arg3 : tensor<16x256xf32>, tensor<256x1024xf32>) outs(%1 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %3 = tensor.empty() : tensor<16x1024xf32>
    %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %5 = linalg.matmul ins(%arg1, %arg4 : tensor<16x256xf32>, tensor<256x1024xf32>) outs(%4 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %6 = tensor.empty() : tensor<16x1024xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<16x1024xf32>, tensor<16x1024xf32>) outs(%6 : tensor<16x1024xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x1024xf32>
    %expanded = tensor.expand_shape %arg5 [[0, 1]] output_shape [1, 1024] : tensor<1024xf32> into tensor<1x1024xf32>
    %8 = tensor.empty() : tensor<16x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %expanded : tensor<16x1024xf32>, tensor<1x1024xf32>) outs(%8 : tensor<16x1024xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x1024xf32>
    %extracted_slice = tensor.extract_slice %9[0, 512] [16, 256] [1, 1] : tensor<16x1024xf32> to tensor<16x256xf32>
    %10 = tensor.empty() : tensor<16x256xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<16x256xf32>) outs(%10 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_7 = arith.constant -1.000000e+00 : f32
      %46 = arith.mulf %in, %cst_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %12 = tensor.empty() : tensor<16x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<16x256xf32>) outs(%12 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %14 = tensor.empty() : tensor<16x256xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst, %13 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%14 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %16 = tensor.empty() : tensor<16x256xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst, %15 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%16 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.divf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %extracted_slice_3 = tensor.extract_slice %9[0, 256] [16, 256] [1, 1] : tensor<16x1024xf32> to tensor<16x256xf32>
    %18 = tensor.empty() : tensor<16x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<16x256xf32>) outs(%18 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_7 = arith.constant -1.000000e+00 : f32
      %46 = arith.mulf %in, %cst_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %20 = tensor.empty() : tensor<16x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<16x256xf32>) outs(%20 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %22 = tensor.empty() : tensor<16x256xf32>
    %23 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2, %21 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%22 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %24 = tensor.empty() : tensor<16x256xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2, %23 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%24 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.divf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %26 = tensor.empty() : tensor<16x256xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %arg2 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%26 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.mulf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
    %extracted_slice_5 = tensor.extract_slice %9[0, 0] [16, 256] [1, 1] : tensor<16x1024xf32> to tensor<16x256xf32>
    %28 = tensor.empty() : tensor<16x256xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_5 : tensor<16x256xf32>) outs(%28 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_7 = arith.constant -1.000000e+00 : f32
      %46 = arith.mulf %in, %cst_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %30 = tensor.empty() : tensor<16x256xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<16x256xf32>) outs(%30 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %32 = tensor.empty() : tensor<16x256xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4, %31 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%32 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %34 = tensor.empty() : tensor<16x256xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4, %33 : tensor<1x1xf32>, tensor<16x256xf32>) outs(%34 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.divf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %extracted_slice_6 = tensor.extract_slice %9[0, 768] [16, 256] [1, 1] : tensor<16x1024xf32> to tensor<16x256xf32>
    %36 = tensor.empty() : tensor<16x256xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_6 : tensor<16x256xf32>) outs(%36 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.tanh %in : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %38 = tensor.empty() : tensor<16x256xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %37 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%38 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.mulf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %40 = tensor.empty() : tensor<16x256xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %39 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%40 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.addf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %42 = tensor.empty() : tensor<16x256xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<16x256xf32>) outs(%42 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.tanh %in : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    %44 = tensor.empty() : tensor<16x256xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %43 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%44 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %46 = arith.mulf %in, %in_7 : f32
      linalg.yield %46 : f32
    } -> tensor<16x256xf32>
    return %45, %41 : tensor<16x256xf32>, tensor<16x256xf32>
  }
}

