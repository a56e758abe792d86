// Maxima, choices and comparisons are cases by the signs of polynomials, also
// where a proof has to join them; what differs in one case only is refused.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=threads=1 -o /dev/null 2>/dev/null | FileCheck %s

// CHECK: @max_by_choice computes what @max does: proved
func.func @max(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = mirage_kernel.max %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @max_by_choice(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @max} {
  %c = mirage_kernel.compare gt %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = mirage_kernel.select %c, %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// The choice of a minimum is no maximum.
// CHECK: @min_by_choice does not compute what @max does: refuted
func.func @min_by_choice(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @max} {
  %c = mirage_kernel.compare lt %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = mirage_kernel.select %c, %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Three conditions, of eight combinations of which two are impossible.
// CHECK: @three_by_choice computes what @three does: proved
func.func @three(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.max %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.max %0, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @three_by_choice(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @three} {
  %ab = mirage_kernel.compare gt %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %ac = mirage_kernel.compare gt %a, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %bc = mirage_kernel.compare gt %b, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.select %ac, %a, %c : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.select %bc, %b, %c : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.select %ab, %0, %1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK: @three_with_a_gap {{(may or may not|does not)}} compute
func.func @three_with_a_gap(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @three} {
  %ab = mirage_kernel.compare gt %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %ac = mirage_kernel.compare gt %a, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %bc = mirage_kernel.compare gt %b, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.select %bc, %a, %c : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.select %bc, %b, %c : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.select %ab, %0, %1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK: @hard_swish_by_choice computes what @hard_swish does: proved
func.func @hard_swish(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = mirage_kernel.constant dense<3.0> : tensor<1xf32>
  %six = mirage_kernel.constant dense<6.0> : tensor<1xf32>
  %0 = mirage_kernel.add %x, %three : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.clamp %0 lower(0.0) upper(6.0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.div %1, %six : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func @hard_swish_by_choice(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @hard_swish} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %three = mirage_kernel.constant dense<3.0> : tensor<1xf32>
  %below = mirage_kernel.constant dense<-3.0> : tensor<1xf32>
  %six = mirage_kernel.constant dense<6.0> : tensor<1xf32>
  %0 = mirage_kernel.add %x, %three : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.mul %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.div %1, %six : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.compare lt %x, %below : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.compare gt %x, %three : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %5 = mirage_kernel.select %4, %x, %2 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = mirage_kernel.select %3, %zero, %5 : (tensor<8xf32>, tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}
// Between 2 and 3 it is another function.
// CHECK: @hard_swish_too_early {{(may or may not|does not)}} compute
func.func @hard_swish_too_early(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @hard_swish} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %two = mirage_kernel.constant dense<2.0> : tensor<1xf32>
  %three = mirage_kernel.constant dense<3.0> : tensor<1xf32>
  %below = mirage_kernel.constant dense<-3.0> : tensor<1xf32>
  %six = mirage_kernel.constant dense<6.0> : tensor<1xf32>
  %0 = mirage_kernel.add %x, %three : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.mul %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.div %1, %six : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.compare lt %x, %below : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.compare gt %x, %two : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %5 = mirage_kernel.select %4, %x, %2 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = mirage_kernel.select %3, %zero, %5 : (tensor<8xf32>, tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// The order of bounds matters only where the lower one is above the upper one.
// CHECK: @clamp_upper_first computes what @clamp does: proved
func.func @clamp(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.clamp %x lower(-1.0) upper(2.0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @clamp_upper_first(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @clamp} {
  %low = mirage_kernel.constant dense<-1.0> : tensor<1xf32>
  %high = mirage_kernel.constant dense<2.0> : tensor<1xf32>
  %0 = mirage_kernel.min %x, %high : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.max %0, %low : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK: @unknown_bounds_upper_first {{(may or may not|does not)}} compute
func.func @unknown_bounds(%x: tensor<8xf32>, %low: tensor<8xf32>, %high: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.max %x, %low : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.min %0, %high : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @unknown_bounds_upper_first(%x: tensor<8xf32>, %low: tensor<8xf32>, %high: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @unknown_bounds} {
  %0 = mirage_kernel.min %x, %high : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.max %0, %low : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// At zero, where the branches meet, either may be taken; the branches of the
// last one do not meet.
// CHECK: @elu_at_zero computes what @elu does: proved
// CHECK: @elu_with_a_step {{(may or may not|does not)}} compute
func.func @elu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1xf32>
  %0 = mirage_kernel.min %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.sub %1, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.compare gt %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.select %3, %x, %2 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func @elu_at_zero(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @elu} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1xf32>
  %0 = mirage_kernel.min %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.sub %1, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.add %3, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func @elu_with_a_step(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @elu} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %half = mirage_kernel.constant dense<0.5> : tensor<1xf32>
  %0 = mirage_kernel.min %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.sub %1, %half : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.compare gt %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.select %3, %x, %2 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// A function of cases is cases of the function.
// CHECK: @softplus_by_choice computes what @softplus does: proved
func.func @softplus(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<1xf32>
  %0 = mirage_kernel.abs %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.scale %0 by -1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.exp %1 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.add %2, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.log %3 : (tensor<8xf32>) -> tensor<8xf32>
  %5 = mirage_kernel.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %6 = mirage_kernel.add %5, %4 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}
func.func @softplus_by_choice(%x: tensor<8xf32>) -> tensor<8xf32> attributes {mirage.equivalent_to = @softplus} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1xf32>
  %c = mirage_kernel.compare ge %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %m = mirage_kernel.scale %x by -1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %s = mirage_kernel.select %c, %m, %x : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e = mirage_kernel.exp %s : (tensor<8xf32>) -> tensor<8xf32>
  %p = mirage_kernel.add %one, %e : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  %l = mirage_kernel.log %p : (tensor<8xf32>) -> tensor<8xf32>
  %x0 = mirage_kernel.max %zero, %x : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = mirage_kernel.add %l, %x0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Under a sum, the equation of a condition says something of a sum.
// CHECK: @hidden_by_choice computes what @hidden does: proved
func.func @hidden(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %w: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<8x12xf32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  %1 = mirage_kernel.relu %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = mirage_kernel.matmul %1, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func @hidden_by_choice(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %w: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {mirage.equivalent_to = @hidden} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %0 = mirage_kernel.matmul %a, %b : (tensor<8x12xf32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  %c = mirage_kernel.compare gt %0, %zero : (tensor<8x8xf32>, tensor<1x1xf32>) -> tensor<8x8xf32>
  %1 = mirage_kernel.select %c, %0, %zero : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x1xf32>) -> tensor<8x8xf32>
  %2 = mirage_kernel.matmul %1, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// What all alternatives have in common leaves a maximum over a row.
// CHECK: @bias_behind computes what @bias_before does: proved
// CHECK: @bias_doubled {{(may or may not|does not)}} compute
func.func @bias_before(%x: tensor<8x16xf32>, %b: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.add %x, %b : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}
func.func @bias_behind(%x: tensor<8x16xf32>, %b: tensor<8x1xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @bias_before} {
  %0 = mirage_kernel.reduce max %x dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %1 = mirage_kernel.add %0, %b : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}
func.func @bias_doubled(%x: tensor<8x16xf32>, %b: tensor<8x1xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @bias_before} {
  %0 = mirage_kernel.reduce max %x dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %1 = mirage_kernel.add %0, %b : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.add %1, %b : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %2 : tensor<8x1xf32>
}

// The lowest number of a type is the identity of a maximum of that type, and
// another low number is not.
// CHECK: @padded_with_lowest computes what @row_maximum does: proved{{.*}}in floating point
// CHECK-NOT: refused
// CHECK: @padded_with_a_number {{(may or may not|does not)}} compute
func.func @row_maximum(%x: tensor<16x16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.reduce max %x dim(1) : (tensor<16x16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @padded_with_lowest(%x: tensor<16x16xf32>) -> tensor<16xf32> attributes {mirage.equivalent_to = @row_maximum} {
  %0 = mirage_kernel.pad %x low [0, 1] high [0, 0] value(-3.4028234663852886e38) : (tensor<16x16xf32>) -> tensor<16x17xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) : (tensor<16x17xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
func.func @padded_with_a_number(%x: tensor<16x16xf32>) -> tensor<16xf32> attributes {mirage.equivalent_to = @row_maximum} {
  %0 = mirage_kernel.pad %x low [0, 1] high [0, 0] value(-65504.0) : (tensor<16x16xf32>) -> tensor<16x17xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) : (tensor<16x17xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
