// Every compute operator with every attribute, at each of the three levels:
// custom form to custom form, and over the generic form.

// RUN: mirage-opt %s -verify-roundtrip | mirage-opt | FileCheck %s -DLEVEL=mirage_kernel
// RUN: mirage-opt %s -mlir-print-op-generic | mirage-opt | FileCheck %s -DLEVEL=mirage_kernel
// RUN: sed s/mirage_kernel/mirage_block/ %s > %t.block.mlir
// RUN: mirage-opt %t.block.mlir -verify-roundtrip | mirage-opt | FileCheck %s -DLEVEL=mirage_block
// RUN: mirage-opt %t.block.mlir -mlir-print-op-generic | mirage-opt | FileCheck %s -DLEVEL=mirage_block
// RUN: sed s/mirage_kernel/mirage_thread/ %s > %t.thread.mlir
// RUN: mirage-opt %t.thread.mlir -verify-roundtrip | mirage-opt | FileCheck %s -DLEVEL=mirage_thread
// RUN: mirage-opt %t.thread.mlir -mlir-print-op-generic | mirage-opt | FileCheck %s -DLEVEL=mirage_thread

// Nothing is printed with two spaces inside of a line.
// RUN: mirage-opt %s | FileCheck %s --check-prefix=SPACES --strict-whitespace
// SPACES-NOT: {{[^ ]}}  {{[^ ]}}

// CHECK-LABEL: func @binary(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<4x1xf16>
func.func @binary(%a: tensor<4x8xf16>, %b: tensor<4x1xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: %[[ADD:.*]] = [[LEVEL]].add %[[A]], %[[B]] : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
  %add = mirage_kernel.add %a, %b : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[SUB:.*]] = [[LEVEL]].sub %[[B]], %[[ADD]] : (tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %sub = mirage_kernel.sub %b, %add : (tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[MUL:.*]] = [[LEVEL]].mul %[[SUB]], %[[A]] :
  %mul = mirage_kernel.mul %sub, %a : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[DIV:.*]] = [[LEVEL]].div %[[MUL]], %[[B]] :
  %div = mirage_kernel.div %mul, %b : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[MAX:.*]] = [[LEVEL]].max %[[DIV]], %[[A]] :
  %max = mirage_kernel.max %div, %a : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[MIN:.*]] = [[LEVEL]].min %[[MAX]], %[[A]] :
  %min = mirage_kernel.min %max, %a : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return %min : tensor<4x8xf16>
}

// CHECK-LABEL: func @unary(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
func.func @unary(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[EXP:.*]] = [[LEVEL]].exp %[[X]] : (tensor<8xf32>) -> tensor<8xf32>
  %exp = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EXP2:.*]] = [[LEVEL]].exp2 %[[EXP]] :
  %exp2 = mirage_kernel.exp2 %exp : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[LOG:.*]] = [[LEVEL]].log %[[EXP2]] :
  %log = mirage_kernel.log %exp2 : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SQRT:.*]] = [[LEVEL]].sqrt %[[LOG]] :
  %sqrt = mirage_kernel.sqrt %log : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[RSQRT:.*]] = [[LEVEL]].rsqrt %[[SQRT]] :
  %rsqrt = mirage_kernel.rsqrt %sqrt : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SQUARE:.*]] = [[LEVEL]].square %[[RSQRT]] :
  %square = mirage_kernel.square %rsqrt : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SILU:.*]] = [[LEVEL]].silu %[[SQUARE]] :
  %silu = mirage_kernel.silu %square : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SIGMOID:.*]] = [[LEVEL]].sigmoid %[[SILU]] :
  %sigmoid = mirage_kernel.sigmoid %silu : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[RELU:.*]] = [[LEVEL]].relu %[[SIGMOID]] :
  %relu = mirage_kernel.relu %sigmoid : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[TANH:.*]] = [[LEVEL]].tanh %[[RELU]] :
  %tanh = mirage_kernel.tanh %relu : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ERF:.*]] = [[LEVEL]].gelu erf %[[TANH]] :
  %erf = mirage_kernel.gelu erf %tanh : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[GELU:.*]] = [[LEVEL]].gelu tanh %[[ERF]] :
  %gelu = mirage_kernel.gelu tanh %erf : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[CLAMP:.*]] = [[LEVEL]].clamp %[[GELU]] lower(-1.500000e+00) upper(6.000000e+00) :
  %clamp = mirage_kernel.clamp %gelu lower(-1.5) upper(6.0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SCALE:.*]] = [[LEVEL]].scale %[[CLAMP]] by 1.250000e-01 :
  %scale = mirage_kernel.scale %clamp by 0.125 : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[POW:.*]] = [[LEVEL]].pow %[[SCALE]] to -5.000000e-01 :
  %pow = mirage_kernel.pow %scale to -0.5 : (tensor<8xf32>) -> tensor<8xf32>
  return %pow : tensor<8xf32>
}

// An infinite bound, a factor that is no short decimal, and NaN padding keep
// their bits.
// CHECK-LABEL: func @floats(
func.func @floats(%x: tensor<8xf32>) -> tensor<9xf32> {
  // CHECK: clamp %{{.*}} lower(0xFFF0000000000000) upper(0x7FF0000000000000)
  %0 = mirage_kernel.clamp %x lower(0xFFF0000000000000) upper(0x7FF0000000000000) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: scale %{{.*}} by 1.4426950408889634
  %1 = mirage_kernel.scale %0 by 1.4426950408889634 : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: value(0x7FF8000000000000)
  %2 = mirage_kernel.pad %1 low [0] high [1] value(0x7FF8000000000000) : (tensor<8xf32>) -> tensor<9xf32>
  return %2 : tensor<9xf32>
}

// CHECK-LABEL: func @element_types(
// CHECK-SAME: %[[X:.*]]: tensor<4xf8E4M3FN>
func.func @element_types(%x: tensor<4xf8E4M3FN>) -> tensor<4xf64> {
  // CHECK-NEXT: %[[A:.*]] = [[LEVEL]].cast %[[X]] : tensor<4xf8E4M3FN> to tensor<4xf8E5M2>
  %a = mirage_kernel.cast %x : tensor<4xf8E4M3FN> to tensor<4xf8E5M2>
  // CHECK-NEXT: %[[B:.*]] = [[LEVEL]].cast %[[A]] : tensor<4xf8E5M2> to tensor<4xf16>
  %b = mirage_kernel.cast %a : tensor<4xf8E5M2> to tensor<4xf16>
  // CHECK-NEXT: %[[C:.*]] = [[LEVEL]].cast %[[B]] : tensor<4xf16> to tensor<4xbf16>
  %c = mirage_kernel.cast %b : tensor<4xf16> to tensor<4xbf16>
  // CHECK-NEXT: %[[D:.*]] = [[LEVEL]].cast %[[C]] : tensor<4xbf16> to tensor<4xf32>
  %d = mirage_kernel.cast %c : tensor<4xbf16> to tensor<4xf32>
  // CHECK-NEXT: [[LEVEL]].cast %[[D]] : tensor<4xf32> to tensor<4xf64>
  %e = mirage_kernel.cast %d : tensor<4xf32> to tensor<4xf64>
  return %e : tensor<4xf64>
}

// CHECK-LABEL: func @constants(
func.func @constants() {
  // CHECK-NEXT: [[LEVEL]].constant dense<1.000000e+00> : tensor<64x4096xbf16>
  %0 = mirage_kernel.constant dense<1.0> : tensor<64x4096xbf16>
  // CHECK-NEXT: [[LEVEL]].constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %1 = mirage_kernel.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK-NEXT: [[LEVEL]].constant dense<5.000000e-01> : tensor<f64>
  %2 = mirage_kernel.constant dense<0.5> : tensor<f64>
  // CHECK-NEXT: [[LEVEL]].constant dense<[0x7F, 1.000000e+00]> : tensor<2xf8E4M3FN>
  %3 = mirage_kernel.constant dense<[0x7F, 1.0]> : tensor<2xf8E4M3FN>
  return
}

// CHECK-LABEL: func @layout(
// CHECK-SAME: %[[X:.*]]: tensor<4x32xf16>
func.func @layout(%x: tensor<4x32xf16>) {
  // CHECK-NEXT: %[[REPEAT:.*]] = [[LEVEL]].repeat %[[X]] times [3, 2] : (tensor<4x32xf16>) -> tensor<12x64xf16>
  %repeat = mirage_kernel.repeat %x times [3, 2] : (tensor<4x32xf16>) -> tensor<12x64xf16>
  // CHECK-NEXT: %[[RESHAPE:.*]] = [[LEVEL]].reshape %[[X]] : tensor<4x32xf16> to tensor<1x1x128xf16>
  %reshape = mirage_kernel.reshape %x : tensor<4x32xf16> to tensor<1x1x128xf16>
  // CHECK-NEXT: [[LEVEL]].broadcast %[[RESHAPE]] : tensor<1x1x128xf16> to tensor<5x2x128xf16>
  %broadcast = mirage_kernel.broadcast %reshape : tensor<1x1x128xf16> to tensor<5x2x128xf16>
  // CHECK-NEXT: [[LEVEL]].transpose %{{.*}} [2, 0, 1] : (tensor<5x2x128xf16>) -> tensor<128x5x2xf16>
  %transpose = mirage_kernel.transpose %broadcast [2, 0, 1] : (tensor<5x2x128xf16>) -> tensor<128x5x2xf16>
  // CHECK-NEXT: [[LEVEL]].slice %[[X]][0, 8] [4, 8] [1, 2] : (tensor<4x32xf16>) -> tensor<4x8xf16>
  %slice = mirage_kernel.slice %x[0, 8] [4, 8] [1, 2] : (tensor<4x32xf16>) -> tensor<4x8xf16>
  // CHECK-NEXT: %[[SPLIT:.*]]:4 = [[LEVEL]].split %[[X]] dim(1) parts(4) : (tensor<4x32xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>)
  %split:4 = mirage_kernel.split %x dim(1) parts(4) : (tensor<4x32xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>)
  // CHECK-NEXT: [[LEVEL]].concat dim(0) %[[SPLIT]]#3, %{{.*}}, %[[SPLIT]]#0 : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<12x8xf16>
  %concat = mirage_kernel.concat dim(0) %split#3, %slice, %split#0 : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<12x8xf16>
  // CHECK-NEXT: [[LEVEL]].pad %[[X]] low [1, 0] high [2, 3] value(-1.000000e+00) : (tensor<4x32xf16>) -> tensor<7x35xf16>
  %pad = mirage_kernel.pad %x low [1, 0] high [2, 3] value(-1.0) : (tensor<4x32xf16>) -> tensor<7x35xf16>
  return
}

// A tensor of rank zero has one element.
// CHECK-LABEL: func @scalars(
// CHECK-SAME: %[[X:.*]]: tensor<f32>
func.func @scalars(%x: tensor<f32>) -> tensor<1x1xf32> {
  // CHECK-NEXT: [[LEVEL]].add %[[X]], %[[X]] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = mirage_kernel.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: [[LEVEL]].transpose %{{.*}} [] :
  %1 = mirage_kernel.transpose %0 [] : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: [[LEVEL]].slice %{{.*}}[] [] [] :
  %2 = mirage_kernel.slice %1[] [] [] : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: [[LEVEL]].repeat %{{.*}} times [] :
  %3 = mirage_kernel.repeat %2 times [] : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: [[LEVEL]].pad %{{.*}} low [] high [] value(0.000000e+00) :
  %4 = mirage_kernel.pad %3 low [] high [] value(0.0) : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: [[LEVEL]].reshape %{{.*}} : tensor<f32> to tensor<1x1xf32>
  %5 = mirage_kernel.reshape %4 : tensor<f32> to tensor<1x1xf32>
  return %5 : tensor<1x1xf32>
}

// CHECK-LABEL: func @reduce(
// CHECK-SAME: %[[X:.*]]: tensor<4x64xbf16>
func.func @reduce(%x: tensor<4x64xbf16>) {
  // CHECK-NEXT: [[LEVEL]].reduce sum %[[X]] dim(1) : (tensor<4x64xbf16>) -> tensor<4xf32>
  %0 = mirage_kernel.reduce sum %x dim(1) : (tensor<4x64xbf16>) -> tensor<4xf32>
  // CHECK-NEXT: [[LEVEL]].reduce max %[[X]] dim(0) keep : (tensor<4x64xbf16>) -> tensor<1x64xbf16>
  %1 = mirage_kernel.reduce max %x dim(0) keep : (tensor<4x64xbf16>) -> tensor<1x64xbf16>
  // CHECK-NEXT: [[LEVEL]].reduce mean %[[X]] dim(1) group(16) : (tensor<4x64xbf16>) -> tensor<4x4xbf16>
  %2 = mirage_kernel.reduce mean %x dim(1) group(16) : (tensor<4x64xbf16>) -> tensor<4x4xbf16>
  return
}

// CHECK-LABEL: func @contractions(
// CHECK-SAME: %[[A:.*]]: tensor<1x16x8xf32>, %[[B:.*]]: tensor<3x8x4xf32>
func.func @contractions(%a: tensor<1x16x8xf32>, %b: tensor<3x8x4xf32>, %h: tensor<16x8xf16>, %w: tensor<4x16xf16>, %e: tensor<16x8xf8E5M2>) {
  // CHECK-NEXT: [[LEVEL]].matmul %[[A]], %[[B]] : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
  %0 = mirage_kernel.matmul %a, %b : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
  // CHECK-NEXT: [[LEVEL]].matmul %[[A]], %[[B]] compute tf32 :
  %1 = mirage_kernel.matmul %a, %b compute tf32 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
  // CHECK-NEXT: [[LEVEL]].matmul %{{.*}}, %{{.*}} transpose_lhs transpose_rhs : (tensor<16x8xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
  %2 = mirage_kernel.matmul %h, %w transpose_lhs transpose_rhs : (tensor<16x8xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
  // CHECK-NEXT: [[LEVEL]].matmul %[[E:.*]], %[[E]] transpose_lhs : (tensor<16x8xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<8x8xf16>
  %3 = mirage_kernel.matmul %e, %e transpose_lhs : (tensor<16x8xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<8x8xf16>
  // CHECK-NEXT: [[LEVEL]].matmul %{{.*}}, %{{.*}} transpose_rhs : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
  %4 = mirage_kernel.matmul %h, %h transpose_rhs : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
  // CHECK-NEXT: %[[T:.*]] = [[LEVEL]].transpose
  // CHECK-NEXT: [[LEVEL]].concat_matmul(%{{.*}}, %[[F:.*]]), (%[[T]], %[[F]]) :
  // CHECK-SAME: (tensor<16x8xf16>, tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
  %5 = mirage_kernel.transpose %h [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
  %6 = mirage_kernel.concat_matmul (%h, %4), (%5, %4) : (tensor<16x8xf16>, tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
  return
}

// CHECK-LABEL: func @conv2d(
func.func @conv2d(%x: tensor<1x6x16x16xf16>, %f: tensor<8x3x3x3xf16>, %y: tensor<1x16x16x6xf16>, %g: tensor<3x3x6x8xf16>) {
  // CHECK-NEXT: [[LEVEL]].conv2d nchw %{{.*}}, %{{.*}} strides [2, 1] padding [1, 0, 1, 1] dilations [1, 2] groups(2) : (tensor<1x6x16x16xf16>, tensor<8x3x3x3xf16>) -> tensor<1x8x8x14xf32>
  %0 = mirage_kernel.conv2d nchw %x, %f strides [2, 1] padding [1, 0, 1, 1] dilations [1, 2] groups(2) : (tensor<1x6x16x16xf16>, tensor<8x3x3x3xf16>) -> tensor<1x8x8x14xf32>
  // CHECK-NEXT: [[LEVEL]].conv2d nhwc %{{.*}}, %{{.*}} strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x16x6xf16>, tensor<3x3x6x8xf16>) -> tensor<1x14x14x8xf16>
  %1 = mirage_kernel.conv2d nhwc %y, %g strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x16x6xf16>, tensor<3x3x6x8xf16>) -> tensor<1x14x14x8xf16>
  return
}

// CHECK-LABEL: func @composite(
// CHECK-SAME: %[[X:.*]]: tensor<4x32xf16>, %[[W:.*]]: tensor<32xf16>
func.func @composite(%x: tensor<4x32xf16>, %w: tensor<32xf16>) {
  // CHECK-NEXT: [[LEVEL]].rms_norm %[[X]] epsilon(9.9999999999999995E-7) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-6) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].rms_norm %[[X]] weight %[[W]] epsilon(0.000000e+00) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  %1 = mirage_kernel.rms_norm %x weight %w epsilon(0.0) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].layer_norm %[[X]] epsilon({{.*}}) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  %2 = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].layer_norm %[[X]] weight %[[W]] epsilon({{.*}}) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  %3 = mirage_kernel.layer_norm %x weight %w epsilon(1.0e-5) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].layer_norm %[[X]] bias %[[W]] epsilon({{.*}}) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  %4 = mirage_kernel.layer_norm %x bias %w epsilon(1.0e-5) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].layer_norm %[[X]] weight %[[W]] bias %[[W]] epsilon({{.*}}) :
  %5 = mirage_kernel.layer_norm %x weight %w bias %w epsilon(1.0e-5) : (tensor<4x32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  // CHECK-NEXT: [[LEVEL]].softmax %[[X]] dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  %6 = mirage_kernel.softmax %x dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  return
}

// Attributes that Mirage doesn't know stay where they are.
// CHECK-LABEL: func @discardable(
func.func @discardable(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: [[LEVEL]].exp %{{.*}} {note = "mine"} : (tensor<8xf32>) -> tensor<8xf32>
  %0 = mirage_kernel.exp %x {note = "mine"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @choices(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x1xf32>
func.func @choices(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>) {
  // CHECK-NEXT: %[[EQ:.*]] = [[LEVEL]].compare eq %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %eq = mirage_kernel.compare eq %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[NE:.*]] = [[LEVEL]].compare ne %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %ne = mirage_kernel.compare ne %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[LT:.*]] = [[LEVEL]].compare lt %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %lt = mirage_kernel.compare lt %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[LE:.*]] = [[LEVEL]].compare le %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %le = mirage_kernel.compare le %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[GT:.*]] = [[LEVEL]].compare gt %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %gt = mirage_kernel.compare gt %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[GE:.*]] = [[LEVEL]].compare ge %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %ge = mirage_kernel.compare ge %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[S:.*]] = [[LEVEL]].select %[[LT]], %[[B]], %[[A]] : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = mirage_kernel.select %lt, %b, %a : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = [[LEVEL]].abs %[[S]] :
  %1 = mirage_kernel.abs %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[ERF:.*]] = [[LEVEL]].erf %[[ABS]] :
  %2 = mirage_kernel.erf %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: [[LEVEL]].mish %[[ERF]] :
  %3 = mirage_kernel.mish %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @channel_norms(
// CHECK-SAME: %[[X:.*]]: tensor<2x6x4x5xf16>, %[[W:.*]]: tensor<6xf16>
func.func @channel_norms(%x: tensor<2x6x4x5xf16>, %w: tensor<6xf16>) {
  // CHECK-NEXT: [[LEVEL]].group_norm %[[X]] groups(3) epsilon({{.*}}) : (tensor<2x6x4x5xf16>) -> tensor<2x6x4x5xf16>
  %0 = mirage_kernel.group_norm %x groups(3) epsilon(1.0e-5) : (tensor<2x6x4x5xf16>) -> tensor<2x6x4x5xf16>
  // CHECK-NEXT: [[LEVEL]].group_norm %[[X]] weight %[[W]] bias %[[W]] groups(2) epsilon({{.*}}) :
  %1 = mirage_kernel.group_norm %x weight %w bias %w groups(2) epsilon(1.0e-5) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
  // CHECK-NEXT: [[LEVEL]].instance_norm %[[X]] bias %[[W]] epsilon({{.*}}) :
  %2 = mirage_kernel.instance_norm %x bias %w epsilon(1.0e-5) : (tensor<2x6x4x5xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
  // CHECK-NEXT: [[LEVEL]].batch_norm %[[X]], %[[W]], %[[W]] epsilon({{.*}}) :
  %3 = mirage_kernel.batch_norm %x, %w, %w epsilon(1.0e-5) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
  // CHECK-NEXT: [[LEVEL]].batch_norm %[[X]], %[[W]], %[[W]] weight %[[W]] bias %[[W]] epsilon({{.*}}) :
  %4 = mirage_kernel.batch_norm %x, %w, %w weight %w bias %w epsilon(1.0e-5) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
  return
}

// CHECK-LABEL: func @statistics(
// CHECK-SAME: %[[X:.*]]: tensor<4x32xf16>
func.func @statistics(%x: tensor<4x32xf16>) {
  // CHECK-NEXT: [[LEVEL]].variance %[[X]] dim(1) correction(0.000000e+00) : (tensor<4x32xf16>) -> tensor<4xf16>
  %0 = mirage_kernel.variance %x dim(1) correction(0.0) : (tensor<4x32xf16>) -> tensor<4xf16>
  // CHECK-NEXT: [[LEVEL]].variance %[[X]] dim(0) correction(1.000000e+00) keep : (tensor<4x32xf16>) -> tensor<1x32xf16>
  %1 = mirage_kernel.variance %x dim(0) correction(1.0) keep : (tensor<4x32xf16>) -> tensor<1x32xf16>
  // CHECK-NEXT: [[LEVEL]].log_softmax %[[X]] dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  %2 = mirage_kernel.log_softmax %x dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
  return
}

// CHECK-LABEL: func @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<2x4x8x16xf16>, %[[K:.*]]: tensor<2x1x32x16xf16>, %[[V:.*]]: tensor<2x1x32x24xf16>, %[[M:.*]]: tensor<1x1x8x32xf16>
func.func @attention(%q: tensor<2x4x8x16xf16>, %k: tensor<2x1x32x16xf16>, %v: tensor<2x1x32x24xf16>, %m: tensor<1x1x8x32xf16>) {
  // CHECK-NEXT: [[LEVEL]].attention %[[Q]], %[[K]], %[[V]] scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>) -> tensor<2x4x8x24xf16>
  %0 = mirage_kernel.attention %q, %k, %v scale(0.25) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>) -> tensor<2x4x8x24xf16>
  // CHECK-NEXT: [[LEVEL]].attention %[[Q]], %[[K]], %[[V]] mask %[[M]] scale(2.500000e-01) :
  %1 = mirage_kernel.attention %q, %k, %v mask %m scale(0.25) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>, tensor<1x1x8x32xf16>) -> tensor<2x4x8x24xf16>
  return
}
