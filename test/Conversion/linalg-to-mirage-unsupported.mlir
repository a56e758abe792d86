// What stays, whole and with the reason, and what the reasons are.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file -verify-diagnostics | FileCheck %s
// RUN: mirage-opt %s -convert-linalg-to-mirage=remarks=false -split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET

// QUIET-NOT: remark:

// CHECK-LABEL: func @dynamic(
// CHECK: linalg.exp
func.func @dynamic(%x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-remark@+1 {{'linalg.exp' stays: it has a dynamic shape}}
  %0 = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @integers(
// CHECK: linalg.add
// CHECK: tensor.expand_shape
func.func @integers(%x: tensor<8xi32>, %e: tensor<8xi32>) -> tensor<2x4xi32> {
  // expected-remark@+1 {{'linalg.add' stays: its elements are of i32}}
  %0 = linalg.add ins(%x, %x : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  // expected-remark@+1 {{'tensor.expand_shape' stays: its elements are of i32}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 4] : tensor<8xi32> into tensor<2x4xi32>
  return %1 : tensor<2x4xi32>
}

// -----

// CHECK-LABEL: func @memrefs(
// CHECK: linalg.exp
func.func @memrefs(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-remark@+1 {{'linalg.exp' stays: it works on memrefs}}
  linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

// A body with a side effect is kept, what is around it is converted.
// CHECK-LABEL: func @side_effects(
// CHECK: %[[E:.*]] = mirage_kernel.exp
// CHECK: linalg.generic {{.*}} ins(%[[E]] :
// CHECK: vector.print
// CHECK: mirage_kernel.log
func.func @side_effects(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark@+1 {{'linalg.generic' stays: its body has side effects}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    vector.print %p : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %3 = linalg.log ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// An assertion is kept, and what is computed beside it is converted; see
// linalg-to-mirage-assertions.mlir.
// CHECK-LABEL: func @assertion(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
// CHECK: %[[D:.*]] = mirage_kernel.div %[[X]], %[[X]]
// CHECK: linalg.generic {{.*}} ins(%[[X]]
// CHECK: cf.assert
// CHECK: return %[[D]]
func.func @assertion(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark@+1 {{'linalg.generic' stays: its body asserts a condition, which the option 'assume-assertions' takes as given}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %c = arith.cmpf une, %p, %zero : f32
    cf.assert %c, "division by zero"
    %1 = arith.divf %p, %p : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @maps(
// CHECK-COUNT-2: linalg.
func.func @maps(%x: tensor<8x8xf32>, %y: tensor<1x8x8x3xf32>) -> (tensor<8xf32>, tensor<1x4x4x3xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark@+1 {{'linalg.generic' stays: indexing map (d0) -> (d0, d0) is no projected permutation}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %none = tensor.empty() : tensor<1x4x4x3xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  // expected-remark@+1 {{'linalg.pooling_nhwc_max' stays: it accumulates into a tensor.empty}}
  %1 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>)
      outs(%none : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %0, %1 : tensor<8xf32>, tensor<1x4x4x3xf32>
}

// -----

// CHECK-LABEL: func @bodies(
// CHECK-COUNT-4: linalg.
func.func @bodies(%x: tensor<4x8xf32>, %s: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark@+1 {{'linalg.ceil' stays: 'math.ceil' has no counterpart}}
  %0 = linalg.ceil ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark@+1 {{'linalg.fill' stays: its body reads a scalar of type f32, which is no constant}}
  %1 = linalg.fill ins(%s : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  // expected-remark@+1 {{'linalg.reduce' stays: its body does not accumulate by one addition, maximum or minimum}}
  %2 = linalg.reduce { arith.mulf } ins(%x : tensor<4x8xf32>) outs(%ones : tensor<4xf32>) dimensions = [1]
  %u = tensor.empty() : tensor<4xf32>
  // expected-remark@+1 {{'linalg.reduce' stays: it accumulates into a tensor.empty}}
  %3 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%u : tensor<4xf32>) dimensions = [1]
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// The index of a maximum is asked for.
// CHECK-LABEL: func @argmax(
// CHECK: linalg.generic
func.func @argmax(%x: tensor<4x8xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %inf = arith.constant dense<0xFF800000> : tensor<4xf32>
  // expected-remark@+1 {{'linalg.generic' stays: its elements are of i64}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%inf, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %o: f32, %oi: i64):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.cmpf ogt, %p, %o : f32
    %4 = arith.select %3, %p, %o : f32
    %5 = arith.select %3, %2, %oi : i64
    linalg.yield %4, %5 : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// Conditions that something else needs stay conditions.
// CHECK-LABEL: func @used_condition(
// CHECK: %[[C:.*]] = arith.cmpf
// CHECK: return %[[C]]
func.func @used_condition(%x: tensor<8xf32>) -> tensor<8xi1> {
  // expected-remark@+1 {{'arith.cmpf' stays: its result is used by an operation that stays}}
  %0 = arith.cmpf ord, %x, %x : tensor<8xf32>
  return %0 : tensor<8xi1>
}

// -----

// CHECK-LABEL: func @tensors(
// CHECK: tensor.extract_slice
// CHECK: tensor.insert_slice
// CHECK: tensor.pad
// CHECK: tensor.generate
func.func @tensors(%x: tensor<8xf32>, %i: index, %s: f32) -> (tensor<2xf32>, tensor<8xf32>, tensor<10xf32>, tensor<8xf32>) {
  // expected-remark@+1 {{'tensor.extract_slice' stays: its offsets, sizes or strides are no constants}}
  %0 = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
  // expected-remark@+1 {{'tensor.insert_slice' stays: its strides are not one}}
  %1 = tensor.insert_slice %0 into %x[0] [2] [2] : tensor<2xf32> into tensor<8xf32>
  // expected-remark@+1 {{'tensor.pad' stays: its padding is no constant}}
  %2 = tensor.pad %x low[1] high[1] {
  ^bb0(%j: index):
    tensor.yield %s : f32
  } : tensor<8xf32> to tensor<10xf32>
  // expected-remark@+1 {{'tensor.generate' stays: it has no counterpart}}
  %3 = tensor.generate {
  ^bb0(%j: index):
    tensor.yield %s : f32
  } : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<8xf32>, tensor<10xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @paddings(
// CHECK-COUNT-2: tensor.pad
func.func @paddings(%x: tensor<8xf32>, %i: index) -> (tensor<10xf32>, tensor<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  // expected-remark@+1 {{'tensor.pad' stays: its paddings are dynamic}}
  %0 = tensor.pad %x low[%i] high[1] {
  ^bb0(%j: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  // expected-remark@+1 {{'tensor.pad' stays: its paddings do not give its shape}}
  %1 = tensor.pad %x low[%c5] high[1] {
  ^bb0(%j: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %0, %1 : tensor<10xf32>, tensor<10xf32>
}

// -----

// CHECK-LABEL: func @other_types(
// CHECK: math.exp
// CHECK: arith.addf
func.func @other_types(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf80>, %z: tensor<8xf32, "layout">) -> (tensor<8xf8E4M3FN>, tensor<8xf80>, tensor<8xf32, "layout">) {
  // expected-remark@+1 {{'math.exp' stays: it computes with f8E4M3FN, which is for storage}}
  %0 = math.exp %x : tensor<8xf8E4M3FN>
  // expected-remark@+1 {{'arith.addf' stays: its elements are of f80}}
  %1 = arith.addf %y, %y : tensor<8xf80>
  // expected-remark@+1 {{'math.exp' stays: tensor<8xf32, "layout"> has an encoding}}
  %2 = math.exp %z : tensor<8xf32, "layout">
  return %0, %1, %2 : tensor<8xf8E4M3FN>, tensor<8xf80>, tensor<8xf32, "layout">
}
