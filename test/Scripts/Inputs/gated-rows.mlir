// A module as an exporter writes it: rows times what a sigmoid makes of other rows.
#rows = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<16x64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<16x64xf32>, tensor<16x64xf32>) outs(%empty : tensor<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %b : f32
    %e = math.exp %n : f32
    %s = arith.addf %e, %one : f32
    %g = arith.divf %a, %s : f32
    linalg.yield %g : f32
  } -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
