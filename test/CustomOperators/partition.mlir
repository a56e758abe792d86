// Custom operators are cut like what they mean: they have no side effects, count
// as many operators and exponentials as their meanings, and stay whole.
// REQUIRES: operators
// RUN: mirage-opt %s --load-dialect-plugin=%example_operators --load-dialect-plugin=%test_operators \
// RUN:   --allow-unregistered-dialect --mirage-partition | FileCheck %s
// RUN: mirage-opt %s --load-dialect-plugin=%example_operators --load-dialect-plugin=%test_operators \
// RUN:   --allow-unregistered-dialect --mirage-partition=strict --remarks-filter=mirage-partition-details \
// RUN:   --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: mirage-opt %s --load-dialect-plugin=%example_operators --load-dialect-plugin=%test_operators \
// RUN:   --allow-unregistered-dialect --mirage-partition=max-operators=7 | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func @between_effects(
// CHECK: "custom.effect"
// CHECK: call @between_effects_part
// CHECK: "custom.effect"
// CHECK: func.func private @between_effects_part(
// CHECK-NEXT: example.swiglu
// CHECK-NEXT: mirage_kernel.matmul
// CHECK-NEXT: return
// STRICT: partition.mlir:[[@LINE+5]]:{{.*}}example.swiglu{{.*}}is no quotient of multi-linear functions and exponentials
func.func @between_effects(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  "custom.effect"() : () -> ()
  // What has effects keeps its order; the gate need not stand before the last.
  %t = "custom.effect"(%x) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %g = example.swiglu %t, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  "custom.effect"() : () -> ()
  %p = mirage_kernel.matmul %g, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %p : tensor<16x32xf32>
}

// Seven operators in the meaning; two after it.
// SMALL-LABEL: func.func @large(
// SMALL: call @large_part
// SMALL: call @large_part_0
// SMALL: func.func private @large_part_0(
// SMALL-NEXT: mirage_kernel.exp
// SMALL-NEXT: mirage_kernel.add
// SMALL-NEXT: return
// SMALL: func.func private @large_part(
// SMALL-NEXT: "test.means"
// SMALL-NEXT: return
// CHECK: func.func private @large_part(
// CHECK-NEXT: "test.means"
// CHECK-NEXT: mirage_kernel.exp
// CHECK-NEXT: mirage_kernel.add
// CHECK-NEXT: return
func.func @large(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = "test.means"(%x) {means = "tree", times = 2 : i64} : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.exp %0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = mirage_kernel.add %1, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %2 : tensor<16x64xf32>
}
