// Masks that are constants made of indices. A pair that is made smaller keeps some
// rows and columns of the mask, the same in both functions; one run has all of them.
//
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-verify-equivalence='fail-on-refusal=false float-work=1e5' -o /dev/null 2>&1 | FileCheck %s
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-verify-equivalence='fail-on-refusal=false float-work=1e5 prove=false' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TESTED

// CHECK: @in_tiles computes what @causal does: proved; in floating point {{.*}} fewer rows
// CHECK-NOT: refused
// CHECK: @strict {{(may or may not|does not)}} compute
// Where a mask hides all of a tile, its scores are relative to -inf: in a causal
// one from nearly all rows, in the other one from a single row.
// CHECK: @without_lowest computes what @causal does: proved; {{.*}}; refused as numerically unstable: on normal inputs it is not finite
// CHECK: @one_row_in_tiles computes what @one_row does: proved; in floating point {{.*}} fewer rows
// CHECK: @one_row_without_lowest computes what @one_row does: proved; {{.*}}; refused as numerically unstable: on normal inputs it is not finite in float64: at [0, 37, 0]

// TESTED: @strict does not compute what @causal does: refuted

func.func @causal(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %1 = mirage_kernel.add %s, %m3 : (tensor<4x128x128xf32>, tensor<1x128x128xf32>) -> tensor<4x128x128xf32>
  %2 = mirage_kernel.softmax %1 dim(2) : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %3 = mirage_kernel.matmul %2, %v : (tensor<4x128x128xf32>, tensor<4x128x8xf32>) -> tensor<4x128x8xf32>
  return %3 : tensor<4x128x8xf32>
}
func.func @in_tiles(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> attributes {mirage.equivalent_to = @causal} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %0 = mirage_kernel.launch grid(x = 4, y = 8) (%sa = %s : tensor<4x128x128xf32>, %ma = %m3 : tensor<1x128x128xf32>, %va = %v : tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
    %lo = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1x1xf32>
    %f:2 = mirage_block.for %l = 0 to 8 -> (tensor<1x16x8xf32>, tensor<1x16x1xf32>) {
      %xs = mirage_block.load %sa imap(x -> 0, y -> 1) fmap(%l -> 2) : tensor<4x128x128xf32> to tensor<1x16x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi, y -> 1) fmap(%l -> 2) : tensor<1x128x128xf32> to tensor<1x16x16xf32>
      %vv = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%l -> 1) : tensor<4x128x8xf32> to tensor<1x16x8xf32>
      %s1 = mirage_block.add %xs, %mm : (tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %mx = mirage_block.reduce max %s1 dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %mc = mirage_block.max %mx, %lo : (tensor<1x16x1xf32>, tensor<1x1x1xf32>) -> tensor<1x16x1xf32>
      %d = mirage_block.sub %s1, %mc : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %ex = mirage_block.exp %d : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %p = mirage_block.matmul %ex, %vv : (tensor<1x16x16xf32>, tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
      %su = mirage_block.reduce sum %ex dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mc : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %su shift %mc : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      mirage_block.yield %a0, %a1 : tensor<1x16x8xf32>, tensor<1x16x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
    %st = mirage_block.store %q omap(x -> 0, y -> 1) : tensor<1x16x8xf32> to tensor<4x128x8xf32>
    mirage_block.yield %st : tensor<4x128x8xf32>
  }
  return %0 : tensor<4x128x8xf32>
}
func.func @strict(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> attributes {mirage.equivalent_to = @causal} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %one = arith.constant 1 : index
    %k = arith.addi %j, %one : index
    %c = arith.cmpi ugt, %k, %i : index
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %1 = mirage_kernel.add %s, %m3 : (tensor<4x128x128xf32>, tensor<1x128x128xf32>) -> tensor<4x128x128xf32>
  %2 = mirage_kernel.softmax %1 dim(2) : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %3 = mirage_kernel.matmul %2, %v : (tensor<4x128x128xf32>, tensor<4x128x8xf32>) -> tensor<4x128x8xf32>
  return %3 : tensor<4x128x8xf32>
}
func.func @without_lowest(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> attributes {mirage.equivalent_to = @causal} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %0 = mirage_kernel.launch grid(x = 4, y = 8) (%sa = %s : tensor<4x128x128xf32>, %ma = %m3 : tensor<1x128x128xf32>, %va = %v : tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
    %lo = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1x1xf32>
    %f:2 = mirage_block.for %l = 0 to 8 -> (tensor<1x16x8xf32>, tensor<1x16x1xf32>) {
      %xs = mirage_block.load %sa imap(x -> 0, y -> 1) fmap(%l -> 2) : tensor<4x128x128xf32> to tensor<1x16x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi, y -> 1) fmap(%l -> 2) : tensor<1x128x128xf32> to tensor<1x16x16xf32>
      %vv = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%l -> 1) : tensor<4x128x8xf32> to tensor<1x16x8xf32>
      %s1 = mirage_block.add %xs, %mm : (tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %mx = mirage_block.reduce max %s1 dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %d = mirage_block.sub %s1, %mx : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %ex = mirage_block.exp %d : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %p = mirage_block.matmul %ex, %vv : (tensor<1x16x16xf32>, tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
      %su = mirage_block.reduce sum %ex dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %su shift %mx : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      mirage_block.yield %a0, %a1 : tensor<1x16x8xf32>, tensor<1x16x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
    %st = mirage_block.store %q omap(x -> 0, y -> 1) : tensor<1x16x8xf32> to tensor<4x128x8xf32>
    mirage_block.yield %st : tensor<4x128x8xf32>
  }
  return %0 : tensor<4x128x8xf32>
}

func.func @one_row(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.constant 37 : index
    %size = arith.constant 16 : index
    %tile = arith.constant 2 : index
    %t = arith.divui %j, %size : index
    %a = arith.cmpi eq, %i, %row : index
    %b = arith.cmpi eq, %t, %tile : index
    %c = arith.andi %a, %b : i1
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %sq = mirage_kernel.square %s : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %1 = mirage_kernel.add %sq, %m3 : (tensor<4x128x128xf32>, tensor<1x128x128xf32>) -> tensor<4x128x128xf32>
  %2 = mirage_kernel.softmax %1 dim(2) : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %3 = mirage_kernel.matmul %2, %v : (tensor<4x128x128xf32>, tensor<4x128x8xf32>) -> tensor<4x128x8xf32>
  return %3 : tensor<4x128x8xf32>
}
func.func @one_row_in_tiles(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> attributes {mirage.equivalent_to = @one_row} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.constant 37 : index
    %size = arith.constant 16 : index
    %tile = arith.constant 2 : index
    %t = arith.divui %j, %size : index
    %a = arith.cmpi eq, %i, %row : index
    %b = arith.cmpi eq, %t, %tile : index
    %c = arith.andi %a, %b : i1
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %0 = mirage_kernel.launch grid(x = 4, y = 8) (%sa = %s : tensor<4x128x128xf32>, %ma = %m3 : tensor<1x128x128xf32>, %va = %v : tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
    %lo = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1x1xf32>
    %f:2 = mirage_block.for %l = 0 to 8 -> (tensor<1x16x8xf32>, tensor<1x16x1xf32>) {
      %xs = mirage_block.load %sa imap(x -> 0, y -> 1) fmap(%l -> 2) : tensor<4x128x128xf32> to tensor<1x16x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi, y -> 1) fmap(%l -> 2) : tensor<1x128x128xf32> to tensor<1x16x16xf32>
      %vv = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%l -> 1) : tensor<4x128x8xf32> to tensor<1x16x8xf32>
      %sq = mirage_block.square %xs : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %s1 = mirage_block.add %sq, %mm : (tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %mx = mirage_block.reduce max %s1 dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %mc = mirage_block.max %mx, %lo : (tensor<1x16x1xf32>, tensor<1x1x1xf32>) -> tensor<1x16x1xf32>
      %d = mirage_block.sub %s1, %mc : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %ex = mirage_block.exp %d : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %p = mirage_block.matmul %ex, %vv : (tensor<1x16x16xf32>, tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
      %su = mirage_block.reduce sum %ex dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mc : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %su shift %mc : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      mirage_block.yield %a0, %a1 : tensor<1x16x8xf32>, tensor<1x16x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
    %st = mirage_block.store %q omap(x -> 0, y -> 1) : tensor<1x16x8xf32> to tensor<4x128x8xf32>
    mirage_block.yield %st : tensor<4x128x8xf32>
  }
  return %0 : tensor<4x128x8xf32>
}
func.func @one_row_without_lowest(%s: tensor<4x128x128xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x128x8xf32> attributes {mirage.equivalent_to = @one_row} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.constant 37 : index
    %size = arith.constant 16 : index
    %tile = arith.constant 2 : index
    %t = arith.divui %j, %size : index
    %a = arith.cmpi eq, %i, %row : index
    %b = arith.cmpi eq, %t, %tile : index
    %c = arith.andi %a, %b : i1
    %x = arith.select %c, %low, %zero : f32
    linalg.yield %x : f32
  } -> tensor<128x128xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
  %0 = mirage_kernel.launch grid(x = 4, y = 8) (%sa = %s : tensor<4x128x128xf32>, %ma = %m3 : tensor<1x128x128xf32>, %va = %v : tensor<4x128x8xf32>) -> tensor<4x128x8xf32> {
    %lo = mirage_block.constant dense<-3.40282347e+38> : tensor<1x1x1xf32>
    %f:2 = mirage_block.for %l = 0 to 8 -> (tensor<1x16x8xf32>, tensor<1x16x1xf32>) {
      %xs = mirage_block.load %sa imap(x -> 0, y -> 1) fmap(%l -> 2) : tensor<4x128x128xf32> to tensor<1x16x16xf32>
      %mm = mirage_block.load %ma imap(x -> phi, y -> 1) fmap(%l -> 2) : tensor<1x128x128xf32> to tensor<1x16x16xf32>
      %vv = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%l -> 1) : tensor<4x128x8xf32> to tensor<1x16x8xf32>
      %sq = mirage_block.square %xs : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %s1 = mirage_block.add %sq, %mm : (tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %mx = mirage_block.reduce max %s1 dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %d = mirage_block.sub %s1, %mx : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %ex = mirage_block.exp %d : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %p = mirage_block.matmul %ex, %vv : (tensor<1x16x16xf32>, tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
      %su = mirage_block.reduce sum %ex dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %a0 = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
      %a1 = mirage_block.accumulate rescaled_sum %su shift %mx : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      mirage_block.yield %a0, %a1 : tensor<1x16x8xf32>, tensor<1x16x1xf32>
    }
    %q = mirage_block.div %f#0, %f#1 : (tensor<1x16x8xf32>, tensor<1x16x1xf32>) -> tensor<1x16x8xf32>
    %st = mirage_block.store %q omap(x -> 0, y -> 1) : tensor<1x16x8xf32> to tensor<4x128x8xf32>
    mirage_block.yield %st : tensor<4x128x8xf32>
  }
  return %0 : tensor<4x128x8xf32>
}
