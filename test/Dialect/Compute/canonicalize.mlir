// Folds and canonicalizations of compute operators, at each of the three levels,
// and what must not be folded.

// RUN: mirage-opt %s -canonicalize -split-input-file | FileCheck %s -DLEVEL=mirage_kernel
// RUN: sed s/mirage_kernel/mirage_block/ %s | mirage-opt -canonicalize -split-input-file | FileCheck %s -DLEVEL=mirage_block
// RUN: sed s/mirage_kernel/mirage_thread/ %s | mirage-opt -canonicalize -split-input-file | FileCheck %s -DLEVEL=mirage_thread

// CHECK-LABEL: func @neutral_elements(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]] :
func.func @neutral_elements(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<4x8xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<4x1xf32>
  %0 = mirage_kernel.add %zero, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.add %0, %zero : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = mirage_kernel.sub %1, %zero : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = mirage_kernel.mul %2, %one : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.mul %one, %3 : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = mirage_kernel.div %4, %one : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.max %5, %5 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = mirage_kernel.min %6, %6 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = mirage_kernel.scale %7 by 1.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = mirage_kernel.pow %8 to 1.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @layouts_that_change_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]] :
func.func @layouts_that_change_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.cast %x : tensor<4x8xf32> to tensor<4x8xf32>
  %1 = mirage_kernel.broadcast %0 : tensor<4x8xf32> to tensor<4x8xf32>
  %2 = mirage_kernel.reshape %1 : tensor<4x8xf32> to tensor<4x8xf32>
  %3 = mirage_kernel.repeat %2 times [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.transpose %3 [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = mirage_kernel.slice %4[0, 0] [4, 8] [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.split %5 dim(1) parts(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = mirage_kernel.concat dim(0) %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = mirage_kernel.pad %7 low [0, 0] high [0, 0] value(1.0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = mirage_kernel.reduce sum %8 dim(1) group(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @reduction_of_one_element(
// CHECK-SAME: %[[X:.*]]: tensor<1x8xf32>
// CHECK-NEXT: return %[[X]] :
func.func @reduction_of_one_element(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = mirage_kernel.reduce mean %x dim(0) keep : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// Folds keep the result's type: these broadcast, widen or move elements.
// CHECK-LABEL: func @not_identities(
func.func @not_identities(%x: tensor<4x1xf32>, %y: tensor<4x4xf16>) -> (tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x1xf32>) {
  %zero = mirage_kernel.constant dense<0.0> : tensor<4x8xf32>
  // CHECK: [[LEVEL]].add
  %0 = mirage_kernel.add %x, %zero : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: [[LEVEL]].reduce sum
  %1 = mirage_kernel.reduce sum %y dim(1) group(1) : (tensor<4x4xf16>) -> tensor<4x4xf32>
  // CHECK: [[LEVEL]].transpose
  %2 = mirage_kernel.transpose %y [1, 0] : (tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: [[LEVEL]].slice %{{.*}}[3, 0] [1, 1]
  %3 = mirage_kernel.slice %x[3, 0] [1, 1] [1, 1] : (tensor<4x1xf32>) -> tensor<1x1xf32>
  // CHECK: [[LEVEL]].repeat
  %4 = mirage_kernel.repeat %3 times [4, 1] : (tensor<1x1xf32>) -> tensor<4x1xf32>
  return %0, %1, %2, %4 : tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x1xf32>
}

// -----

// Elementwise operators of constants, where the result needs no rounding: folding must not change
// what a program computes in any precision.
// CHECK-LABEL: func @constants(
func.func @constants() -> (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4x8xf32>) {
  %two = mirage_kernel.constant dense<2.0> : tensor<4xf32>
  %three = mirage_kernel.constant dense<3.0> : tensor<4xf32>
  // CHECK-DAG: %[[SUM:.*]] = [[LEVEL]].constant dense<5.000000e+00> : tensor<4xf32>
  %0 = mirage_kernel.add %two, %three : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-DAG: %[[THIRD:.*]] = [[LEVEL]].cast {{.*}} : tensor<4xf64> to tensor<4xf16>
  %third = mirage_kernel.constant dense<0.3333333333333333> : tensor<4xf64>
  %1 = mirage_kernel.cast %third : tensor<4xf64> to tensor<4xf16>
  // CHECK-DAG: %[[ROOT:.*]] = [[LEVEL]].sqrt
  %2 = mirage_kernel.sqrt %two : (tensor<4xf32>) -> tensor<4xf32>
  // A result that broadcasts has the result's shape.
  // CHECK-DAG: %[[PRODUCT:.*]] = [[LEVEL]].constant dense<6.000000e+00> : tensor<4x8xf32>
  %row = mirage_kernel.constant dense<2.0> : tensor<1x8xf32>
  %column = mirage_kernel.constant dense<3.0> : tensor<4x1xf32>
  %3 = mirage_kernel.mul %row, %column : (tensor<1x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK: return %[[SUM]], %[[THIRD]], %[[ROOT]], %[[PRODUCT]]
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4x8xf32>
}

// -----

// What moves the elements of a constant that is the same everywhere makes another one, whatever its
// numbers are.
// CHECK-LABEL: func @moved_constants(
func.func @moved_constants() -> (tensor<2x2xf16>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<2xf32>, tensor<2x1xf32>) {
  %third = mirage_kernel.constant dense<0.3333333333333333> : tensor<4xf16>
  %two = mirage_kernel.constant dense<2.0> : tensor<4x8xf32>
  %three = mirage_kernel.constant dense<3.0> : tensor<4x1xf32>
  %four = mirage_kernel.constant dense<4.0> : tensor<4xf32>
  %many = mirage_kernel.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-DAG: %[[RESHAPED:.*]] = [[LEVEL]].constant dense<3.332520e-01> : tensor<2x2xf16>
  %0 = mirage_kernel.reshape %third : tensor<4xf16> to tensor<2x2xf16>
  // CHECK-DAG: %[[TRANSPOSED:.*]] = [[LEVEL]].constant dense<2.000000e+00> : tensor<8x4xf32>
  %1 = mirage_kernel.transpose %two [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-DAG: %[[REPEATED:.*]] = [[LEVEL]].constant dense<3.000000e+00> : tensor<4x8xf32>
  %2 = mirage_kernel.broadcast %three : tensor<4x1xf32> to tensor<4x8xf32>
  // CHECK-DAG: %[[SLICED:.*]] = [[LEVEL]].constant dense<4.000000e+00> : tensor<2xf32>
  %3 = mirage_kernel.slice %four[1] [2] [1] : (tensor<4xf32>) -> tensor<2xf32>
  // CHECK-DAG: %[[DIFFERENT:.*]] = [[LEVEL]].reshape
  %4 = mirage_kernel.reshape %many : tensor<2xf32> to tensor<2x1xf32>
  // CHECK: return %[[RESHAPED]], %[[TRANSPOSED]], %[[REPEATED]], %[[SLICED]], %[[DIFFERENT]]
  return %0, %1, %2, %3, %4 : tensor<2x2xf16>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<2xf32>, tensor<2x1xf32>
}

// -----

// What is no number is left for the program to meet.
// CHECK-LABEL: func @no_numbers(
func.func @no_numbers() -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = mirage_kernel.constant dense<0.0> : tensor<4xf32>
  // CHECK: [[LEVEL]].log
  %0 = mirage_kernel.log %zero : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: [[LEVEL]].div
  %1 = mirage_kernel.div %zero, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Constants that are not the same everywhere are left alone.
// CHECK-LABEL: func @dense(
func.func @dense() -> tensor<2xf32> {
  %c = mirage_kernel.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: [[LEVEL]].exp
  %0 = mirage_kernel.exp %c : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4x2xf32>) {
  %0 = mirage_kernel.transpose %x [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = mirage_kernel.transpose %0 [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %[[T:.*]] = [[LEVEL]].transpose %[[X]] [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %2 = mirage_kernel.transpose %0 [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  // CHECK-NEXT: return %[[X]], %[[T]]
  return %1, %2 : tensor<2x3x4xf32>, tensor<3x4x2xf32>
}

// -----

// CHECK-LABEL: func @pairs(
// CHECK-SAME: %[[X:.*]]: tensor<1x8xf32>
func.func @pairs(%x: tensor<1x8xf32>) -> (tensor<2x4xf32>, tensor<4x8xf32>, tensor<1x8xf32>) {
  // CHECK-DAG: %[[RESHAPE:.*]] = [[LEVEL]].reshape %[[X]] : tensor<1x8xf32> to tensor<2x4xf32>
  %0 = mirage_kernel.reshape %x : tensor<1x8xf32> to tensor<8xf32>
  %1 = mirage_kernel.reshape %0 : tensor<8xf32> to tensor<2x4xf32>
  // CHECK-DAG: %[[BROADCAST:.*]] = [[LEVEL]].broadcast %[[X]] : tensor<1x8xf32> to tensor<4x8xf32>
  %2 = mirage_kernel.reshape %x : tensor<1x8xf32> to tensor<1x8xf32>
  %3 = mirage_kernel.broadcast %2 : tensor<1x8xf32> to tensor<4x8xf32>
  // CHECK-DAG: %[[SCALE:.*]] = [[LEVEL]].scale %[[X]] by 6.000000e+00
  %4 = mirage_kernel.scale %x by 2.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %5 = mirage_kernel.scale %4 by 3.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // CHECK: return %[[RESHAPE]], %[[BROADCAST]], %[[SCALE]]
  return %1, %3, %5 : tensor<2x4xf32>, tensor<4x8xf32>, tensor<1x8xf32>
}

// -----

// Factors whose product overflows or vanishes stay two.
// CHECK-LABEL: func @factors(
func.func @factors(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-COUNT-4: [[LEVEL]].scale
  %0 = mirage_kernel.scale %x by 1.0e300 : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.scale %0 by 1.0e300 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.scale %x by 1.0e-300 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.scale %2 by 1.0e-300 : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Constants move to the right of commutative operators, what is unused goes.
// CHECK-LABEL: func @order(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
func.func @order(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[C:.*]] = [[LEVEL]].constant
  %c = mirage_kernel.constant dense<2.0> : tensor<8xf32>
  // CHECK-NEXT: %[[MAX:.*]] = [[LEVEL]].max %[[X]], %[[C]]
  %0 = mirage_kernel.max %c, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1:2 = mirage_kernel.split %x dim(0) parts(2) : (tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK-NEXT: return %[[MAX]]
  return %0 : tensor<8xf32>
}

// -----

// A layout, which is a tensor's encoding, is not lost.
// CHECK-LABEL: func @layouts(
func.func @layouts(%x: tensor<2x3xf32, "column">) -> (tensor<2x3xf32>, tensor<6xf32, "row">) {
  // CHECK-NEXT: [[LEVEL]].transpose
  %0 = mirage_kernel.transpose %x [1, 0] : (tensor<2x3xf32, "column">) -> tensor<3x2xf32>
  // CHECK-NEXT: [[LEVEL]].transpose
  %1 = mirage_kernel.transpose %0 [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: [[LEVEL]].reshape
  %2 = mirage_kernel.reshape %0 : tensor<3x2xf32> to tensor<2x3xf32>
  // CHECK-NEXT: [[LEVEL]].reshape %{{.*}} : tensor<2x3xf32> to tensor<6xf32, "row">
  %3 = mirage_kernel.reshape %2 : tensor<2x3xf32> to tensor<6xf32, "row">
  return %1, %3 : tensor<2x3xf32>, tensor<6xf32, "row">
}

// CHECK-LABEL: func @neutral_bounds(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @neutral_bounds(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %low = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %high = mirage_kernel.constant dense<0x7F800000> : tensor<1x1xf32>
  %0 = mirage_kernel.max %low, %x : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.min %x, %high : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
