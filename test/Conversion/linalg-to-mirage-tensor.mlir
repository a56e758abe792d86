// Operations of the tensor dialect that move elements.

// RUN: mirage-opt %s -convert-linalg-to-mirage -split-input-file | FileCheck %s

// CHECK-LABEL: func @shapes(
// CHECK-SAME: %[[X:.*]]: tensor<6x4xf32>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.reshape %[[X]] : tensor<6x4xf32> to tensor<2x3x4xf32>
// CHECK-DAG: %[[B:.*]] = mirage_kernel.reshape %[[X]] : tensor<6x4xf32> to tensor<24xf32>
// CHECK: return %[[A]], %[[B]], %[[X]]
func.func @shapes(%x: tensor<6x4xf32>) -> (tensor<2x3x4xf32>, tensor<24xf32>, tensor<6x4xf32>) {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %1 = tensor.collapse_shape %x [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %2 = tensor.cast %x : tensor<6x4xf32> to tensor<6x4xf32>
  return %0, %1, %2 : tensor<2x3x4xf32>, tensor<24xf32>, tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func @slices(
// CHECK-SAME: %[[X:.*]]: tensor<6x8xf32>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.slice %[[X]][0, 4] [6, 2] [1, 2]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.slice %[[X]][3, 0] [1, 8] [1, 1]
// CHECK-DAG: %[[C:.*]] = mirage_kernel.reshape %[[B]] : tensor<1x8xf32> to tensor<8xf32>
// CHECK: return %[[A]], %[[C]]
func.func @slices(%x: tensor<6x8xf32>) -> (tensor<6x2xf32>, tensor<8xf32>) {
  %0 = tensor.extract_slice %x[0, 4] [6, 2] [1, 2] : tensor<6x8xf32> to tensor<6x2xf32>
  %1 = tensor.extract_slice %x[3, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<8xf32>
}

// -----

// Into a constant: padding. Into a tensor: what is around the slice, and the
// slice.
// CHECK-LABEL: func @insertions(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<4x3xf32>
// CHECK-DAG: %[[P:.*]] = mirage_kernel.pad %[[X]] low [1, 0] high [1, 2] value(7.0
// CHECK-DAG: %[[A:.*]] = mirage_kernel.slice %[[Y]][0, 0] [1, 3] [1, 1]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.slice %[[Y]][3, 0] [1, 3] [1, 1]
// CHECK-DAG: %[[C:.*]] = mirage_kernel.concat dim(0) %[[A]], %[[X]], %[[B]]
// CHECK: return %[[P]], %[[C]]
func.func @insertions(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> (tensor<4x5xf32>, tensor<4x3xf32>) {
  %seven = arith.constant dense<7.0> : tensor<4x5xf32>
  %0 = tensor.insert_slice %x into %seven[1, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x5xf32>
  %1 = tensor.insert_slice %x into %y[1, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x3xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<4x3xf32>
}

// -----

// Slices that cover a tensor.empty are a concatenation.
// CHECK-LABEL: func @insertions_one_after_another(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x5xf32>, %[[Z:.*]]: tensor<1x8xf32>
// CHECK-NEXT: %[[A:.*]] = mirage_kernel.concat dim(1) %[[X]], %[[Y]]
// CHECK-NEXT: %[[B:.*]] = mirage_kernel.concat dim(0) %[[A]], %[[Z]]
// CHECK-NEXT: return %[[B]]
func.func @insertions_one_after_another(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>, %z: tensor<1x8xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<3x8xf32>
  %1 = tensor.insert_slice %y into %0[0, 3] [2, 5] [1, 1] : tensor<2x5xf32> into tensor<3x8xf32>
  %2 = tensor.insert_slice %z into %1[2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// -----

// CHECK-LABEL: func @concat_and_pad(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf16>, %[[Y:.*]]: tensor<2x5xf16>
// CHECK: %[[C:.*]] = mirage_kernel.concat dim(1) %[[X]], %[[Y]]
// CHECK: %[[P:.*]] = mirage_kernel.pad %[[C]] low [0, 1] high [2, 0] value(1.0
// CHECK: return %[[P]]
func.func @concat_and_pad(%x: tensor<2x3xf16>, %y: tensor<2x5xf16>) -> tensor<4x9xf16> {
  %one = arith.constant 1.0 : f16
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x3xf16>, tensor<2x5xf16>) -> tensor<2x8xf16>
  %1 = tensor.pad %0 low[0, 1] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f16
  } : tensor<2x8xf16> to tensor<4x9xf16>
  return %1 : tensor<4x9xf16>
}

// -----

// A value that is taken out of a constant tensor, or computed of constants;
// paddings that are operands.
// CHECK-LABEL: func @pad_by_computed_numbers(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.pad %[[X]] low [1, 0] high [0, 2] value(1.5
// CHECK-DAG: %[[B:.*]] = mirage_kernel.pad %[[X]] low [0, 3] high [1, 0] value(-1.5
// CHECK-NOT: tensor.
// CHECK: return %[[A]], %[[B]]
func.func @pad_by_computed_numbers(%x: tensor<2x3xf32>) -> (tensor<3x5xf32>, tensor<3x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %number = arith.constant dense<1.5> : tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %negative = linalg.generic {
      indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%number : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %value = tensor.extract %number[] : tensor<f32>
  %0 = tensor.pad %x low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<2x3xf32> to tensor<3x5xf32>
  %computed = tensor.extract %negative[] : tensor<f32>
  %1 = tensor.pad %x low[%c0, %c3] high[%c1, %c0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %computed : f32
  } : tensor<2x3xf32> to tensor<3x6xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x6xf32>
}

// -----

// A choice that a constant makes.
// CHECK-LABEL: func @choice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-NOT: {{linalg|tensor|mirage_kernel}}.
// CHECK: return %[[X]]
func.func @choice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %number = arith.constant dense<1.5> : tensor<f32>
  %ec = tensor.empty() : tensor<i1>
  %e = tensor.empty() : tensor<4xf32>
  %positive = linalg.generic {
      indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%number : tensor<f32>) outs(%ec : tensor<i1>) {
  ^bb0(%p: f32, %o: i1):
    %c = arith.cmpf ogt, %p, %zero : f32
    linalg.yield %c : i1
  } -> tensor<i1>
  %condition = tensor.extract %positive[] : tensor<i1>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.select %condition, %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A concatenation written as a branch on a loop's index.
// CHECK-LABEL: func @branches(
// CHECK-SAME: %[[X:.*]]: tensor<2x6xf32>, %[[Y:.*]]: tensor<2x4xf32>
// CHECK-NOT: linalg
// CHECK: %[[A:.*]] = mirage_kernel.slice %[[X]][0, 2] [2, 4] [1, 1]
// CHECK: %[[C:.*]] = mirage_kernel.concat dim(1) %[[A]], %[[Y]]
// CHECK: return %[[C]]
func.func @branches(%x: tensor<2x6xf32>, %y: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x8xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<2x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %first = arith.cmpi ult, %j, %c4 : index
    %1 = scf.if %first -> f32 {
      %k = arith.addi %j, %c2 : index
      %2 = tensor.extract %x[%i, %k] : tensor<2x6xf32>
      scf.yield %2 : f32
    } else {
      %k = arith.subi %j, %c4 : index
      %2 = tensor.extract %y[%i, %k] : tensor<2x4xf32>
      scf.yield %2 : f32
    }
    linalg.yield %1 : f32
  } -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Elements at known indices: reflection at the borders.
// CHECK-LABEL: func @reflect(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.slice %[[X]][2] [1] [1]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.slice %[[X]][1] [1] [1]
// CHECK: %[[C:.*]] = mirage_kernel.concat dim(0) %[[A]], %[[B]], %[[X]]
// CHECK: return %[[C]]
func.func @reflect(%x: tensor<4xf32>) -> tensor<6xf32> {
  %two = arith.constant -2 : i64
  %ei = tensor.empty() : tensor<6xi64>
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%ei : tensor<6xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.addi %j, %two : i64
    %zero = arith.constant 0 : i64
    %n = arith.subi %zero, %k : i64
    %a = arith.maxsi %k, %n : i64
    linalg.yield %a : i64
  } -> tensor<6xi64>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<6xi64>) outs(%e : tensor<6xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = arith.index_cast %p : i64 to index
    %2 = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %2 : f32
  } -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

// A number taken out of a tensor is a tensor of one element.
// CHECK-LABEL: func @scalar(
// CHECK-SAME: %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = mirage_kernel.reshape %[[X]] : tensor<f32> to tensor<1xf32>
// CHECK-NEXT: %[[M:.*]] = mirage_kernel.mul %[[Y]], %[[R]]
// CHECK-NEXT: return %[[M]]
func.func @scalar(%x: tensor<f32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = tensor.extract %x[] : tensor<f32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.mul ins(%y, %f : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
