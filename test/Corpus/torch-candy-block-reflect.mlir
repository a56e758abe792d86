// torch-candy-block-reflect
// python export_pytorch.py .
// torch 2.15.0, torch-mlir 20261001, transformers 5.23.0

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
  func.func @main(%arg0: tensor<1x3x7x8xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<1x3x11x12xf32> {
    %c-2_i64 = arith.constant -2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %c3_i64 = arith.constant 3 : i64
    %c1_i64 = arith.constant 1 : i64
    %c7_i64 = arith.constant 7 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 5.600000e+01 : f64
    %cst_3 = arith.constant 5.600000e+01 : f32
    %c11_i64 = arith.constant 11 : i64
    %cst_4 = arith.constant dense<7> : tensor<i64>
    %cst_5 = arith.constant dense<6> : tensor<i64>
    %0 = tensor.empty() : tensor<1x3x7x8xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x3x7x8xf32>) outs(%0 : tensor<1x3x7x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %46 = arith.extf %in : f32 to f64
      linalg.yield %46 : f64
    } -> tensor<1x3x7x8xf64>
    %2 = tensor.empty() : tensor<1x3x1x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x3x1x1xf64>) -> tensor<1x3x1x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%1 : tensor<1x3x7x8xf64>) outs(%3 : tensor<1x3x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.addf %in, %out : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x1x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x3x1x1xf64>) outs(%2 : tensor<1x3x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.divf %in, %cst_2 : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x1x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x3x7x8xf64>, tensor<1x3x1x1xf64>) outs(%0 : tensor<1x3x7x8xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %46 = arith.subf %in, %in_11 : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x7x8xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x3x7x8xf64>, tensor<1x3x7x8xf64>) outs(%0 : tensor<1x3x7x8xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %46 = arith.mulf %in, %in_11 : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x7x8xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%7 : tensor<1x3x7x8xf64>) outs(%3 : tensor<1x3x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.addf %in, %out : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x1x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x3x1x1xf64>) outs(%2 : tensor<1x3x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.divf %in, %cst_2 : f64
      linalg.yield %46 : f64
    } -> tensor<1x3x1x1xf64>
    %10 = tensor.empty() : tensor<1x3x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x3x1x1xf64>) outs(%10 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %46 = arith.truncf %in : f64 to f32
      linalg.yield %46 : f32
    } -> tensor<1x3x1x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<1x3x7x8xf32>) outs(%12 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x1x1xf32>) outs(%10 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.divf %in, %cst_3 : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x3x1x1xf32>) outs(%10 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_1 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<1x3x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x1x1xf32>) outs(%10 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x1x1xf32>
    %17 = tensor.empty() : tensor<1x3x7x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>) outs(%17 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %46 = arith.subf %in, %in_11 : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x7x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x3x7x8xf32>, tensor<1x3x1x1xf32>) outs(%17 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %46 = arith.mulf %in, %in_11 : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x7x8xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded : tensor<1x3x7x8xf32>, tensor<3x1x1xf32>) outs(%17 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %46 = arith.mulf %in, %in_11 : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x7x8xf32>
    %expanded_6 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_6 : tensor<1x3x7x8xf32>, tensor<3x1x1xf32>) outs(%17 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %46 = arith.addf %in, %in_11 : f32
      linalg.yield %46 : f32
    } -> tensor<1x3x7x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x3x7x8xf32>) outs(%17 : tensor<1x3x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ugt, %in, %cst_0 : f32
      %47 = arith.select %46, %in, %cst_0 : f32
      linalg.yield %47 : f32
    } -> tensor<1x3x7x8xf32>
    %23 = tensor.empty() : tensor<11xi64>
    %24 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%23 : tensor<11xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      %48 = arith.addi %47, %c-2_i64 : i64
      linalg.yield %48 : i64
    } -> tensor<11xi64>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%24 : tensor<11xi64>) outs(%23 : tensor<11xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = math.absi %in : i64
      linalg.yield %46 : i64
    } -> tensor<11xi64>
    %26 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel"]} ins(%cst_5, %25 : tensor<i64>, tensor<11xi64>) outs(%23 : tensor<11xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %46 = arith.subi %in, %in_11 : i64
      linalg.yield %46 : i64
    } -> tensor<11xi64>
    %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%26 : tensor<11xi64>) outs(%23 : tensor<11xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = math.absi %in : i64
      linalg.yield %46 : i64
    } -> tensor<11xi64>
    %28 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel"]} ins(%cst_5, %27 : tensor<i64>, tensor<11xi64>) outs(%23 : tensor<11xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %46 = arith.subi %in, %in_11 : i64
      linalg.yield %46 : i64
    } -> tensor<11xi64>
    %29 = tensor.empty() : tensor<8xi64>
    %30 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%29 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<8xi64>
    %expanded_7 = tensor.expand_shape %28 [[0, 1]] output_shape [11, 1] : tensor<11xi64> into tensor<11x1xi64>
    %31 = tensor.empty() : tensor<3xi64>
    %32 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%31 : tensor<3xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<3xi64>
    %expanded_8 = tensor.expand_shape %32 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xi64> into tensor<3x1x1xi64>
    %33 = tensor.empty() : tensor<1xi64>
    %34 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%33 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_9 = tensor.expand_shape %34 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %35 = tensor.empty() : tensor<1x3x11x8xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map3, #map7, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %expanded_8, %expanded_7, %30 : tensor<1x1x1x1xi64>, tensor<3x1x1xi64>, tensor<11x1xi64>, tensor<8xi64>) outs(%35 : tensor<1x3x11x8xf32>) {
    ^bb0(%in: i64, %in_11: i64, %in_12: i64, %in_13: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_11, %c0_i64 : i64
      %51 = arith.addi %in_11, %c3_i64 : i64
      %52 = arith.select %50, %51, %in_11 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_12, %c0_i64 : i64
      %55 = arith.addi %in_12, %c7_i64 : i64
      %56 = arith.select %54, %55, %in_12 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_13, %c0_i64 : i64
      %59 = arith.addi %in_13, %c8_i64 : i64
      %60 = arith.select %58, %59, %in_13 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %22[%49, %53, %57, %61] : tensor<1x3x7x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x11x8xf32>
    %37 = tensor.empty() : tensor<12xi64>
    %38 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%37 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      %48 = arith.addi %47, %c-2_i64 : i64
      linalg.yield %48 : i64
    } -> tensor<12xi64>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%38 : tensor<12xi64>) outs(%37 : tensor<12xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = math.absi %in : i64
      linalg.yield %46 : i64
    } -> tensor<12xi64>
    %40 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel"]} ins(%cst_4, %39 : tensor<i64>, tensor<12xi64>) outs(%37 : tensor<12xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %46 = arith.subi %in, %in_11 : i64
      linalg.yield %46 : i64
    } -> tensor<12xi64>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%40 : tensor<12xi64>) outs(%37 : tensor<12xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = math.absi %in : i64
      linalg.yield %46 : i64
    } -> tensor<12xi64>
    %42 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel"]} ins(%cst_4, %41 : tensor<i64>, tensor<12xi64>) outs(%37 : tensor<12xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %46 = arith.subi %in, %in_11 : i64
      linalg.yield %46 : i64
    } -> tensor<12xi64>
    %43 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%23 : tensor<11xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<11xi64>
    %expanded_10 = tensor.expand_shape %43 [[0, 1]] output_shape [11, 1] : tensor<11xi64> into tensor<11x1xi64>
    %44 = tensor.empty() : tensor<1x3x11x12xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map3, #map7, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %expanded_8, %expanded_10, %42 : tensor<1x1x1x1xi64>, tensor<3x1x1xi64>, tensor<11x1xi64>, tensor<12xi64>) outs(%44 : tensor<1x3x11x12xf32>) {
    ^bb0(%in: i64, %in_11: i64, %in_12: i64, %in_13: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_11, %c0_i64 : i64
      %51 = arith.addi %in_11, %c3_i64 : i64
      %52 = arith.select %50, %51, %in_11 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_12, %c0_i64 : i64
      %55 = arith.addi %in_12, %c11_i64 : i64
      %56 = arith.select %54, %55, %in_12 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_13, %c0_i64 : i64
      %59 = arith.addi %in_13, %c8_i64 : i64
      %60 = arith.select %58, %59, %in_13 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %36[%49, %53, %57, %61] : tensor<1x3x11x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x11x12xf32>
    return %45 : tensor<1x3x11x12xf32>
  }
}
