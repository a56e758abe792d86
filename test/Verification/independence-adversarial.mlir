// Exponents that are not independent, by all the ways that come to mind: tests
// find no difference, and must not say that this means something. Where one
// function is the other, written anew, in which exponents are independent, tests
// suffice.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='prove=false check-floats=false parts=false' -o /dev/null 2>/dev/null | FileCheck %s

// Windows of three numbers that overlap in one.
// CHECK: @windows_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @windows(%x: tensor<66xf32>) -> tensor<1xf32> {
  %a = mirage_kernel.slice %x[0] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %c = mirage_kernel.slice %x[2] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %d = mirage_kernel.add %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %d, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @windows_again(%x: tensor<66xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @windows} {
  %a = mirage_kernel.slice %x[0] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %c = mirage_kernel.slice %x[2] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %d = mirage_kernel.add %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %d, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Windows that do not overlap.
// CHECK: @tiles_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0)
func.func @tiles(%x: tensor<66xf32>) -> tensor<1xf32> {
  %a = mirage_kernel.slice %x[0] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @tiles_again(%x: tensor<66xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @tiles} {
  %a = mirage_kernel.slice %x[0] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [2] : (tensor<66xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// x_i + y_j: four of them have a relation. Each input tells but a part of the pair.
// CHECK: @sums_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @sums(%x: tensor<8x1xf32>, %y: tensor<1x4xf32>) -> tensor<1xf32> {
  %p = mirage_kernel.add %x, %y : (tensor<8x1xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>
  %s = mirage_kernel.reshape %p : tensor<8x4xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @sums_again(%x: tensor<8x1xf32>, %y: tensor<1x4xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @sums} {
  %p = mirage_kernel.add %x, %y : (tensor<8x1xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>
  %s = mirage_kernel.reshape %p : tensor<8x4xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Products of the rows of one input.
// CHECK: @gram_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @gram(%x: tensor<8x4xf32>) -> tensor<1xf32> {
  %xt = mirage_kernel.transpose %x [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %g = mirage_kernel.matmul %x, %xt : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %s = mirage_kernel.reshape %g : tensor<8x8xf32> to tensor<64xf32>
  %e = mirage_kernel.exp %s : (tensor<64xf32>) -> tensor<64xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<64xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @gram_again(%x: tensor<8x4xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @gram} {
  %xt = mirage_kernel.transpose %x [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %g = mirage_kernel.matmul %x, %xt : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %s = mirage_kernel.reshape %g : tensor<8x8xf32> to tensor<64xf32>
  %e = mirage_kernel.exp %s : (tensor<64xf32>) -> tensor<64xf32>
  %r = mirage_kernel.reshape %e : tensor<64xf32> to tensor<16x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<16x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Squares are not linear.
// CHECK: @squares_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @squares(%x: tensor<32xf32>) -> tensor<1xf32> {
  %s = mirage_kernel.mul %x, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @squares_again(%x: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @squares} {
  %s = mirage_kernel.mul %x, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Products of neighbors share numbers.
// CHECK: @neighbors_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @neighbors(%x: tensor<33xf32>) -> tensor<1xf32> {
  %a = mirage_kernel.slice %x[0] [32] [1] : (tensor<33xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [1] : (tensor<33xf32>) -> tensor<32xf32>
  %s = mirage_kernel.mul %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @neighbors_again(%x: tensor<33xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @neighbors} {
  %a = mirage_kernel.slice %x[0] [32] [1] : (tensor<33xf32>) -> tensor<32xf32>
  %b = mirage_kernel.slice %x[1] [32] [1] : (tensor<33xf32>) -> tensor<32xf32>
  %s = mirage_kernel.mul %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Coefficients that are all of one sign make no zero; others may.
// CHECK: @balanced_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @balanced(%x: tensor<32x2xf32>) -> tensor<1xf32> {
  %c = mirage_kernel.constant dense<[[1.0], [-1.0]]> : tensor<2x1xf32>
  %p = mirage_kernel.matmul %x, %c : (tensor<32x2xf32>, tensor<2x1xf32>) -> tensor<32x1xf32>
  %s = mirage_kernel.reshape %p : tensor<32x1xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @balanced_again(%x: tensor<32x2xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @balanced} {
  %c = mirage_kernel.constant dense<[[1.0], [-1.0]]> : tensor<2x1xf32>
  %p = mirage_kernel.matmul %x, %c : (tensor<32x2xf32>, tensor<2x1xf32>) -> tensor<32x1xf32>
  %s = mirage_kernel.reshape %p : tensor<32x1xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// A factor that is zero for some.
// CHECK: @weighted_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @weighted(%x: tensor<32xf32>) -> tensor<1xf32> {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<32xf32>
  %s = mirage_kernel.mul %x, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @weighted_again(%x: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @weighted} {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<32xf32>
  %s = mirage_kernel.mul %x, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Two parts of a padded tensor read the same input.
// CHECK: @padded_again may or may not compute what {{.*}} does: unknown, {{.*}} are not seen to be linear in numbers of their own
func.func @padded(%x: tensor<31xf32>, %y: tensor<32xf32>) -> tensor<1xf32> {
  %p = mirage_kernel.pad %x low [1] high [0] value(2.0) : (tensor<31xf32>) -> tensor<32xf32>
  %t = mirage_kernel.mul %p, %y : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %t, %y : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @padded_again(%x: tensor<31xf32>, %y: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @padded} {
  %p = mirage_kernel.pad %x low [1] high [0] value(2.0) : (tensor<31xf32>) -> tensor<32xf32>
  %t = mirage_kernel.mul %p, %y : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.add %t, %y : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// The same numbers twice are one family.
// CHECK: @twice_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0)
func.func @twice(%x: tensor<16xf32>) -> tensor<1xf32> {
  %s = mirage_kernel.concat dim(0) %x, %x : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @twice_again(%x: tensor<16xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @twice} {
  %s = mirage_kernel.concat dim(0) %x, %x : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// Two ranges of one input that overlap.
// CHECK: @overlapping_again may or may not compute what {{.*}} does: unknown, {{.*}} are not seen to be linear in numbers of their own
func.func @overlapping(%x: tensor<24xf32>) -> tensor<1xf32> {
  %a = mirage_kernel.slice %x[0] [16] [1] : (tensor<24xf32>) -> tensor<16xf32>
  %b = mirage_kernel.slice %x[8] [16] [1] : (tensor<24xf32>) -> tensor<16xf32>
  %s = mirage_kernel.concat dim(0) %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @overlapping_again(%x: tensor<24xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @overlapping} {
  %a = mirage_kernel.slice %x[0] [16] [1] : (tensor<24xf32>) -> tensor<16xf32>
  %b = mirage_kernel.slice %x[8] [16] [1] : (tensor<24xf32>) -> tensor<16xf32>
  %s = mirage_kernel.concat dim(0) %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// What is repeated is one number.
// CHECK: @repeated_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0)
func.func @repeated(%x: tensor<32x1xf32>) -> tensor<1xf32> {
  %b = mirage_kernel.broadcast %x : tensor<32x1xf32> to tensor<32x2xf32>
  %s = mirage_kernel.reshape %b : tensor<32x2xf32> to tensor<64xf32>
  %e = mirage_kernel.exp %s : (tensor<64xf32>) -> tensor<64xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<64xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @repeated_again(%x: tensor<32x1xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @repeated} {
  %b = mirage_kernel.broadcast %x : tensor<32x1xf32> to tensor<32x2xf32>
  %s = mirage_kernel.reshape %b : tensor<32x2xf32> to tensor<64xf32>
  %e = mirage_kernel.exp %s : (tensor<64xf32>) -> tensor<64xf32>
  %r = mirage_kernel.reshape %e : tensor<64xf32> to tensor<16x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<16x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// The greatest of one number is that number, and zero remains.
// CHECK: @greatest_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0, whatever max is)
func.func @greatest(%x: tensor<32x1xf32>) -> tensor<1xf32> {
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<32x1xf32>) -> tensor<32x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
  %s = mirage_kernel.reshape %d : tensor<32x1xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @greatest_again(%x: tensor<32x1xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @greatest} {
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<32x1xf32>) -> tensor<32x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
  %s = mirage_kernel.reshape %d : tensor<32x1xf32> to tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// The same numbers as factors of exponentials: residues modulo p are others.
// CHECK: @weights_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0)
func.func @weights(%x: tensor<32xf32>) -> tensor<1xf32> {
  %f = mirage_kernel.exp %x : (tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.mul %f, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @weights_again(%x: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @weights} {
  %f = mirage_kernel.exp %x : (tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.mul %f, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// A function's result as a factor of its own argument.
// CHECK: @rooted_again computes what {{.*}} does: equivalent with error at most 2^-{{(8|9|10|11|12)[0-9][0-9.]*}} (2 tests, seed 0, whatever sqrt is)
func.func @rooted(%x: tensor<32xf32>) -> tensor<1xf32> {
  %r0 = mirage_kernel.sqrt %x : (tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.mul %r0, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @rooted_again(%x: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @rooted} {
  %r0 = mirage_kernel.sqrt %x : (tensor<32xf32>) -> tensor<32xf32>
  %s = mirage_kernel.mul %r0, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// A maximum with its identity is the other number: these are 256 exponentials of 32 numbers.
// CHECK: @hidden_again may or may not compute what {{.*}} does: unknown, {{.*}} not each is seen to be linear in a number of its own
func.func @hidden(%x: tensor<16x1xf32>, %y: tensor<1x16xf32>) -> tensor<1xf32> {
  %p = mirage_kernel.mul %x, %y : (tensor<16x1xf32>, tensor<1x16xf32>) -> tensor<16x16xf32>
  %f = mirage_kernel.exp %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %l = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %g = mirage_kernel.max %f, %l : (tensor<16x16xf32>, tensor<1x1xf32>) -> tensor<16x16xf32>
  %e = mirage_kernel.reshape %g : tensor<16x16xf32> to tensor<256xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<256xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @hidden_again(%x: tensor<16x1xf32>, %y: tensor<1x16xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @hidden} {
  %p = mirage_kernel.mul %x, %y : (tensor<16x1xf32>, tensor<1x16xf32>) -> tensor<16x16xf32>
  %f = mirage_kernel.exp %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %l = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %g = mirage_kernel.max %f, %l : (tensor<16x16xf32>, tensor<1x1xf32>) -> tensor<16x16xf32>
  %e = mirage_kernel.reshape %g : tensor<16x16xf32> to tensor<256xf32>
  %r = mirage_kernel.reshape %e : tensor<256xf32> to tensor<64x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<64x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}

// ln 2 is any number to the tests, so x + ln 2 is not x.
// CHECK: @named_again may or may not compute what {{.*}} does: unknown, {{.*}} the argument {{.*}} has no normal form
func.func @named(%x: tensor<32xf32>) -> tensor<1xf32> {
  %l = mirage_kernel.constant dense<0.693147182> : tensor<32xf32>
  %s = mirage_kernel.add %x, %l : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %o = mirage_kernel.reduce sum %e dim(0) keep : (tensor<32xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @named_again(%x: tensor<32xf32>) -> tensor<1xf32>
    attributes {mirage.equivalent_to = @named} {
  %l = mirage_kernel.constant dense<0.693147182> : tensor<32xf32>
  %s = mirage_kernel.add %x, %l : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %e = mirage_kernel.exp %s : (tensor<32xf32>) -> tensor<32xf32>
  %r = mirage_kernel.reshape %e : tensor<32xf32> to tensor<8x4xf32>
  %rows = mirage_kernel.reduce sum %r dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %u = mirage_kernel.reduce sum %rows dim(1) keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %o = mirage_kernel.reshape %u : tensor<1x1xf32> to tensor<1xf32>
  return %o : tensor<1xf32>
}
// Comparisons know the order of small integers, and a random residue is one in
// 2^40 cases: that is the error of a test, not 2^-57.
// CHECK: @negative_again computes what @negative does: equivalent with error at most 2^-10{{[0-9.]+}} (2 tests, seed 0, whatever compare, select are)
func.func @negative(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %z = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %c = mirage_kernel.compare lt %x, %z : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %o = mirage_kernel.select %c, %y, %z : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @negative_again(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> attributes {mirage.equivalent_to = @negative} {
  %z = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %c = mirage_kernel.compare gt %z, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %o = mirage_kernel.mul %c, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}

// x^(2^20) exp(y): two terms, but the difference of coefficients has a degree.
// CHECK: @powers_again computes what @powers does: equivalent with error at most 2^-{{[78][0-9.]+}} (2 tests, seed 0)
func.func @powers(%x0: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %x1 = mirage_kernel.square %x0 : (tensor<1xf32>) -> tensor<1xf32>
  %x2 = mirage_kernel.square %x1 : (tensor<1xf32>) -> tensor<1xf32>
  %x3 = mirage_kernel.square %x2 : (tensor<1xf32>) -> tensor<1xf32>
  %x4 = mirage_kernel.square %x3 : (tensor<1xf32>) -> tensor<1xf32>
  %x5 = mirage_kernel.square %x4 : (tensor<1xf32>) -> tensor<1xf32>
  %x6 = mirage_kernel.square %x5 : (tensor<1xf32>) -> tensor<1xf32>
  %x7 = mirage_kernel.square %x6 : (tensor<1xf32>) -> tensor<1xf32>
  %x8 = mirage_kernel.square %x7 : (tensor<1xf32>) -> tensor<1xf32>
  %x9 = mirage_kernel.square %x8 : (tensor<1xf32>) -> tensor<1xf32>
  %x10 = mirage_kernel.square %x9 : (tensor<1xf32>) -> tensor<1xf32>
  %x11 = mirage_kernel.square %x10 : (tensor<1xf32>) -> tensor<1xf32>
  %x12 = mirage_kernel.square %x11 : (tensor<1xf32>) -> tensor<1xf32>
  %x13 = mirage_kernel.square %x12 : (tensor<1xf32>) -> tensor<1xf32>
  %x14 = mirage_kernel.square %x13 : (tensor<1xf32>) -> tensor<1xf32>
  %x15 = mirage_kernel.square %x14 : (tensor<1xf32>) -> tensor<1xf32>
  %x16 = mirage_kernel.square %x15 : (tensor<1xf32>) -> tensor<1xf32>
  %x17 = mirage_kernel.square %x16 : (tensor<1xf32>) -> tensor<1xf32>
  %x18 = mirage_kernel.square %x17 : (tensor<1xf32>) -> tensor<1xf32>
  %x19 = mirage_kernel.square %x18 : (tensor<1xf32>) -> tensor<1xf32>
  %x20 = mirage_kernel.square %x19 : (tensor<1xf32>) -> tensor<1xf32>
  %e = mirage_kernel.exp %y : (tensor<1xf32>) -> tensor<1xf32>
  %o = mirage_kernel.mul %x20, %e : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @powers_again(%x0: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> attributes {mirage.equivalent_to = @powers} {
  %x1 = mirage_kernel.square %x0 : (tensor<1xf32>) -> tensor<1xf32>
  %x2 = mirage_kernel.square %x1 : (tensor<1xf32>) -> tensor<1xf32>
  %x3 = mirage_kernel.square %x2 : (tensor<1xf32>) -> tensor<1xf32>
  %x4 = mirage_kernel.square %x3 : (tensor<1xf32>) -> tensor<1xf32>
  %x5 = mirage_kernel.square %x4 : (tensor<1xf32>) -> tensor<1xf32>
  %x6 = mirage_kernel.square %x5 : (tensor<1xf32>) -> tensor<1xf32>
  %x7 = mirage_kernel.square %x6 : (tensor<1xf32>) -> tensor<1xf32>
  %x8 = mirage_kernel.square %x7 : (tensor<1xf32>) -> tensor<1xf32>
  %x9 = mirage_kernel.square %x8 : (tensor<1xf32>) -> tensor<1xf32>
  %x10 = mirage_kernel.square %x9 : (tensor<1xf32>) -> tensor<1xf32>
  %x11 = mirage_kernel.square %x10 : (tensor<1xf32>) -> tensor<1xf32>
  %x12 = mirage_kernel.square %x11 : (tensor<1xf32>) -> tensor<1xf32>
  %x13 = mirage_kernel.square %x12 : (tensor<1xf32>) -> tensor<1xf32>
  %x14 = mirage_kernel.square %x13 : (tensor<1xf32>) -> tensor<1xf32>
  %x15 = mirage_kernel.square %x14 : (tensor<1xf32>) -> tensor<1xf32>
  %x16 = mirage_kernel.square %x15 : (tensor<1xf32>) -> tensor<1xf32>
  %x17 = mirage_kernel.square %x16 : (tensor<1xf32>) -> tensor<1xf32>
  %x18 = mirage_kernel.square %x17 : (tensor<1xf32>) -> tensor<1xf32>
  %x19 = mirage_kernel.square %x18 : (tensor<1xf32>) -> tensor<1xf32>
  %x20 = mirage_kernel.square %x19 : (tensor<1xf32>) -> tensor<1xf32>
  %e = mirage_kernel.exp %y : (tensor<1xf32>) -> tensor<1xf32>
  %o = mirage_kernel.mul %e, %x20 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %o : tensor<1xf32>
}
