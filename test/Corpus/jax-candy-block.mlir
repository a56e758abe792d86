// jax-candy-block
//   python export_jax.py . candy-block
//   torch-mlir-opt --inline --stablehlo-legalize-to-linalg --canonicalize --cse
// jax 0.10.2, torch-mlir 20261001

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<() -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3)>
module @jit_candy_block attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x7x8x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<1x10x15x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0x7FC00000 : f32
    %cst_0 = arith.constant 5.600000e+01 : f32
    %cst_1 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_2 = arith.constant dense<5.600000e+01> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x3xf32>
    %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<1x3xf32>) -> tensor<1x3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<1x7x8x3xf32>) outs(%1 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %out, %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x3xf32>
    %3 = tensor.empty() : tensor<1x1x1x3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %5 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.divf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x3xf32>
    %7 = tensor.empty() : tensor<1x7x8x3xf32>
    %8 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x8x3xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.subf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.mulf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%11 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_4 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%12 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.subf %cst_0, %in : f32
      linalg.yield %36 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%10 : tensor<1x7x8x3xf32>) outs(%1 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %out, %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x3xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<f32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.divf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x3xf32>
    %18 = tensor.empty() : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%13 : tensor<f32>) outs(%18 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %36 = arith.cmpf ogt, %in, %cst_4 : f32
      linalg.yield %36 : i1
    } -> tensor<i1>
    %20 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%11 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %21 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<f32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %extracted = tensor.extract %19[] : tensor<i1>
    %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %21 : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.select %extracted, %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x3xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %23 : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.addf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x3xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1x1x3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.sqrt %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x3xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x1x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x8x3xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %26 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.divf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x1x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x8x3xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.mulf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %31 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<3xf32>) outs(%3 : tensor<1x1x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x3xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x1x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x8x3xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %32 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.addf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x8x3xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %34 : tensor<1x7x8x3xf32>, tensor<1x7x8x3xf32>) outs(%7 : tensor<1x7x8x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %36 = arith.maximumf %in, %in_6 : f32
      linalg.yield %36 : f32
    } -> tensor<1x7x8x3xf32>
    %extracted_5 = tensor.extract %12[] : tensor<f32>
    %padded = tensor.pad %35 low[0, 1, 3, 0] high[0, 2, 4, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %extracted_5 : f32
    } : tensor<1x7x8x3xf32> to tensor<1x10x15x3xf32>
    return %padded : tensor<1x10x15x3xf32>
  }
}
