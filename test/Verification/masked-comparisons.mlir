// The maximum of masked values is -inf where all of them are masked. Comparisons
// with it are defined there, unlike quotients of its exponentials, so that no
// proof may decide them by a difference in which the infinity cancels.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='check-floats=false' -o /dev/null | FileCheck %s


// -inf < -inf is false, -inf < x is true.
// CHECK: @once may or may not compute
func.func @twice(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %two = mirage_kernel.constant dense<2.0> : tensor<1x1xf32>
  %d = mirage_kernel.mul %M, %two : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %e = mirage_kernel.add %M, %x : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %d, %e : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @once(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @twice} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %M, %x : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// The maximum cancels as a whole.
// CHECK: @unshifted may or may not compute
func.func @both_shifted(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.add %M, %x : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %e = mirage_kernel.add %M, %y : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %d, %e : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @unshifted(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @both_shifted} {
  %r = mirage_kernel.compare lt %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// So does an infinity itself, which all inputs have.
// CHECK: @finite does not compute what
func.func @both_infinite(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %d = mirage_kernel.add %x, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %e = mirage_kernel.add %y, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %d, %e : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @finite(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @both_infinite} {
  %r = mirage_kernel.compare lt %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// And one that is added where a condition fails.
// CHECK: @unmasked does not compute what
func.func @both_masked(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %v = mirage_kernel.select %t, %z, %inf : (tensor<4x8xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.add %s, %v : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = mirage_kernel.add %b, %v : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.compare lt %d, %e : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @unmasked(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @both_masked} {
  %r = mirage_kernel.compare lt %s, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The exponential of a maximum of +inf is no value that a proof may take for an
// input: inputs are finite.
// CHECK: @once_exponential may or may not compute
func.func @twice_exponential(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %minus = mirage_kernel.constant dense<-1.0> : tensor<1x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %n = mirage_kernel.mul %masked, %minus : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %n dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %h = mirage_kernel.exp %M : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %two = mirage_kernel.constant dense<2.0> : tensor<1x1xf32>
  %d = mirage_kernel.mul %h, %two : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %e = mirage_kernel.add %h, %one : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare gt %d, %e : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @once_exponential(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @twice_exponential} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %minus = mirage_kernel.constant dense<-1.0> : tensor<1x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %n = mirage_kernel.mul %masked, %minus : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %n dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %h = mirage_kernel.exp %M : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare gt %h, %one : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// A row is hidden, or not.
// CHECK: @never_hidden2 does not compute what
func.func @hidden2(%s: tensor<4x2xf32>, %m: tensor<4x2xf32>, %b: tensor<4x2xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %c = mirage_kernel.compare eq %M, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @never_hidden2(%s: tensor<4x2xf32>, %m: tensor<4x2xf32>, %b: tensor<4x2xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @hidden2} {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %r = mirage_kernel.add %y, %z : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// A wide one is hidden too seldom for tests to see.
// CHECK: @never_hidden8 may or may not compute
func.func @hidden8(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %c = mirage_kernel.compare eq %M, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @never_hidden8(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @hidden8} {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %r = mirage_kernel.add %y, %z : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// Two masks hide all rows.
// CHECK: @not_hidden does not compute what
func.func @always_hidden(%s: tensor<4x2xf32>, %m: tensor<4x2xf32>, %b: tensor<4x2xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %u = mirage_kernel.compare lt %m, %z : (tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %first = mirage_kernel.select %u, %s, %inf : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %all = mirage_kernel.select %t, %first, %inf : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<1x1xf32>) -> tensor<4x2xf32>
  %M = mirage_kernel.reduce max %all dim(1) keep : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %c = mirage_kernel.compare eq %M, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @not_hidden(%s: tensor<4x2xf32>, %m: tensor<4x2xf32>, %b: tensor<4x2xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @always_hidden} {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %r = mirage_kernel.add %y, %z : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// What a guarded softmax puts in hidden rows.
// CHECK: @guard_one may or may not compute
func.func @guard_zero(%s: tensor<4x64xf32>, %m: tensor<4x64xf32>, %b: tensor<4x64xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x64xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %c = mirage_kernel.compare eq %M, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %masked, %M : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %h = mirage_kernel.exp %d : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %l = mirage_kernel.reduce sum %h dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %h, %l : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %r = mirage_kernel.select %c, %z, %q : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}
func.func @guard_one(%s: tensor<4x64xf32>, %m: tensor<4x64xf32>, %b: tensor<4x64xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x64xf32>
    attributes {mirage.equivalent_to = @guard_zero} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %c = mirage_kernel.compare eq %M, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %masked, %M : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %h = mirage_kernel.exp %d : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %l = mirage_kernel.reduce sum %h dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %h, %l : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %r = mirage_kernel.select %c, %one, %q : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// The larger of the maximum and a number is finite.
// CHECK: @clamped_once computes what @clamped_twice does: proved
func.func @clamped_twice(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %low = mirage_kernel.constant dense<-3.40282347e+38> : tensor<1x1xf32>
  %C = mirage_kernel.max %M, %low : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %two = mirage_kernel.constant dense<2.0> : tensor<1x1xf32>
  %d = mirage_kernel.mul %C, %two : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %e = mirage_kernel.add %C, %x : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %d, %e : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @clamped_once(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @clamped_twice} {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %t = mirage_kernel.compare gt %m, %z : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %masked = mirage_kernel.select %t, %s, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %M = mirage_kernel.reduce max %masked dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %low = mirage_kernel.constant dense<-3.40282347e+38> : tensor<1x1xf32>
  %C = mirage_kernel.max %M, %low : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.compare lt %C, %x : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// Inputs are finite.
// CHECK: @itself computes what @above_infinity does: proved
func.func @above_infinity(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %c = mirage_kernel.compare gt %x, %inf : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @itself(%s: tensor<4x8xf32>, %m: tensor<4x8xf32>, %b: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @above_infinity} {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %r = mirage_kernel.add %x, %z : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
