// A product with a matrix of equal numbers, as the normalizer of linear attention that
// is written as a row of ones, stays a kernel of its own: operators that candidates
// have take constants element by element only. What is beside it is searched for.
//
// RUN: mirage-opt %s --mirage-superoptimize=function=normalizer -o /dev/null --remark-policy=all --remarks-filter=mirage-superoptimize 2>&1 | FileCheck %s

// CHECK: Function=normalizer
// CHECK-SAME: became 1 launch and 1 kernel
// CHECK-SAME: proved

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @normalizer(%q: tensor<16x49x16xf32>) -> tensor<16x1x16xf32> {
  %one = mirage_kernel.constant dense<1.000000e+00> : tensor<16x1x49xf32>
  %relu = mirage_kernel.relu %q : (tensor<16x49x16xf32>) -> tensor<16x49x16xf32>
  %sum = mirage_kernel.matmul %one, %relu : (tensor<16x1x49xf32>, tensor<16x49x16xf32>) -> tensor<16x1x16xf32>
  return %sum : tensor<16x1x16xf32>
}

}
