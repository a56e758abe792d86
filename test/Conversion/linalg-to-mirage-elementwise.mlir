// Operations whose loops are all parallel: bodies become elementwise operators,
// maps become layouts.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// CHECK-LABEL: func @chain(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[R:.*]] = mirage_kernel.reshape %[[B]] : tensor<8xf32> to tensor<1x8xf32>
// CHECK-NEXT: %[[W:.*]] = mirage_kernel.cast %[[X]] : tensor<4x8xf16> to tensor<4x8xf32>
// CHECK-NEXT: %[[A:.*]] = mirage_kernel.add %[[R]], %[[W]]
// CHECK-NEXT: %[[N:.*]] = mirage_kernel.scale %[[A]] by -2.000000e+00
// CHECK-NEXT: %[[E:.*]] = mirage_kernel.exp %[[N]]
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.cast %[[E]] : tensor<4x8xf32> to tensor<4x8xf16>
// CHECK-NEXT: return %[[C]]
func.func @chain(%x: tensor<4x8xf16>, %b: tensor<8xf32>) -> tensor<4x8xf16> {
  %two = arith.constant -2.0 : f32
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf16>, tensor<8xf32>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f32, %o: f16):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.addf %q, %1 : f32
    %3 = arith.mulf %2, %two : f32
    %4 = math.exp %3 : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// -----

// Named operations are read by their bodies too.
// CHECK-LABEL: func @named(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>
// CHECK: %[[ADD:.*]] = mirage_kernel.add %[[X]], %[[Y]]
// CHECK: %[[EXP:.*]] = mirage_kernel.exp %[[ADD]]
// CHECK: %[[T:.*]] = mirage_kernel.transpose %[[EXP]] [1, 0]
// CHECK: %[[MAX:.*]] = mirage_kernel.max %[[EXP]], %[[Y]]
// CHECK: %[[TANH:.*]] = mirage_kernel.tanh %[[MAX]]
// CHECK: %[[SQ:.*]] = mirage_kernel.square %[[TANH]]
// CHECK: return %[[T]], %[[SQ]]
func.func @named(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.add ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %3 = linalg.map { arith.maximumf } ins(%1, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %4 = linalg.tanh ins(%3 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.square ins(%4 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2, %5 : tensor<8x4xf32>, tensor<4x8xf32>
}

// -----

// Maps with zeros index dimensions of size one; what is only repeated is
// broadcast. An operand that is broadcast for the next operation is not.
// CHECK-LABEL: func @broadcasts(
// CHECK-SAME: %[[X:.*]]: tensor<4x1xf32>, %[[Y:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[B:.*]] = mirage_kernel.broadcast %[[X]] : tensor<4x1xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.mul %[[X]], %[[Y]] : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[B]], %[[M]]
func.func @broadcasts(%x: tensor<4x1xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  %1 = linalg.mul ins(%0, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Every result of several; what the body reads of an output is an operand.
// CHECK-LABEL: func @results(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>
// CHECK: %[[L:.*]] = mirage_kernel.log %[[X]]
// CHECK: %[[S:.*]] = mirage_kernel.sub %[[L]], %[[Y]]
// CHECK: %[[T:.*]] = mirage_kernel.transpose %[[L]] [1, 0]
// CHECK: return %[[S]], %[[T]]
func.func @results(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%y, %e : tensor<4x8xf32>, tensor<8x4xf32>) {
  ^bb0(%p: f32, %o: f32, %o2: f32):
    %1 = math.log %p : f32
    %2 = arith.subf %1, %o : f32
    linalg.yield %2, %1 : f32, f32
  } -> (tensor<4x8xf32>, tensor<8x4xf32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// -----

// One meaning, many spellings.
// CHECK-LABEL: func @spellings(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK-DAG: %[[RELU:.*]] = mirage_kernel.relu %[[X]]
// CHECK-DAG: %[[MIN:.*]] = mirage_kernel.min %[[Y]], %[[X]]
// CHECK-DAG: %[[SQUARE:.*]] = mirage_kernel.square %[[X]]
// CHECK-DAG: %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[X]]
// CHECK-DAG: %[[HALF:.*]] = mirage_kernel.scale %[[X]] by 5.000000e-01
// CHECK-DAG: %[[CUBE:.*]] = mirage_kernel.pow %[[X]] to 3.000000e+00
// CHECK: return %[[RELU]], %[[MIN]], %[[SQUARE]], %[[RSQRT]], %[[HALF]], %[[CUBE]]
func.func @spellings(%x: tensor<8xf32>, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %i2 = arith.constant 2 : i32
  %three = arith.constant 3.0 : f32
  %mhalf = arith.constant -0.5 : f64
  %e = tensor.empty() : tensor<8xf32>
  %0:6 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                       affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
      outs(%e, %e, %e, %e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32, %o5: f32):
    %c0 = arith.cmpf ugt, %p, %zero : f32
    %relu = arith.select %c0, %p, %zero : f32
    %c1 = arith.cmpf olt, %q, %p : f32
    %min = arith.select %c1, %q, %p : f32
    %square = math.fpowi %p, %i2 : f32, i32
    %exponent = arith.truncf %mhalf : f64 to f32
    %rsqrt = math.powf %p, %exponent : f32
    %half = arith.divf %p, %two : f32
    %cube = math.powf %p, %three : f32
    linalg.yield %relu, %min, %square, %rsqrt, %half, %cube : f32, f32, f32, f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Conditions are ones and zeros, also as tensors between two operations.
// CHECK-LABEL: func @conditions(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK-NOT: i1
// CHECK: %[[LE:.*]] = mirage_kernel.compare le %[[X]], %[[Y]]
// CHECK: %[[NE:.*]] = mirage_kernel.compare ne %[[X]],
// CHECK: %[[AND:.*]] = mirage_kernel.min
// CHECK: %[[S:.*]] = mirage_kernel.select %[[AND]], %[[X]], %[[Y]]
// CHECK: return %[[S]]
func.func @conditions(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %eb = tensor.empty() : tensor<8xi1>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%eb : tensor<8xi1>) {
  ^bb0(%p: f32, %q: f32, %o: i1):
    %1 = arith.cmpf ole, %p, %q : f32
    %2 = arith.cmpf une, %p, %one : f32
    %3 = arith.andi %1, %2 : i1
    linalg.yield %3 : i1
  } -> tensor<8xi1>
  %4 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%0, %x, %y : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %p: f32, %q: f32, %o: f32):
    %5 = arith.select %c, %p, %q : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// A comparison that holds for NaN is the negation of one that does not.
// CHECK-LABEL: func @unordered(
// CHECK-SAME: %[[X:.*]]: tensor<8xf16>, %[[Y:.*]]: tensor<8xf16>
// CHECK: %[[GE:.*]] = mirage_kernel.compare ge %[[X]], %[[Y]]
// CHECK: %[[NOT:.*]] = mirage_kernel.compare eq %[[GE]], %{{.*}} : (tensor<8xf16>, tensor<1xf16>)
// CHECK: %[[F:.*]] = mirage_kernel.cast %[[NOT]] : tensor<8xf16> to tensor<8xf32>
// CHECK: return %[[F]]
func.func @unordered(%x: tensor<8xf16>, %y: tensor<8xf16>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %1 = arith.cmpf ult, %p, %q : f16
    %2 = arith.uitofp %1 : i1 to f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// arith and math on tensors.
// CHECK-LABEL: func @on_tensors(
// CHECK-SAME: %[[X:.*]]: tensor<8xf16>
// CHECK: %[[W:.*]] = mirage_kernel.cast %[[X]] : tensor<8xf16> to tensor<8xf32>
// CHECK: %[[S:.*]] = mirage_kernel.scale %[[W]] by 3.000000e+00
// CHECK: %[[E:.*]] = mirage_kernel.erf %[[S]]
// CHECK: return %[[E]]
func.func @on_tensors(%x: tensor<8xf16>) -> tensor<8xf32> {
  %three = arith.constant dense<3.0> : tensor<8xf32>
  %0 = arith.extf %x : tensor<8xf16> to tensor<8xf32>
  %1 = arith.mulf %0, %three : tensor<8xf32>
  %2 = math.erf %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @softmax(
// CHECK-NEXT: mirage_kernel.softmax %{{.*}} dim(1)
func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// -----

// Inside of a loop.
// CHECK-LABEL: func @nested(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] =
// CHECK-NEXT: mirage_kernel.exp %[[A]]
func.func @nested(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %1 = math.exp %a : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Conditions in numbers, as conversion to linalg writes them.
// CHECK-LABEL: func @numbers_of_conditions(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.*]] = mirage_kernel.compare le %[[X]], %[[Y]]
// CHECK-NEXT: %[[S:.*]] = mirage_kernel.select %[[C]], %[[X]], %[[Y]]
// CHECK-NEXT: %[[T:.*]] = mirage_kernel.select %[[X]], %[[X]], %[[Y]]
// CHECK-NEXT: return %[[C]], %[[S]], %[[T]]
#id = affine_map<(d0) -> (d0)>
func.func @numbers_of_conditions(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf ole, %p, %q : f32
    %1 = arith.select %0, %one, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%c, %x, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%n: f32, %p: f32, %q: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf une, %n, %zero : f32
    %1 = arith.select %0, %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  // Any number is a condition.
  %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf une, %p, %zero : f32
    %1 = arith.select %0, %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %c, %s, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
