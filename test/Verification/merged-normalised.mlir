// Parts of the keys, each with its own softmax, are merged by weights that are
// exponentials of log-sum-exps: sums cancel with powers of themselves. Weights
// that are anything else are refused.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=threads=1 -o /dev/null 2>/dev/null | FileCheck %s

// CHECK: @merged computes what @attention does: proved; in floating point
// CHECK-NOT: refused
// CHECK: @exchanged_weights {{(may or may not|does not)}} compute
// CHECK: @weights_of_maxima {{(may or may not|does not)}} compute
func.func @attention(%a0: tensor<2x8x16xf32>, %a1: tensor<2x32x16xf32>, %a2: tensor<2x32x16xf32>) -> (tensor<2x8x16xf32>) {
  %v1 = mirage_kernel.attention %a0, %a1, %a2 scale(0.25) : (tensor<2x8x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
  return %v1 : tensor<2x8x16xf32>
}
func.func @merged(%a0: tensor<2x8x16xf32>, %a1: tensor<2x32x16xf32>, %a2: tensor<2x32x16xf32>) -> (tensor<2x8x16xf32>) attributes {mirage.equivalent_to = @attention} {
  %v2:2 = mirage_kernel.split %a2 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v3:2 = mirage_kernel.split %a1 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v4 = mirage_kernel.matmul %a0, %v3#0 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v5 = mirage_kernel.scale %v4 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v6 = mirage_kernel.matmul %a0, %v3#1 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v7 = mirage_kernel.scale %v6 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v8 = mirage_kernel.reduce max %v5 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v9 = mirage_kernel.sub %v5, %v8 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v10 = mirage_kernel.exp %v9 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v11 = mirage_kernel.reduce sum %v10 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v12 = mirage_kernel.log %v11 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v13 = mirage_kernel.add %v8, %v12 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v14 = mirage_kernel.reduce max %v7 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v15 = mirage_kernel.sub %v7, %v14 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v16 = mirage_kernel.exp %v15 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v17 = mirage_kernel.reduce sum %v16 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v18 = mirage_kernel.log %v17 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v19 = mirage_kernel.add %v14, %v18 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v20 = mirage_kernel.max %v13, %v19 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v21 = mirage_kernel.sub %v13, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v22 = mirage_kernel.exp %v21 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v23 = mirage_kernel.sub %v19, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v24 = mirage_kernel.exp %v23 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v25 = mirage_kernel.softmax %v5 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v26 = mirage_kernel.matmul %v25, %v2#0 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v27 = mirage_kernel.mul %v26, %v22 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v28 = mirage_kernel.softmax %v7 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v29 = mirage_kernel.matmul %v28, %v2#1 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v30 = mirage_kernel.mul %v29, %v24 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v31 = mirage_kernel.add %v27, %v30 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v32 = mirage_kernel.add %v22, %v24 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v33 = mirage_kernel.div %v31, %v32 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  return %v33 : tensor<2x8x16xf32>
}
func.func @exchanged_weights(%a0: tensor<2x8x16xf32>, %a1: tensor<2x32x16xf32>, %a2: tensor<2x32x16xf32>) -> (tensor<2x8x16xf32>) attributes {mirage.equivalent_to = @attention} {
  %v2:2 = mirage_kernel.split %a2 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v3:2 = mirage_kernel.split %a1 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v4 = mirage_kernel.matmul %a0, %v3#0 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v5 = mirage_kernel.scale %v4 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v6 = mirage_kernel.matmul %a0, %v3#1 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v7 = mirage_kernel.scale %v6 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v8 = mirage_kernel.reduce max %v5 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v9 = mirage_kernel.sub %v5, %v8 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v10 = mirage_kernel.exp %v9 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v11 = mirage_kernel.reduce sum %v10 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v12 = mirage_kernel.log %v11 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v13 = mirage_kernel.add %v8, %v12 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v14 = mirage_kernel.reduce max %v7 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v15 = mirage_kernel.sub %v7, %v14 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v16 = mirage_kernel.exp %v15 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v17 = mirage_kernel.reduce sum %v16 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v18 = mirage_kernel.log %v17 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v19 = mirage_kernel.add %v14, %v18 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v20 = mirage_kernel.max %v13, %v19 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v21 = mirage_kernel.sub %v13, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v22 = mirage_kernel.exp %v21 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v23 = mirage_kernel.sub %v19, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v24 = mirage_kernel.exp %v23 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v25 = mirage_kernel.softmax %v5 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v26 = mirage_kernel.matmul %v25, %v2#0 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v27 = mirage_kernel.mul %v26, %v24 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v28 = mirage_kernel.softmax %v7 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v29 = mirage_kernel.matmul %v28, %v2#1 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v30 = mirage_kernel.mul %v29, %v22 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v31 = mirage_kernel.add %v27, %v30 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v32 = mirage_kernel.add %v22, %v24 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v33 = mirage_kernel.div %v31, %v32 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  return %v33 : tensor<2x8x16xf32>
}
func.func @weights_of_maxima(%a0: tensor<2x8x16xf32>, %a1: tensor<2x32x16xf32>, %a2: tensor<2x32x16xf32>) -> (tensor<2x8x16xf32>) attributes {mirage.equivalent_to = @attention} {
  %v2:2 = mirage_kernel.split %a2 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v3:2 = mirage_kernel.split %a1 dim(1) parts(2) : (tensor<2x32x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>)
  %v4 = mirage_kernel.matmul %a0, %v3#0 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v5 = mirage_kernel.scale %v4 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v6 = mirage_kernel.matmul %a0, %v3#1 transpose_rhs : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v7 = mirage_kernel.scale %v6 by 0.25 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v8 = mirage_kernel.reduce max %v5 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v9 = mirage_kernel.sub %v5, %v8 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v10 = mirage_kernel.exp %v9 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v11 = mirage_kernel.reduce sum %v10 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v12 = mirage_kernel.log %v11 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v13 = mirage_kernel.add %v8, %v8 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v14 = mirage_kernel.reduce max %v7 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v15 = mirage_kernel.sub %v7, %v14 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v16 = mirage_kernel.exp %v15 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v17 = mirage_kernel.reduce sum %v16 dim(2) keep : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %v18 = mirage_kernel.log %v17 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v19 = mirage_kernel.add %v14, %v14 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v20 = mirage_kernel.max %v13, %v19 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v21 = mirage_kernel.sub %v13, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v22 = mirage_kernel.exp %v21 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v23 = mirage_kernel.sub %v19, %v20 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v24 = mirage_kernel.exp %v23 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v25 = mirage_kernel.softmax %v5 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v26 = mirage_kernel.matmul %v25, %v2#0 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v27 = mirage_kernel.mul %v26, %v22 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v28 = mirage_kernel.softmax %v7 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v29 = mirage_kernel.matmul %v28, %v2#1 : (tensor<2x8x16xf32>, tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v30 = mirage_kernel.mul %v29, %v24 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %v31 = mirage_kernel.add %v27, %v30 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v32 = mirage_kernel.add %v22, %v24 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v33 = mirage_kernel.div %v31, %v32 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  return %v33 : tensor<2x8x16xf32>
}

// The row that the shift leaves as it is has the error of the logarithm, which no
// program that subtracts it can avoid.
// CHECK: @by_logarithm computes what @softmax does: proved; in floating point
// CHECK-NOT: refused
// CHECK: @by_sum {{(may or may not|does not)}} compute
func.func @softmax(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
func.func @by_logarithm(%x: tensor<8x32xf32>) -> tensor<8x32xf32> attributes {mirage.equivalent_to = @softmax} {
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e = mirage_kernel.exp %d : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = mirage_kernel.reduce sum %e dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %l = mirage_kernel.log %s : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %t = mirage_kernel.add %m, %l : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.sub %x, %t : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %z = mirage_kernel.exp %y : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}
func.func @by_sum(%x: tensor<8x32xf32>) -> tensor<8x32xf32> attributes {mirage.equivalent_to = @softmax} {
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %e = mirage_kernel.exp %d : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = mirage_kernel.reduce sum %e dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %t = mirage_kernel.add %m, %s : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.sub %x, %t : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %z = mirage_kernel.exp %y : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}
