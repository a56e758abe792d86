// Where the search chooses among kernels it tries rules with these. Otherwise
// they are decided before it, by what operators take.

// RUN: mirage-opt %s --mirage-optimize='pieces=false effort=1 threads=1' \
// RUN:   --remark-policy=all --remarks-filter=mirage-transform-graphs \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: mirage-opt %s --mirage-optimize='alternatives=0 effort=1 threads=1' \
// RUN:   --remark-policy=all --remarks-filter=mirage-transform-graphs \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: mirage-opt %s --mirage-optimize='effort=1 threads=1' \
// RUN:   --remark-policy=all --remarks-filter=mirage-transform-graphs \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=LATER --allow-empty

// BEFORE: Remark="DividedRows: {{.*}}, taken"
// LATER-NOT: DividedRows
func.func @rows(%x: tensor<4096x1024xf32>, %d: tensor<4096x1xf32>,
                %v: tensor<1024x64xf32>, %w: tensor<1024x64xf32>)
    -> (tensor<4096x64xf32>, tensor<4096x64xf32>) {
  %y = mirage_kernel.div %x, %d
      : (tensor<4096x1024xf32>, tensor<4096x1xf32>) -> tensor<4096x1024xf32>
  %0 = mirage_kernel.matmul %y, %v
      : (tensor<4096x1024xf32>, tensor<1024x64xf32>) -> tensor<4096x64xf32>
  %1 = mirage_kernel.matmul %y, %w
      : (tensor<4096x1024xf32>, tensor<1024x64xf32>) -> tensor<4096x64xf32>
  return %0, %1 : tensor<4096x64xf32>, tensor<4096x64xf32>
}
