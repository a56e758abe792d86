// Sums of products: named and generic contractions become matmul.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8x16xf16>
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<4x8xf16>, tensor<8x16xf16>) -> tensor<4x16xf32>
// CHECK-NEXT: return %[[C]]
func.func @matmul(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x16xf16>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// Operands that lie transposed are read so; what the product is added to is
// added; f16 in, f16 out.
// CHECK-LABEL: func @transposed(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf16>, %[[B:.*]]: tensor<16x8xf16>, %[[I:.*]]: tensor<4x16xf16>
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs : (tensor<8x4xf16>, tensor<16x8xf16>) -> tensor<4x16xf16>
// CHECK-NEXT: %[[S:.*]] = mirage_kernel.add %[[C]], %[[I]]
// CHECK-NEXT: return %[[S]]
func.func @transposed(%a: tensor<8x4xf16>, %b: tensor<16x8xf16>, %i: tensor<4x16xf16>) -> tensor<4x16xf16> {
  %0 = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<8x4xf16>, tensor<16x8xf16>) outs(%i : tensor<4x16xf16>) -> tensor<4x16xf16>
  return %0 : tensor<4x16xf16>
}

// -----

// A transpose before the product is one of the product's flags.
// CHECK-LABEL: func @transpose_before(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<2x16x8xf32>
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.matmul %[[A]], %[[B]] transpose_rhs : (tensor<2x4x8xf32>, tensor<2x16x8xf32>) -> tensor<2x4x16xf32>
// CHECK-NEXT: return %[[C]]
func.func @transpose_before(%a: tensor<2x4x8xf32>, %b: tensor<2x16x8xf32>) -> tensor<2x4x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x4x16xf32>
  %e = tensor.empty() : tensor<2x8x16xf32>
  %t = linalg.transpose ins(%b : tensor<2x16x8xf32>) outs(%e : tensor<2x8x16xf32>) permutation = [0, 2, 1]
  %0 = linalg.batch_matmul ins(%a, %t : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%zero : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

// -----

// Scores of attention, of queries and keys with heads inside: batch dimensions
// come first.
// CHECK-LABEL: func @einsum(
// CHECK-SAME: %[[Q:.*]]: tensor<2x5x3x8xf16>, %[[K:.*]]: tensor<2x7x3x8xf16>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.transpose %[[Q]] [0, 2, 1, 3]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.transpose %[[K]] [0, 2, 3, 1]
// CHECK: %[[C:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<2x3x5x8xf16>, tensor<2x3x8x7xf16>) -> tensor<2x3x5x7xf32>
// CHECK-NEXT: return %[[C]]
func.func @einsum(%q: tensor<2x5x3x8xf16>, %k: tensor<2x7x3x8xf16>) -> tensor<2x3x5x7xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x5x7xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x5x3x8xf16>, tensor<2x7x3x8xf16>) outs(%zero : tensor<2x3x5x7xf32>) {
  ^bb0(%p: f16, %r: f16, %o: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %r : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x3x5x7xf32>
  return %0 : tensor<2x3x5x7xf32>
}

// -----

// Rows and columns of several loops, a result in another order, a constant
// factor and a chain on an operand.
// CHECK-LABEL: func @fused(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<8x3x5xf32>
// CHECK-DAG: %[[E:.*]] = mirage_kernel.exp %[[A]]
// CHECK-DAG: %[[L:.*]] = mirage_kernel.reshape %[[E]] : tensor<2x4x8xf32> to tensor<8x8xf32>
// CHECK-DAG: %[[R:.*]] = mirage_kernel.reshape %[[B]] : tensor<8x3x5xf32> to tensor<8x15xf32>
// CHECK: %[[C:.*]] = mirage_kernel.matmul %[[R]], %[[L]] transpose_lhs transpose_rhs : (tensor<8x15xf32>, tensor<8x8xf32>) -> tensor<15x8xf32>
// CHECK: mirage_kernel.scale %{{.*}} by 5.000000e-01
func.func @fused(%a: tensor<2x4x8xf32>, %b: tensor<8x3x5xf32>) -> tensor<3x5x2x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x5x2x4xf32>
  %half = arith.constant 0.5 : f32
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l, m) -> (i, j, k)>, affine_map<(i, j, k, l, m) -> (k, l, m)>, affine_map<(i, j, k, l, m) -> (l, m, i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<2x4x8xf32>, tensor<8x3x5xf32>) outs(%zero : tensor<3x5x2x4xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %1 = math.exp %p : f32
    %2 = arith.mulf %1, %r : f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.addf %3, %o : f32
    linalg.yield %4 : f32
  } -> tensor<3x5x2x4xf32>
  return %0 : tensor<3x5x2x4xf32>
}

// -----

// What only one factor is summed over is summed first; a vector is a matrix of
// one column.
// CHECK-LABEL: func @sum_first(
// CHECK-SAME: %[[A:.*]]: tensor<4x8x6xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-DAG: %[[S:.*]] = mirage_kernel.reduce sum %[[A]] dim(2)
// CHECK-DAG: %[[V:.*]] = mirage_kernel.reshape %[[B]] : tensor<8xf32> to tensor<8x1xf32>
// CHECK: %[[C:.*]] = mirage_kernel.matmul %[[S]], %[[V]]
// CHECK: %[[R:.*]] = mirage_kernel.reshape %[[C]] : tensor<4x1xf32> to tensor<4xf32>
// CHECK: return %[[R]]
func.func @sum_first(%a: tensor<4x8x6xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k, l) -> (i, k, l)>, affine_map<(i, k, l) -> (k)>, affine_map<(i, k, l) -> (i)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<4x8x6xf32>, tensor<8xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Scalar products of rows are no products of matrices.
// CHECK-LABEL: func @row_products(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.mul %[[A]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = mirage_kernel.reduce sum %[[M]] dim(1)
// CHECK-NEXT: return %[[S]]
func.func @row_products(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Batch dimensions that were joined for batch_matmul come apart again.
// CHECK-LABEL: func @joined_batch(
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4x8xf32>, %[[B:.*]]: tensor<8x5xf32>
// CHECK: %[[W:.*]] = mirage_kernel.reshape %{{.*}} : tensor<6x8x5xf32> to tensor<2x3x8x5xf32>
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.matmul %[[A]], %[[W]] : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[C]]
func.func @joined_batch(%a: tensor<2x3x4x8xf32>, %b: tensor<8x5xf32>) -> tensor<2x3x4x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<6x4x5xf32>
  %e = tensor.empty() : tensor<6x8x5xf32>
  %l = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into tensor<6x4x8xf32>
  %r = linalg.broadcast ins(%b : tensor<8x5xf32>) outs(%e : tensor<6x8x5xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%l, %r : tensor<6x4x8xf32>, tensor<6x8x5xf32>) outs(%zero : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
  return %1 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func @named(
// CHECK: mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<2x8x1xf32>) -> tensor<2x4x1xf32>
// CHECK: mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4x1xf32>
// CHECK: mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<1x4xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK: mirage_kernel.matmul %{{.*}}, %{{.*}} transpose_rhs : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
func.func @named(%a: tensor<2x4x8xf32>, %b: tensor<2x8xf32>, %c: tensor<4x8xf32>, %d: tensor<8xf32>, %g: tensor<4xf32>)
    -> (tensor<2x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x4xf32>) {
  %z0 = arith.constant dense<0.0> : tensor<2x4xf32>
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<8xf32>
  %z3 = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.batch_matvec ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8xf32>) outs(%z0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.matvec ins(%c, %d : tensor<4x8xf32>, tensor<8xf32>) outs(%z1 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.vecmat ins(%g, %c : tensor<4xf32>, tensor<4x8xf32>) outs(%z2 : tensor<8xf32>) -> tensor<8xf32>
  %3 = linalg.contract
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %c : tensor<4x8xf32>, tensor<4x8xf32>) outs(%z3 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x4xf32>
}
