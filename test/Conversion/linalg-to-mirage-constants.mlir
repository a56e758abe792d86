// Constants, and what is computed of loop indices and constants only.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// CHECK-LABEL: func @constants(
// CHECK-DAG: %[[A:.*]] = mirage_kernel.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = mirage_kernel.constant dense<3.000000e+00> : tensor<4xf16>
// CHECK-DAG: %[[C:.*]] = mirage_kernel.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf64>
// CHECK-DAG: %[[D:.*]] = mirage_kernel.constant dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @constants() -> (tensor<2xf32>, tensor<4xf16>, tensor<2xf64>, tensor<2xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %three = arith.constant 3.0 : f16
  %e = tensor.empty() : tensor<4xf16>
  %b = linalg.fill ins(%three : f16) outs(%e : tensor<4xf16>) -> tensor<4xf16>
  %four = arith.constant 4.0 : f64
  %five = arith.constant 5.0 : f64
  %c = tensor.from_elements %four, %five : tensor<2xf64>
  %d = arith.constant dense_resource<blob> : tensor<2xf32>
  return %a, %b, %c, %d : tensor<2xf32>, tensor<4xf16>, tensor<2xf64>, tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000C03F000000C0"
    }
  }
#-}

// -----

// The causal mask, as numbers to add.
// CHECK-LABEL: func @causal_numbers(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x3xf32>
// CHECK{LITERAL}: mirage_kernel.constant dense<[[[0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x3x3xf32>
// CHECK-NEXT: mirage_kernel.add %[[X]], %{{.*}} : (tensor<2x3x3xf32>, tensor<1x3x3xf32>) -> tensor<2x3x3xf32>
func.func @causal_numbers(%x: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x3xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x3x3xf32>) outs(%e : tensor<2x3x3xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %1 = arith.cmpi sge, %i, %j : index
    %2 = arith.select %1, %zero, %inf : f32
    %3 = arith.addf %p, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

// -----

// An operation that folds to what its operand is computed of.
// CHECK-LABEL: func @folds_through(
// CHECK{LITERAL}: mirage_kernel.constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<2x3xf32>
func.func @folds_through(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.subi %j, %i : index
    %2 = arith.addi %1, %i : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.addf %p, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The same as a tensor of conditions, made of tensors of integers.
// CHECK-LABEL: func @causal_select(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf32>
// CHECK-NOT: linalg
// CHECK-DAG: %[[INF:.*]] = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
// CHECK-DAG: %[[MASK:.*]] = mirage_kernel.constant dense<{{.*}}1.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<3x3xf32>
// CHECK: mirage_kernel.select %[[MASK]], %[[X]], %[[INF]]
func.func @causal_select(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<3xi32>
  %eb = tensor.empty() : tensor<3x3xi1>
  %e = tensor.empty() : tensor<3x3xf32>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%ei : tensor<3xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    linalg.yield %j : i32
  } -> tensor<3xi32>
  %mask = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%iota, %iota : tensor<3xi32>, tensor<3xi32>) outs(%eb : tensor<3x3xi1>) {
  ^bb0(%i: i32, %j: i32, %o: i1):
    %1 = arith.cmpi sge, %i, %j : i32
    linalg.yield %1 : i1
  } -> tensor<3x3xi1>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<3x3xi1>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%c: i1, %p: f32, %o: f32):
    %2 = arith.select %c, %p, %inf : f32
    linalg.yield %2 : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

// Numbers of indices.
// CHECK-LABEL: func @iota(
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @iota() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    linalg.yield %k : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
