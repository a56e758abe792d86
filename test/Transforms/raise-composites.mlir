// RUN: mirage-opt %s --mirage-raise-composites | FileCheck %s

// Every way to write a composite operator becomes that operator, and what looks
// like one but is not stays.

// CHECK-LABEL: func @rms_norm_with_root(
func.func @rms_norm_with_root(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK-NEXT: %[[N:.*]] = mirage_kernel.rms_norm %arg0 epsilon(9.99999974737875{{.*}}E-6) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  // CHECK-NEXT: return %[[N]]
  %e = mirage_kernel.constant dense<1.0e-5> : tensor<1x1xf32>
  %0 = mirage_kernel.square %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = mirage_kernel.reduce mean %0 dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %2 = mirage_kernel.add %1, %e : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %3 = mirage_kernel.sqrt %2 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %4 = mirage_kernel.div %x, %3 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %4 : tensor<4x16xf32>
}

// A sum, to which the epsilon is added 24 times over; a weight; f16 around f32.
// CHECK-LABEL: func @rms_norm_of_sum(
// CHECK-SAME: %[[X:.*]]: tensor<6x24xf16>, %[[W:.*]]: tensor<24xf16>)
func.func @rms_norm_of_sum(%x: tensor<6x24xf16>, %w: tensor<24xf16>) -> tensor<6x24xf16> {
  // CHECK-NEXT: %[[N:.*]] = mirage_kernel.rms_norm %[[X]] weight %[[W]] epsilon(1.0000000{{.*}}E-6) : (tensor<6x24xf16>, tensor<24xf16>) -> tensor<6x24xf16>
  // CHECK-NEXT: return %[[N]]
  %e = mirage_kernel.constant dense<2.4e-5> : tensor<1x1xf32>
  %n = mirage_kernel.constant dense<24.0> : tensor<1x1xf32>
  %f = mirage_kernel.cast %x : tensor<6x24xf16> to tensor<6x24xf32>
  %0 = mirage_kernel.mul %f, %f : (tensor<6x24xf32>, tensor<6x24xf32>) -> tensor<6x24xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) : (tensor<6x24xf32>) -> tensor<6xf32>
  %2 = mirage_kernel.reshape %1 : tensor<6xf32> to tensor<6x1xf32>
  %3 = mirage_kernel.add %2, %e : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %4 = mirage_kernel.div %3, %n : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %5 = mirage_kernel.pow %4 to -0.5 : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %6 = mirage_kernel.mul %f, %5 : (tensor<6x24xf32>, tensor<6x1xf32>) -> tensor<6x24xf32>
  %7 = mirage_kernel.cast %6 : tensor<6x24xf32> to tensor<6x24xf16>
  %8 = mirage_kernel.reshape %w : tensor<24xf16> to tensor<1x24xf16>
  %9 = mirage_kernel.mul %8, %7 : (tensor<1x24xf16>, tensor<6x24xf16>) -> tensor<6x24xf16>
  return %9 : tensor<6x24xf16>
}

// The variance as the mean of squares less the square of the mean; bias before
// weight in the program.
// CHECK-LABEL: func @layer_norm(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x8xf32>, %[[B:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<1x1x8xf32>)
func.func @layer_norm(%x: tensor<2x3x8xf32>, %b: tensor<8xf32>, %w: tensor<1x1x8xf32>) -> tensor<2x3x8xf32> {
  // CHECK: %[[V:.*]] = mirage_kernel.reshape %[[W]] : tensor<1x1x8xf32> to tensor<8xf32>
  // CHECK: %[[N:.*]] = mirage_kernel.layer_norm %[[X]] weight %[[V]] bias %[[B]] epsilon(9.99999{{.*}}E-13)
  // CHECK-NEXT: return %[[N]]
  %b3 = mirage_kernel.reshape %b : tensor<8xf32> to tensor<1x1x8xf32>
  %e = mirage_kernel.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %m = mirage_kernel.reduce mean %x dim(2) keep : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %s = mirage_kernel.square %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %ms = mirage_kernel.reduce mean %s dim(2) keep : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %mm = mirage_kernel.square %m : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %v = mirage_kernel.sub %ms, %mm : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %ve = mirage_kernel.add %v, %e : (tensor<2x3x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x1xf32>
  %r = mirage_kernel.rsqrt %ve : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %rw = mirage_kernel.mul %r, %w : (tensor<2x3x1xf32>, tensor<1x1x8xf32>) -> tensor<2x3x8xf32>
  %xm = mirage_kernel.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %n = mirage_kernel.mul %xm, %rw : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %o = mirage_kernel.add %n, %b3 : (tensor<2x3x8xf32>, tensor<1x1x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// CHECK-LABEL: func @instance_norm(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x5xf32>
func.func @instance_norm(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK-NEXT: mirage_kernel.instance_norm %[[X]] epsilon(9.99999974737875{{.*}}E-6)
  // CHECK-NEXT: return
  %e = mirage_kernel.constant dense<1.0e-5> : tensor<1x1x1x1xf32>
  %s0 = mirage_kernel.reduce sum %x dim(3) keep : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x1xf32>
  %s1 = mirage_kernel.reduce sum %s0 dim(2) keep : (tensor<2x3x4x1xf32>) -> tensor<2x3x1x1xf32>
  %m = mirage_kernel.scale %s1 by 0.05 : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %c = mirage_kernel.sub %x, %m : (tensor<2x3x4x5xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %q = mirage_kernel.mul %c, %c : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %f = mirage_kernel.reshape %q : tensor<2x3x4x5xf32> to tensor<2x3x20xf32>
  %v = mirage_kernel.reduce mean %f dim(2) keep : (tensor<2x3x20xf32>) -> tensor<2x3x1xf32>
  %v4 = mirage_kernel.reshape %v : tensor<2x3x1xf32> to tensor<2x3x1x1xf32>
  %ve = mirage_kernel.add %v4, %e : (tensor<2x3x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x3x1x1xf32>
  %r = mirage_kernel.sqrt %ve : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %o = mirage_kernel.div %c, %r : (tensor<2x3x4x5xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  return %o : tensor<2x3x4x5xf32>
}

// An image without the dimension of a batch, which the norm has.
// CHECK-LABEL: func @instance_norm_of_one(
// CHECK-SAME: %[[X:.*]]: tensor<3x4x5xf32>
func.func @instance_norm_of_one(%x: tensor<3x4x5xf32>) -> tensor<1x3x4x5xf32> {
  // CHECK-NEXT: %[[I:.*]] = mirage_kernel.reshape %[[X]] : tensor<3x4x5xf32> to tensor<1x3x4x5xf32>
  // CHECK-NEXT: mirage_kernel.instance_norm %[[I]] epsilon(9.99999974737875{{.*}}E-6)
  // CHECK-NEXT: return
  %e = mirage_kernel.constant dense<1.0e-5> : tensor<1x1x1x1xf32>
  %i = mirage_kernel.reshape %x : tensor<3x4x5xf32> to tensor<1x3x4x5xf32>
  %rows = mirage_kernel.reshape %x : tensor<3x4x5xf32> to tensor<3x20xf32>
  %s = mirage_kernel.reduce mean %rows dim(1) keep : (tensor<3x20xf32>) -> tensor<3x1xf32>
  %m = mirage_kernel.reshape %s : tensor<3x1xf32> to tensor<1x3x1x1xf32>
  %c = mirage_kernel.sub %i, %m : (tensor<1x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x5xf32>
  %q = mirage_kernel.mul %c, %c : (tensor<1x3x4x5xf32>, tensor<1x3x4x5xf32>) -> tensor<1x3x4x5xf32>
  %f = mirage_kernel.reshape %q : tensor<1x3x4x5xf32> to tensor<3x20xf32>
  %v = mirage_kernel.reduce mean %f dim(1) keep : (tensor<3x20xf32>) -> tensor<3x1xf32>
  %v4 = mirage_kernel.reshape %v : tensor<3x1xf32> to tensor<1x3x1x1xf32>
  %ve = mirage_kernel.add %v4, %e : (tensor<1x3x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x1x1xf32>
  %r = mirage_kernel.sqrt %ve : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %o = mirage_kernel.div %c, %r : (tensor<1x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x5xf32>
  return %o : tensor<1x3x4x5xf32>
}

// CHECK-LABEL: func @softmax(
func.func @softmax(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  // CHECK-NEXT: %[[A:.*]] = mirage_kernel.softmax %arg0 dim(1)
  // CHECK-NEXT: %[[B:.*]] = mirage_kernel.softmax %arg1 dim(0)
  // CHECK-NEXT: return %[[A]], %[[B]]
  %m = mirage_kernel.reduce max %x dim(1) : (tensor<4x16xf32>) -> tensor<4xf32>
  %m2 = mirage_kernel.reshape %m : tensor<4xf32> to tensor<4x1xf32>
  %s = mirage_kernel.sub %x, %m2 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %e = mirage_kernel.exp %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %r = mirage_kernel.div %one, %d : (tensor<1x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.mul %r, %e : (tensor<4x1xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  // Powers of two of a multiple by log2 e, without a maximum.
  %l = mirage_kernel.scale %y by 1.44269504 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = mirage_kernel.exp2 %l : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %t = mirage_kernel.reduce sum %p dim(0) keep : (tensor<4x16xf32>) -> tensor<1x16xf32>
  %1 = mirage_kernel.div %p, %t : (tensor<4x16xf32>, tensor<1x16xf32>) -> tensor<4x16xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<4x16xf32>
}

// A scale may stand behind the maximum, and a softmax be the exponential of its
// logarithm.
// CHECK-LABEL: func @scaled_softmax(
func.func @scaled_softmax(%x: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  // CHECK-NEXT: %[[S:.*]] = mirage_kernel.scale %arg0 by 1.250000e+00
  // CHECK-NEXT: %[[A:.*]] = mirage_kernel.softmax %[[S]] dim(1)
  // CHECK-NEXT: %[[B:.*]] = mirage_kernel.softmax %arg0 dim(1)
  // CHECK-NEXT: return %[[A]], %[[B]]
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %s = mirage_kernel.scale %d by 1.25 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = mirage_kernel.exp %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %t = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %e, %t : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %l = mirage_kernel.log_softmax %x dim(1) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = mirage_kernel.exp %l : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %q, %p : tensor<4x16xf32>, tensor<4x16xf32>
}

// In f16, the scale is as wide as the softmax.
// CHECK-LABEL: func @scaled_softmax_f16(
func.func @scaled_softmax_f16(%x: tensor<4x16xf16>) -> tensor<4x16xf16> {
  // CHECK-NEXT: %[[X:.*]] = mirage_kernel.cast %arg0 : tensor<4x16xf16> to tensor<4x16xf32>
  // CHECK-NEXT: %[[S:.*]] = mirage_kernel.scale %[[X]] by 1.250000e+00
  // CHECK-NEXT: %[[A:.*]] = mirage_kernel.softmax %[[S]] dim(1) : (tensor<4x16xf32>)
  // CHECK-NEXT: %[[R:.*]] = mirage_kernel.cast %[[A]] : tensor<4x16xf32> to tensor<4x16xf16>
  // CHECK-NEXT: return %[[R]]
  %n = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x16xf16>) -> tensor<4x1xf16>
  %m = mirage_kernel.cast %n : tensor<4x1xf16> to tensor<4x1xf32>
  %w = mirage_kernel.cast %x : tensor<4x16xf16> to tensor<4x16xf32>
  %d = mirage_kernel.sub %w, %m : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %s = mirage_kernel.scale %d by 1.25 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = mirage_kernel.exp %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %t = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %e, %t : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %r = mirage_kernel.cast %q : tensor<4x16xf32> to tensor<4x16xf16>
  return %r : tensor<4x16xf16>
}

// The exponential of twice a logarithm, and a scale that only the numerators
// have, are no softmax.
// CHECK-LABEL: func @no_scaled_softmax(
func.func @no_scaled_softmax(%x: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  // CHECK-NOT: mirage_kernel.softmax
  // CHECK: return
  %l = mirage_kernel.log_softmax %x dim(1) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %b = mirage_kernel.scale %l by 2.0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = mirage_kernel.exp %b : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %s = mirage_kernel.scale %d by 1.25 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = mirage_kernel.exp %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %f = mirage_kernel.exp %d : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %t = mirage_kernel.reduce sum %f dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %q = mirage_kernel.div %e, %t : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %p, %q : tensor<4x16xf32>, tensor<4x16xf32>
}

// CHECK-LABEL: func @log_softmax(
func.func @log_softmax(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK-NEXT: mirage_kernel.log_softmax %arg0 dim(1)
  // CHECK-NEXT: return
  %m = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %s = mirage_kernel.sub %x, %m : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %e = mirage_kernel.exp %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %l = mirage_kernel.log %d : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.sub %s, %l : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func @activations(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
func.func @activations(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %one = mirage_kernel.constant dense<1.0> : tensor<1xf32>
  %half = mirage_kernel.constant dense<0.5> : tensor<1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  // CHECK-DAG: %[[SILU:.*]] = mirage_kernel.silu %[[X]] :
  %n = mirage_kernel.scale %x by -1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %e = mirage_kernel.exp %n : (tensor<8xf32>) -> tensor<8xf32>
  %d = mirage_kernel.add %e, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %silu = mirage_kernel.div %x, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-DAG: %[[TANH:.*]] = mirage_kernel.gelu tanh %[[X]] :
  %x3 = mirage_kernel.pow %x to 3.0 : (tensor<8xf32>) -> tensor<8xf32>
  %c = mirage_kernel.scale %x3 by 0.044714998453855515 : (tensor<8xf32>) -> tensor<8xf32>
  %xc = mirage_kernel.add %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %i = mirage_kernel.scale %xc by 0.79788458347320556 : (tensor<8xf32>) -> tensor<8xf32>
  %t = mirage_kernel.tanh %i : (tensor<8xf32>) -> tensor<8xf32>
  %t1 = mirage_kernel.add %t, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %hx = mirage_kernel.mul %x, %half : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %tanh = mirage_kernel.mul %t1, %hx : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-DAG: %[[ERF:.*]] = mirage_kernel.gelu erf %[[X]] :
  %g = mirage_kernel.scale %x by 0.70710676908493042 : (tensor<8xf32>) -> tensor<8xf32>
  %h = mirage_kernel.erf %g : (tensor<8xf32>) -> tensor<8xf32>
  %h1 = mirage_kernel.add %h, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %hh = mirage_kernel.mul %x, %h1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %erf = mirage_kernel.scale %hh by 0.5 : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-DAG: %[[RELU:.*]] = mirage_kernel.relu %[[X]] :
  %gt = mirage_kernel.compare gt %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %relu = mirage_kernel.select %gt, %x, %zero : (tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  // The logarithm's argument is cut off where tanh is one.
  // CHECK-DAG: %[[MISH:.*]] = mirage_kernel.mish %[[X]] :
  %me = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %m1 = mirage_kernel.add %me, %one : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %ml = mirage_kernel.log %m1 : (tensor<8xf32>) -> tensor<8xf32>
  %mt = mirage_kernel.tanh %ml : (tensor<8xf32>) -> tensor<8xf32>
  %mish = mirage_kernel.mul %mt, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: return %[[SILU]], %[[TANH]], %[[ERF]], %[[RELU]], %[[MISH]]
  return %silu, %tanh, %erf, %relu, %mish : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A factor that is off in the fourth digit, a bound that silu exceeds far out
// only, a divisor that is not the number of elements, sums over another
// dimension than the maximum's is fine but than the quotient's is not.
// CHECK-LABEL: func @others(
func.func @others(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-NOT: gelu
  // CHECK-NOT: softmax
  // CHECK-NOT: rms_norm
  // CHECK: return
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %g = mirage_kernel.scale %x by 0.7070 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %h = mirage_kernel.erf %g : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %h1 = mirage_kernel.add %h, %one : (tensor<4x4xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
  %hh = mirage_kernel.mul %x, %h1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.scale %hh by 0.5 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = mirage_kernel.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = mirage_kernel.reduce sum %e dim(1) : (tensor<4x4xf32>) -> tensor<4xf32>
  %r = mirage_kernel.reshape %s : tensor<4xf32> to tensor<1x4xf32>
  %1 = mirage_kernel.div %e, %r : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %q = mirage_kernel.square %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %qs = mirage_kernel.reduce sum %q dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %qn = mirage_kernel.scale %qs by 0.333 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %qr = mirage_kernel.rsqrt %qn : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %2 = mirage_kernel.mul %x, %qr : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %b = mirage_kernel.silu %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = mirage_kernel.clamp %b lower(-1.0) upper(10000.0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Batch dimensions collapsed for the products, half of the scale on each
// operand, softmax in f32, a mask for all heads.
// CHECK-LABEL: func @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x5x8xf16>, %[[K:.*]]: tensor<6x7x8xf16>, %[[V:.*]]: tensor<6x7x4xf16>, %[[M:.*]]: tensor<2x1x5x7xf16>)
func.func @attention(%q: tensor<2x3x5x8xf16>, %k: tensor<6x7x8xf16>, %v: tensor<6x7x4xf16>, %m: tensor<2x1x5x7xf16>) -> tensor<6x5x4xf16> {
  // CHECK-DAG: %[[K4:.*]] = mirage_kernel.reshape %[[K]] : tensor<6x7x8xf16> to tensor<2x3x7x8xf16>
  // CHECK-DAG: %[[V4:.*]] = mirage_kernel.reshape %[[V]] : tensor<6x7x4xf16> to tensor<2x3x7x4xf16>
  // CHECK: %[[A:.*]] = mirage_kernel.attention %{{.*}}, %[[K4]], %[[V4]] mask %[[M]] scale(2.500000e-01)
  // CHECK: %[[R:.*]] = mirage_kernel.reshape %[[A]] : tensor<2x3x5x4xf16> to tensor<6x5x4xf16>
  // CHECK-NEXT: return %[[R]]
  %qr = mirage_kernel.reshape %q : tensor<2x3x5x8xf16> to tensor<6x5x8xf16>
  %qs = mirage_kernel.scale %qr by 0.5 : (tensor<6x5x8xf16>) -> tensor<6x5x8xf16>
  %ks = mirage_kernel.scale %k by 0.5 : (tensor<6x7x8xf16>) -> tensor<6x7x8xf16>
  %s = mirage_kernel.matmul %qs, %ks transpose_rhs : (tensor<6x5x8xf16>, tensor<6x7x8xf16>) -> tensor<6x5x7xf16>
  %s4 = mirage_kernel.reshape %s : tensor<6x5x7xf16> to tensor<2x3x5x7xf16>
  %sm = mirage_kernel.add %s4, %m : (tensor<2x3x5x7xf16>, tensor<2x1x5x7xf16>) -> tensor<2x3x5x7xf16>
  %sf = mirage_kernel.cast %sm : tensor<2x3x5x7xf16> to tensor<2x3x5x7xf32>
  %p = mirage_kernel.softmax %sf dim(3) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %ph = mirage_kernel.cast %p : tensor<2x3x5x7xf32> to tensor<2x3x5x7xf16>
  %p3 = mirage_kernel.reshape %ph : tensor<2x3x5x7xf16> to tensor<6x5x7xf16>
  %o = mirage_kernel.matmul %p3, %v : (tensor<6x5x7xf16>, tensor<6x7x4xf16>) -> tensor<6x5x4xf32>
  %oh = mirage_kernel.cast %o : tensor<6x5x4xf32> to tensor<6x5x4xf16>
  return %oh : tensor<6x5x4xf16>
}

// Scores and mask are multiplied together: the mask is divided by the factor
// before, or it is not, and then multiplied with it in the type of the sum.
// CHECK-LABEL: func @scaled_mask(
// CHECK-SAME: %[[Q:.*]]: tensor<5x8xf16>, %[[K:.*]]: tensor<7x8xf16>, %[[V:.*]]: tensor<7x4xf16>, %[[M:.*]]: tensor<5x7xf16>)
func.func @scaled_mask(%q: tensor<5x8xf16>, %k: tensor<7x8xf16>, %v: tensor<7x4xf16>, %m: tensor<5x7xf16>) -> (tensor<5x4xf16>, tensor<5x4xf16>, tensor<5x4xf16>) {
  // CHECK-DAG: %[[A:.*]] = mirage_kernel.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] scale(0.35355339059327{{.*}})
  // CHECK-DAG: %[[WIDE:.*]] = mirage_kernel.cast %[[M]] : tensor<5x7xf16> to tensor<5x7xf32>
  // CHECK-DAG: %[[SCALED:.*]] = mirage_kernel.scale %[[WIDE]] by 3.000000e+00
  // CHECK-DAG: mirage_kernel.attention %[[Q]], %[[K]], %[[V]] mask %[[SCALED]] scale(3.000000e+00)
  // CHECK-DAG: %[[HALF:.*]] = mirage_kernel.div %[[M]]
  // CHECK-DAG: %[[TWICE:.*]] = mirage_kernel.scale %[[HALF]] by 4.000000e+00
  // CHECK-DAG: mirage_kernel.attention %[[Q]], %[[K]], %[[V]] mask %[[TWICE]] scale(4.000000e+00)
  %c = mirage_kernel.constant dense<0.353515625> : tensor<1x1xf16>
  %two = mirage_kernel.constant dense<2.0> : tensor<1x1xf16>
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<5x8xf16>, tensor<7x8xf16>) -> tensor<5x7xf32>
  %sh = mirage_kernel.cast %s : tensor<5x7xf32> to tensor<5x7xf16>
  %d = mirage_kernel.div %m, %c : (tensor<5x7xf16>, tensor<1x1xf16>) -> tensor<5x7xf16>
  %a = mirage_kernel.add %sh, %d : (tensor<5x7xf16>, tensor<5x7xf16>) -> tensor<5x7xf16>
  %as = mirage_kernel.scale %a by 0.353515625 : (tensor<5x7xf16>) -> tensor<5x7xf16>
  %af = mirage_kernel.cast %as : tensor<5x7xf16> to tensor<5x7xf32>
  %p = mirage_kernel.softmax %af dim(1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %ph = mirage_kernel.cast %p : tensor<5x7xf32> to tensor<5x7xf16>
  %o = mirage_kernel.matmul %ph, %v : (tensor<5x7xf16>, tensor<7x4xf16>) -> tensor<5x4xf32>
  %0 = mirage_kernel.cast %o : tensor<5x4xf32> to tensor<5x4xf16>

  %mf = mirage_kernel.cast %m : tensor<5x7xf16> to tensor<5x7xf32>
  %b = mirage_kernel.add %s, %mf : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  %bs = mirage_kernel.scale %b by 3.0 : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %p1 = mirage_kernel.softmax %bs dim(1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %ph1 = mirage_kernel.cast %p1 : tensor<5x7xf32> to tensor<5x7xf16>
  %o1 = mirage_kernel.matmul %ph1, %v : (tensor<5x7xf16>, tensor<7x4xf16>) -> tensor<5x4xf32>
  %1 = mirage_kernel.cast %o1 : tensor<5x4xf32> to tensor<5x4xf16>

  %h = mirage_kernel.div %m, %two : (tensor<5x7xf16>, tensor<1x1xf16>) -> tensor<5x7xf16>
  %e = mirage_kernel.add %sh, %h : (tensor<5x7xf16>, tensor<5x7xf16>) -> tensor<5x7xf16>
  %es = mirage_kernel.scale %e by 4.0 : (tensor<5x7xf16>) -> tensor<5x7xf16>
  %ef = mirage_kernel.cast %es : tensor<5x7xf16> to tensor<5x7xf32>
  %p2 = mirage_kernel.softmax %ef dim(1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %ph2 = mirage_kernel.cast %p2 : tensor<5x7xf32> to tensor<5x7xf16>
  %o2 = mirage_kernel.matmul %ph2, %v : (tensor<5x7xf16>, tensor<7x4xf16>) -> tensor<5x4xf32>
  %2 = mirage_kernel.cast %o2 : tensor<5x4xf32> to tensor<5x4xf16>
  return %0, %1, %2 : tensor<5x4xf16>, tensor<5x4xf16>, tensor<5x4xf16>
}

// A row without a key is set to zero. Without a mask there is no such row.
// CHECK-LABEL: func @safe_attention(
func.func @safe_attention(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: tensor<2x5x7xf32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>) {
  // CHECK: %[[A:.*]] = mirage_kernel.attention %arg0, %arg1, %arg2 scale(1.000000e+00)
  // CHECK: %[[S:.*]] = mirage_kernel.select
  // CHECK: %[[B:.*]] = mirage_kernel.matmul %[[S]], %arg2
  // CHECK-NEXT: return %[[A]], %[[B]]
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1x1xf32>
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
  %p = mirage_kernel.softmax %s dim(2) : (tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %ne = mirage_kernel.compare ne %s, %inf : (tensor<2x5x7xf32>, tensor<1x1x1xf32>) -> tensor<2x5x7xf32>
  %any = mirage_kernel.reduce max %ne dim(2) keep : (tensor<2x5x7xf32>) -> tensor<2x5x1xf32>
  %none = mirage_kernel.compare eq %any, %zero : (tensor<2x5x1xf32>, tensor<1x1x1xf32>) -> tensor<2x5x1xf32>
  %pz = mirage_kernel.select %none, %zero, %p : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %0 = mirage_kernel.matmul %pz, %v : (tensor<2x5x7xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>

  %sm = mirage_kernel.add %s, %m : (tensor<2x5x7xf32>, tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p1 = mirage_kernel.softmax %sm dim(2) : (tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %ne1 = mirage_kernel.compare ne %sm, %inf : (tensor<2x5x7xf32>, tensor<1x1x1xf32>) -> tensor<2x5x7xf32>
  %any1 = mirage_kernel.reduce max %ne1 dim(2) keep : (tensor<2x5x7xf32>) -> tensor<2x5x1xf32>
  %none1 = mirage_kernel.compare eq %any1, %zero : (tensor<2x5x1xf32>, tensor<1x1x1xf32>) -> tensor<2x5x1xf32>
  %pz1 = mirage_kernel.select %none1, %zero, %p1 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %1 = mirage_kernel.matmul %pz1, %v : (tensor<2x5x7xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %0, %1 : tensor<2x5x4xf32>, tensor<2x5x4xf32>
}

// As an einsum is lowered: keys times queries, queries of several heads that
// share keys merged, values times weights, and the result transposed.
// CHECK-LABEL: func @einsum_attention(
// CHECK-SAME: %[[Q:.*]]: tensor<2x5x6x8xf32>, %[[K:.*]]: tensor<2x7x2x8xf32>, %[[V:.*]]: tensor<2x7x2x4xf32>, %[[M:.*]]: tensor<2x1x5x7xf32>)
func.func @einsum_attention(%q: tensor<2x5x6x8xf32>, %k: tensor<2x7x2x8xf32>, %v: tensor<2x7x2x4xf32>, %m: tensor<2x1x5x7xf32>) -> tensor<2x5x6x4xf32> {
  // CHECK: %[[QT:.*]] = mirage_kernel.transpose %[[Q]] [0, 2, 1, 3]
  // CHECK: %[[QR:.*]] = mirage_kernel.reshape %[[QT]] : tensor<2x6x5x8xf32> to tensor<2x2x3x5x8xf32>
  // CHECK: %[[KT:.*]] = mirage_kernel.transpose %[[K]] [0, 2, 1, 3]
  // CHECK: %[[KR:.*]] = mirage_kernel.reshape %[[KT]] : tensor<2x2x7x8xf32> to tensor<2x2x1x7x8xf32>
  // CHECK: %[[VT:.*]] = mirage_kernel.transpose %[[V]] [0, 2, 1, 3]
  // CHECK: %[[VR:.*]] = mirage_kernel.reshape %[[VT]] : tensor<2x2x7x4xf32> to tensor<2x2x1x7x4xf32>
  // CHECK: %[[MR:.*]] = mirage_kernel.reshape %[[M]] : tensor<2x1x5x7xf32> to tensor<2x1x1x5x7xf32>
  // CHECK: %[[A:.*]] = mirage_kernel.attention %[[QR]], %[[KR]], %[[VR]] mask %[[MR]] scale(5.000000e-01)
  // CHECK-NEXT: %[[T:.*]] = mirage_kernel.transpose %[[A]] [0, 3, 1, 2, 4]
  // CHECK-NEXT: %[[R:.*]] = mirage_kernel.reshape %[[T]] : tensor<2x5x2x3x4xf32> to tensor<2x5x6x4xf32>
  // CHECK-NEXT: return %[[R]]
  %two = mirage_kernel.constant dense<2.0> : tensor<1x1x1x1x1xf32>
  %q5 = mirage_kernel.reshape %q : tensor<2x5x6x8xf32> to tensor<2x5x2x3x8xf32>
  %kt = mirage_kernel.transpose %k [0, 2, 1, 3] : (tensor<2x7x2x8xf32>) -> tensor<2x2x7x8xf32>
  %qt = mirage_kernel.transpose %q5 [0, 2, 4, 1, 3] : (tensor<2x5x2x3x8xf32>) -> tensor<2x2x8x5x3xf32>
  %qm = mirage_kernel.reshape %qt : tensor<2x2x8x5x3xf32> to tensor<2x2x8x15xf32>
  %s = mirage_kernel.matmul %kt, %qm : (tensor<2x2x7x8xf32>, tensor<2x2x8x15xf32>) -> tensor<2x2x7x15xf32>
  %s5 = mirage_kernel.reshape %s : tensor<2x2x7x15xf32> to tensor<2x2x7x5x3xf32>
  %st = mirage_kernel.transpose %s5 [0, 1, 4, 3, 2] : (tensor<2x2x7x5x3xf32>) -> tensor<2x2x3x5x7xf32>
  %sd = mirage_kernel.div %st, %two : (tensor<2x2x3x5x7xf32>, tensor<1x1x1x1x1xf32>) -> tensor<2x2x3x5x7xf32>
  %m5 = mirage_kernel.reshape %m : tensor<2x1x5x7xf32> to tensor<2x1x1x5x7xf32>
  %sm = mirage_kernel.add %sd, %m5 : (tensor<2x2x3x5x7xf32>, tensor<2x1x1x5x7xf32>) -> tensor<2x2x3x5x7xf32>
  %p = mirage_kernel.softmax %sm dim(4) : (tensor<2x2x3x5x7xf32>) -> tensor<2x2x3x5x7xf32>
  %vt = mirage_kernel.transpose %v [0, 2, 3, 1] : (tensor<2x7x2x4xf32>) -> tensor<2x2x4x7xf32>
  %pm = mirage_kernel.reshape %p : tensor<2x2x3x5x7xf32> to tensor<2x2x15x7xf32>
  %o = mirage_kernel.matmul %vt, %pm transpose_rhs : (tensor<2x2x4x7xf32>, tensor<2x2x15x7xf32>) -> tensor<2x2x4x15xf32>
  %o5 = mirage_kernel.reshape %o : tensor<2x2x4x15xf32> to tensor<2x2x4x3x5xf32>
  %ot = mirage_kernel.transpose %o5 [0, 4, 1, 3, 2] : (tensor<2x2x4x3x5xf32>) -> tensor<2x5x2x3x4xf32>
  %0 = mirage_kernel.reshape %ot : tensor<2x5x2x3x4xf32> to tensor<2x5x6x4xf32>
  return %0 : tensor<2x5x6x4xf32>
}

// As a library writes it: scores scaled and their maximum taken before queries
// and heads change places, exponentials and sums after it; the quotient by
// sqrt(8), rounded, is a product with sqrt(2) / 4.
// CHECK-LABEL: func @transposed_attention(
// CHECK-SAME: %[[Q:.*]]: tensor<2x2x15x8xf32>, %[[K:.*]]: tensor<2x2x8x7xf32>, %[[V:.*]]: tensor<2x2x4x7xf32>)
func.func @transposed_attention(%q: tensor<2x2x15x8xf32>, %k: tensor<2x2x8x7xf32>, %v: tensor<2x2x4x7xf32>) -> tensor<2x2x4x15xf32> {
  // CHECK: %[[QR:.*]] = mirage_kernel.reshape %[[Q]] : tensor<2x2x15x8xf32> to tensor<2x2x5x3x8xf32>
  // CHECK: %[[QT:.*]] = mirage_kernel.transpose %[[QR]] [0, 1, 3, 2, 4]
  // CHECK: %[[KT:.*]] = mirage_kernel.transpose %[[K]] [0, 1, 3, 2]
  // CHECK: %[[KR:.*]] = mirage_kernel.reshape %[[KT]] : tensor<2x2x7x8xf32> to tensor<2x2x1x7x8xf32>
  // CHECK: %[[VT:.*]] = mirage_kernel.transpose %[[V]] [0, 1, 3, 2]
  // CHECK: %[[VR:.*]] = mirage_kernel.reshape %[[VT]] : tensor<2x2x7x4xf32> to tensor<2x2x1x7x4xf32>
  // CHECK: mirage_kernel.attention %[[QT]], %[[KR]], %[[VR]] scale(0.35355339059327{{.*}})
  // CHECK-NOT: mirage_kernel.exp
  // CHECK: return
  %root = mirage_kernel.constant dense<2.82842708> : tensor<1x1x1x1x1xf32>
  %0 = mirage_kernel.matmul %q, %k : (tensor<2x2x15x8xf32>, tensor<2x2x8x7xf32>) -> tensor<2x2x15x7xf32>
  %1 = mirage_kernel.reshape %0 : tensor<2x2x15x7xf32> to tensor<2x2x5x3x7xf32>
  %2 = mirage_kernel.div %1, %root : (tensor<2x2x5x3x7xf32>, tensor<1x1x1x1x1xf32>) -> tensor<2x2x5x3x7xf32>
  %3 = mirage_kernel.reduce max %2 dim(4) : (tensor<2x2x5x3x7xf32>) -> tensor<2x2x5x3xf32>
  %4 = mirage_kernel.transpose %3 [3, 0, 1, 2] : (tensor<2x2x5x3xf32>) -> tensor<3x2x2x5xf32>
  %5 = mirage_kernel.reshape %4 : tensor<3x2x2x5xf32> to tensor<3x2x2x5x1xf32>
  %6 = mirage_kernel.transpose %2 [3, 0, 1, 2, 4] : (tensor<2x2x5x3x7xf32>) -> tensor<3x2x2x5x7xf32>
  %7 = mirage_kernel.sub %6, %5 : (tensor<3x2x2x5x7xf32>, tensor<3x2x2x5x1xf32>) -> tensor<3x2x2x5x7xf32>
  %8 = mirage_kernel.exp %7 : (tensor<3x2x2x5x7xf32>) -> tensor<3x2x2x5x7xf32>
  %9 = mirage_kernel.reduce sum %8 dim(4) keep : (tensor<3x2x2x5x7xf32>) -> tensor<3x2x2x5x1xf32>
  %10 = mirage_kernel.div %8, %9 : (tensor<3x2x2x5x7xf32>, tensor<3x2x2x5x1xf32>) -> tensor<3x2x2x5x7xf32>
  %11 = mirage_kernel.transpose %10 [1, 2, 4, 3, 0] : (tensor<3x2x2x5x7xf32>) -> tensor<2x2x7x5x3xf32>
  %12 = mirage_kernel.reshape %11 : tensor<2x2x7x5x3xf32> to tensor<2x2x7x15xf32>
  %13 = mirage_kernel.matmul %v, %12 : (tensor<2x2x4x7xf32>, tensor<2x2x7x15xf32>) -> tensor<2x2x4x15xf32>
  return %13 : tensor<2x2x4x15xf32>
}

// All sizes are the same, and only the values tell that softmax is of the
// transpose; a maximum of the other rows changes nothing, a sum does.
// CHECK-LABEL: func @transposed_softmax(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>)
func.func @transposed_softmax(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[T:.*]] = mirage_kernel.transpose %[[X]] [1, 0]
  // CHECK: %[[S:.*]] = mirage_kernel.softmax %[[T]] dim(1)
  // CHECK-NOT: mirage_kernel.softmax
  // CHECK: %[[D:.*]] = mirage_kernel.div
  // CHECK-NEXT: return %[[S]], %[[D]]
  %max = mirage_kernel.reduce max %x dim(0) : (tensor<4x4xf32>) -> tensor<4xf32>
  %column = mirage_kernel.reshape %max : tensor<4xf32> to tensor<4x1xf32>
  %transpose = mirage_kernel.transpose %x [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %less = mirage_kernel.sub %transpose, %column : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %e = mirage_kernel.exp %less : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.div %e, %sum : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %f = mirage_kernel.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %other = mirage_kernel.reduce sum %f dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.div %e, %other : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Masks in f32 and in the type of the queries: both stay as they are, also where
// the scores are f32.
// CHECK-LABEL: func @masks_of_types(
// CHECK-SAME: %[[Q:.*]]: tensor<2x8xf16>, %[[K:.*]]: tensor<3x8xf16>, %[[V:.*]]: tensor<3x4xf16>, %[[M:.*]]: tensor<2x3xf16>, %[[W:.*]]: tensor<2x3xf32>)
func.func @masks_of_types(%q: tensor<2x8xf16>, %k: tensor<3x8xf16>, %v: tensor<3x4xf16>, %m: tensor<2x3xf16>, %w: tensor<2x3xf32>) -> (tensor<2x4xf16>, tensor<2x4xf16>) {
  // CHECK-DAG: mirage_kernel.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] scale(5.000000e-01) : (tensor<2x8xf16>, tensor<3x8xf16>, tensor<3x4xf16>, tensor<2x3xf16>) -> tensor<2x4xf16>
  // CHECK-DAG: mirage_kernel.attention %[[Q]], %[[K]], %[[V]] mask %[[W]] scale(5.000000e-01) : (tensor<2x8xf16>, tensor<3x8xf16>, tensor<3x4xf16>, tensor<2x3xf32>) -> tensor<2x4xf16>
  // CHECK: return
  %p = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<2x8xf16>, tensor<3x8xf16>) -> tensor<2x3xf32>
  %s = mirage_kernel.scale %p by 0.5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %mf = mirage_kernel.cast %m : tensor<2x3xf16> to tensor<2x3xf32>
  %s0 = mirage_kernel.add %s, %mf : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %w0 = mirage_kernel.softmax %s0 dim(1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h0 = mirage_kernel.cast %w0 : tensor<2x3xf32> to tensor<2x3xf16>
  %o0 = mirage_kernel.matmul %h0, %v : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  %p1 = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<2x8xf16>, tensor<3x8xf16>) -> tensor<2x3xf32>
  %s2 = mirage_kernel.scale %p1 by 0.5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s1 = mirage_kernel.add %s2, %w : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %w1 = mirage_kernel.softmax %s1 dim(1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h1 = mirage_kernel.cast %w1 : tensor<2x3xf32> to tensor<2x3xf16>
  %o1 = mirage_kernel.matmul %h1, %v : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  return %o0, %o1 : tensor<2x4xf16>, tensor<2x4xf16>
}

// Not attention: every query has keys of its own; and softmax along queries.
// CHECK-LABEL: func @no_attention(
// CHECK-NOT: mirage_kernel.attention
func.func @no_attention(%q: tensor<5x1x8xf32>, %k: tensor<5x7x8xf32>, %v: tensor<7x4xf32>, %r: tensor<5x8xf32>, %l: tensor<7x8xf32>) -> (tensor<5x4xf32>, tensor<7x8xf32>) {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<5x1x8xf32>, tensor<5x7x8xf32>) -> tensor<5x1x7xf32>
  %s2 = mirage_kernel.reshape %s : tensor<5x1x7xf32> to tensor<5x7xf32>
  %p = mirage_kernel.softmax %s2 dim(1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %0 = mirage_kernel.matmul %p, %v : (tensor<5x7xf32>, tensor<7x4xf32>) -> tensor<5x4xf32>

  %t = mirage_kernel.matmul %r, %l transpose_rhs : (tensor<5x8xf32>, tensor<7x8xf32>) -> tensor<5x7xf32>
  %w = mirage_kernel.softmax %t dim(1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %1 = mirage_kernel.matmul %w, %r transpose_lhs : (tensor<5x7xf32>, tensor<5x8xf32>) -> tensor<7x8xf32>
  return %0, %1 : tensor<5x4xf32>, tensor<7x8xf32>
}

// A constant mask of keys and queries that leaves one query without a key.
// CHECK-LABEL: func @masked_query(
// CHECK-NOT: mirage_kernel.attention
func.func @masked_query(%q: tensor<2x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %mask = mirage_kernel.constant dense<[[0xFF800000, 0.0], [0xFF800000, 0.0], [0xFF800000, 0.0]]> : tensor<3x2xf32>
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %s = mirage_kernel.matmul %k, %q transpose_rhs : (tensor<3x8xf32>, tensor<2x8xf32>) -> tensor<3x2xf32>
  %sm = mirage_kernel.add %s, %mask : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %st = mirage_kernel.transpose %sm [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %p = mirage_kernel.softmax %st dim(1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %ne = mirage_kernel.compare ne %st, %inf : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
  %any = mirage_kernel.reduce max %ne dim(1) keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %none = mirage_kernel.compare eq %any, %zero : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
  %pz = mirage_kernel.select %none, %zero, %p : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mirage_kernel.matmul %pz, %v : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A maximum with the transpose is no function of each element, although it is
// one on the diagonal and wherever all elements are the same.
// CHECK-LABEL: @transposed_maximum
// CHECK: mirage_kernel.transpose
// CHECK: mirage_kernel.max
func.func @transposed_maximum(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = mirage_kernel.transpose %x [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = mirage_kernel.max %x, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.relu %m : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What is negative is not decided where a rounded number is compared with
// itself, and then half of all samples says nothing.
// CHECK-LABEL: @leaky_relu
// CHECK-NOT: mirage_kernel.relu
// CHECK: return
func.func @leaky_relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1xf32>
  %positive = mirage_kernel.compare gt %x, %zero : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %small = mirage_kernel.scale %x by 1.250000e-01 : (tensor<8xf32>) -> tensor<8xf32>
  %leaky = mirage_kernel.select %positive, %x, %small : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %differs = mirage_kernel.compare ne %leaky, %leaky : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %none = mirage_kernel.sub %leaky, %leaky : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.select %differs, %none, %leaky : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
