// What is printed for inputs and results, and what it depends on.

// RUN: mirage-run %s > %t.first
// RUN: FileCheck %s < %t.first
// RUN: mirage-run %s --threads=1 --entry=scale --device=cpu | diff %t.first -
// RUN: mirage-run %s --threads=3 --seed=0 --distribution=normal | diff %t.first -
// RUN: mirage-run %s --precision=storage < /dev/null | diff %t.first -
// RUN: cat %s | mirage-run - | diff %t.first -

// CHECK: input 0: tensor<4x16xf16> sum={{[-0-9.]+}} hash={{[0-9a-f]+}} min=-{{[0-9.]+}} max={{[0-9.]+}} nan=0 inf=0
// CHECK-NEXT: result 0: tensor<4x16xf16> sum=
// CHECK-NEXT: result 1: tensor<4xf16> sum=
// CHECK-NOT: result 2

// Another seed gives other inputs, a constant distribution known ones.
// RUN: mirage-run %s --seed=1 | not diff %t.first -
// RUN: mirage-run %s --distribution=constant | FileCheck %s --check-prefix=CONSTANT
// RUN: mirage-run %s --distribution=uniform | FileCheck %s --check-prefix=UNIFORM
// RUN: mirage-run %s --distribution=large | FileCheck %s --check-prefix=LARGE

// CONSTANT: input 0: tensor<4x16xf16> sum=32 hash=[[IN:[0-9a-f]+]] min=0.5 max=0.5
// CONSTANT-NEXT: result 0: tensor<4x16xf16> sum=96 hash={{[0-9a-f]+}} min=1.5 max=1.5
// CONSTANT-NEXT: result 1: tensor<4xf16> sum=96 hash={{[0-9a-f]+}} min=24 max=24 nan=0 inf=0
// UNIFORM: input 0: {{.*}} min=-0.{{[0-9]+}} max=0.{{[0-9]+}} nan=0
// LARGE: input 0: {{.*}} min=-{{[0-9][0-9][0-9]}}{{.*}} max={{[0-9][0-9][0-9]}}

func.func @scale(%x: tensor<4x16xf16>) -> (tensor<4x16xf16>, tensor<4xf16>) {
  %y = mirage_kernel.scale %x by 3.0 : (tensor<4x16xf16>) -> tensor<4x16xf16>
  %z = mirage_kernel.reduce sum %y dim(1) : (tensor<4x16xf16>) -> tensor<4xf16>
  return %y, %z : tensor<4x16xf16>, tensor<4xf16>
}
