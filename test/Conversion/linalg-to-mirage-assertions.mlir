// Assertions in bodies that the user takes as given.

// RUN: mirage-opt %s -convert-linalg-to-mirage=assume-assertions -split-input-file -verify-diagnostics | FileCheck %s
// RUN: mirage-opt %s -mirage-import-linalg=assume-assertions -split-input-file 2>/dev/null | FileCheck %s
// RUN: mirage-opt %s -mirage-import-tosa=assume-assertions -split-input-file 2>/dev/null | FileCheck %s
// RUN: mirage-opt %s "-convert-linalg-to-mirage=assume-assertions remarks=false" -split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET

// QUIET-NOT: remark:

// CHECK-LABEL: func @reciprocal(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
// CHECK-NOT: assert
// CHECK: %[[D:.*]] = mirage_kernel.div %{{.*}}, %[[X]]
// CHECK-NOT: assert
// CHECK: return %[[D]]
func.func @reciprocal(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %c = arith.cmpf one, %p, %zero : f32
    // expected-remark@+1 {{'cf.assert' is taken as given and dropped}}
    cf.assert %c, "division by zero"
    %1 = arith.divf %one, %p : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// In a branch, and outside of a body, where it stays.
// CHECK-LABEL: func @elsewhere(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[C:.*]]: i1
// CHECK: cf.assert %[[C]], "outside"
// CHECK-NOT: assert
// CHECK: %[[E:.*]] = mirage_kernel.exp %[[X]]
// CHECK-NEXT: return %[[E]]
func.func @elsewhere(%x: tensor<8xf32>, %condition: i1) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  cf.assert %condition, "outside"
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %c = arith.cmpf ogt, %p, %zero : f32
    scf.if %condition {
      // expected-remark@+1 {{'cf.assert' is taken as given and dropped}}
      cf.assert %c, "not positive"
    }
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What does not convert keeps its assertion.
// CHECK-LABEL: func @stays(
// CHECK: linalg.generic
// CHECK: cf.assert
func.func @stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark@+1 {{'linalg.generic' stays: 'math.sin' has no counterpart}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %c = arith.cmpf one, %p, %zero : f32
    cf.assert %c, "zero"
    %1 = math.sin %p : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
