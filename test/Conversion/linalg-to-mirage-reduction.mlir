// Operations that accumulate along loops, without products of two factors.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// The sum of a fused chain; what it starts as is zero and disappears. The
// division by the number of elements makes it a mean, and the dimension that
// the reshape puts back is kept.
// CHECK-LABEL: func @mean_of_squares(
// CHECK-SAME: %[[X:.*]]: tensor<4x48xf16>
// CHECK-NEXT: %[[W:.*]] = mirage_kernel.cast %[[X]]
// CHECK-NEXT: %[[S:.*]] = mirage_kernel.square %[[W]]
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.reduce mean %[[S]] dim(1) keep : (tensor<4x48xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: return %[[M]]
func.func @mean_of_squares(%x: tensor<4x48xf16>) -> tensor<4x1xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 48.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x48xf16>) outs(%f : tensor<4xf32>) {
  ^bb0(%p: f16, %o: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %4 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %5 = arith.divf %p, %n : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  %6 = tensor.expand_shape %4 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  return %6 : tensor<4x1xf32>
}

// -----

// Exporters keep the reduced dimension by a zero in the map.
// CHECK-LABEL: func @max_keep(
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8xf32>
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.reduce max %[[X]] dim(2) keep : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT: return %[[M]]
func.func @max_keep(%x: tensor<2x4x8xf32>) -> tensor<2x4x1xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x1xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, 0)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x8xf32>) outs(%f : tensor<2x4x1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.maximumf %p, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x1xf32>
  return %0 : tensor<2x4x1xf32>
}

// -----

// The lowest finite number is not the neutral element of a maximum.
// CHECK-LABEL: func @max_of_lowest(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-DAG: %[[L:.*]] = mirage_kernel.constant dense<-3.40282347E+38> : tensor<1xf32>
// CHECK-DAG: %[[M:.*]] = mirage_kernel.reduce max %[[X]] dim(1)
// CHECK: %[[R:.*]] = mirage_kernel.max %[[M]], %[[L]]
// CHECK-NEXT: return %[[R]]
func.func @max_of_lowest(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %lowest = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// The maximum of an exporter that also asks where it is: the index is unused.
// CHECK-LABEL: func @argmax_unused(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.reduce max %[[X]] dim(1)
// CHECK-NEXT: return %[[M]]
func.func @argmax_unused(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %o: f32, %oi: i64):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.cmpf ogt, %p, %o : f32
    %4 = arith.select %3, %p, %o : f32
    %5 = arith.select %3, %2, %oi : i64
    linalg.yield %4, %5 : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}

// -----

// Neighbouring dimensions are reduced at once, others one by one; sums of
// narrow types are rounded once. What the sum starts as is added.
// CHECK-LABEL: func @several(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x5xf16>, %[[I:.*]]: tensor<3xf16>
// CHECK-NEXT: %[[R:.*]] = mirage_kernel.reshape %[[X]] : tensor<2x3x4x5xf16> to tensor<2x3x20xf16>
// CHECK-NEXT: %[[A:.*]] = mirage_kernel.reduce sum %[[R]] dim(2) : (tensor<2x3x20xf16>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[B:.*]] = mirage_kernel.reduce sum %[[A]] dim(0) : (tensor<2x3xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.cast %[[B]] : tensor<3xf32> to tensor<3xf16>
// CHECK-NEXT: %[[S:.*]] = mirage_kernel.add %[[C]], %[[I]]
// CHECK-NEXT: return %[[S]]
func.func @several(%x: tensor<2x3x4x5xf16>, %i: tensor<3xf16>) -> tensor<3xf16> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4x5xf16>) outs(%i : tensor<3xf16>) dimensions = [0, 2, 3]
  return %0 : tensor<3xf16>
}

// -----

// CHECK-LABEL: func @min(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[N:.*]] = mirage_kernel.scale %[[X]] by -1.0
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.reduce max %[[N]] dim(0)
// CHECK-NEXT: %[[R:.*]] = mirage_kernel.scale %[[M]] by -1.0
// CHECK-NEXT: return %[[R]]
func.func @min(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %inf = arith.constant dense<0x7F800000> : tensor<8xf32>
  %0 = linalg.reduce { arith.minimumf } ins(%x : tensor<4x8xf32>) outs(%inf : tensor<8xf32>) dimensions = [0]
  return %0 : tensor<8xf32>
}

// -----

// Two sums in one operation, one of them of what does not depend on the loop.
// CHECK-LABEL: func @two_sums(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-DAG: %[[S:.*]] = mirage_kernel.reduce sum %[[X]] dim(1)
// CHECK-DAG: %[[T:.*]] = mirage_kernel.scale %[[Y]] by -8.000000e+00
// CHECK: return %[[S]], %[[T]]
func.func @two_sums(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<4xf32>) outs(%zero, %zero : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32, %o2: f32):
    %1 = arith.addf %p, %o : f32
    %2 = arith.subf %o2, %q : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Whether all conditions of a row hold.
// CHECK-LABEL: func @all(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[C:.*]] = mirage_kernel.compare eq %[[X]], %{{.*}} : (tensor<4x8xf32>, tensor<1x1xf32>)
// CHECK: %[[N:.*]] = mirage_kernel.scale %[[C]] by -1.0
// CHECK: %[[M:.*]] = mirage_kernel.reduce max %[[N]] dim(1) keep
// CHECK: %[[A:.*]] = mirage_kernel.scale %[[M]] by -1.0
// CHECK: mirage_kernel.select %{{.*}}, %{{.*}}, %[[X]]
func.func @all(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %true = arith.constant true
  %inf = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %eb = tensor.empty() : tensor<4x8xi1>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%eb : tensor<4x8xi1>) {
  ^bb0(%p: f32, %o: i1):
    %1 = arith.extf %p : f32 to f64
    %2 = arith.cmpf oeq, %1, %inf : f64
    linalg.yield %2 : i1
  } -> tensor<4x8xi1>
  %ea = tensor.empty() : tensor<4x1xi1>
  %f = linalg.fill ins(%true : i1) outs(%ea : tensor<4x1xi1>) -> tensor<4x1xi1>
  %3 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x8xi1>) outs(%f : tensor<4x1xi1>) {
  ^bb0(%p: i1, %o: i1):
    %4 = arith.andi %p, %o : i1
    linalg.yield %4 : i1
  } -> tensor<4x1xi1>
  %e = tensor.empty() : tensor<4x8xf32>
  %5 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%3, %zero, %x : tensor<4x1xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%c: i1, %p: f32, %q: f32, %o: f32):
    %6 = arith.select %c, %p, %q : f32
    linalg.yield %6 : f32
  } -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
