// Numbers that random inputs don't have, and programs for which they are drawn:
// candidates that are no number there are refused (docs/Verification.md, "Special
// numbers" and what follows).

// RUN: not mirage-opt %s --convert-linalg-to-mirage --mirage-verify-equivalence='lhs=selected rhs=selected_candidate' -o /dev/null | FileCheck %s --check-prefix=SELECTED
// SELECTED: @selected_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=packed rhs=packed_candidate' -o /dev/null | FileCheck %s --check-prefix=PACKED
// PACKED: @packed_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=lanes rhs=lanes_candidate' -o /dev/null | FileCheck %s --check-prefix=LANES
// LANES: @lanes_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=pages rhs=pages_candidate' -o /dev/null | FileCheck %s --check-prefix=PAGES
// PAGES: @pages_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=guarded rhs=guarded_candidate' -o /dev/null | FileCheck %s --check-prefix=GUARDED
// GUARDED: @guarded_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=divided rhs=divided_candidate' -o /dev/null | FileCheck %s --check-prefix=DIVIDED
// DIVIDED: @divided_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=weighted rhs=weighted_candidate' -o /dev/null | FileCheck %s --check-prefix=WEIGHTED
// WEIGHTED: @weighted_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=overflowing rhs=overflowing_candidate' -o /dev/null | FileCheck %s --check-prefix=OVERFLOWING
// OVERFLOWING: @overflowing_candidate {{.*}}refused as numerically unstable
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=poles rhs=poles_candidate' -o /dev/null | FileCheck %s --check-prefix=POLES
// POLES: @poles_candidate {{.*}}unknown
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=reordered rhs=reordered_candidate' -o /dev/null | FileCheck %s --check-prefix=REORDERED
// REORDERED: @reordered_candidate {{.*}}proved; in floating point errors up to

#id = affine_map<(d0, d1) -> (d0, d1)>

// Hidden by a choice where the mask is zero.

func.func @selected(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %fi = linalg.fill ins(%z : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<4x32xf32>, tensor<32x64xf32>) outs(%fi : tensor<4x64xf32>) -> tensor<4x64xf32>
  %0 = linalg.generic {indexing_maps=[#id,#id,#id], iterator_types=["parallel","parallel"]} ins(%s, %m : tensor<4x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.cmpf oeq, %b, %z : f32
    %r = arith.select %t, %ninf, %a : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}

func.func @selected_candidate(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %in = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %zz = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %c = mirage_kernel.compare ne %m, %zz : (tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %w0 = mirage_kernel.select %c, %s, %in : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %w = mirage_kernel.reshape %w0 : tensor<4x64xf32> to tensor<4x4x16xf32>
  %mx = mirage_kernel.reduce max %w dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %d = mirage_kernel.sub %w, %mx : (tensor<4x4x16xf32>, tensor<4x4x1xf32>) -> tensor<4x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
  %l = mirage_kernel.reduce sum %e dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %mm = mirage_kernel.reduce max %mx dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %cc = mirage_kernel.sub %mx, %mm : (tensor<4x4x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1xf32>
  %f = mirage_kernel.exp %cc : (tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %ls = mirage_kernel.mul %l, %f : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %lt = mirage_kernel.reduce sum %ls dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %es = mirage_kernel.mul %e, %f : (tensor<4x4x16xf32>, tensor<4x4x1xf32>) -> tensor<4x4x16xf32>
  %p = mirage_kernel.div %es, %lt : (tensor<4x4x16xf32>, tensor<4x1x1xf32>) -> tensor<4x4x16xf32>
  %o = mirage_kernel.reshape %p : tensor<4x4x16xf32> to tensor<4x64xf32>
  return %o : tensor<4x64xf32>
}

// Hidden where numbers of segments differ.

func.func @packed(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %a: tensor<4x1xf32>, %b: tensor<1x64xf32>) -> tensor<4x64xf32> {
  %in = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %c = mirage_kernel.compare eq %a, %b : (tensor<4x1xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
  %w0 = mirage_kernel.select %c, %s, %in : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %p = mirage_kernel.softmax %w0 dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %p : tensor<4x64xf32>
}

func.func @packed_candidate(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %a: tensor<4x1xf32>, %b: tensor<1x64xf32>) -> tensor<4x64xf32> {
  %in = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %c = mirage_kernel.compare eq %a, %b : (tensor<4x1xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
  %w0 = mirage_kernel.select %c, %s, %in : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
  %w = mirage_kernel.reshape %w0 : tensor<4x64xf32> to tensor<4x4x16xf32>
  %mx = mirage_kernel.reduce max %w dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %d = mirage_kernel.sub %w, %mx : (tensor<4x4x16xf32>, tensor<4x4x1xf32>) -> tensor<4x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
  %l = mirage_kernel.reduce sum %e dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %mm = mirage_kernel.reduce max %mx dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %cc = mirage_kernel.sub %mx, %mm : (tensor<4x4x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1xf32>
  %f = mirage_kernel.exp %cc : (tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %ls = mirage_kernel.mul %l, %f : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %lt = mirage_kernel.reduce sum %ls dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %es = mirage_kernel.mul %e, %f : (tensor<4x4x16xf32>, tensor<4x4x1xf32>) -> tensor<4x4x16xf32>
  %p = mirage_kernel.div %es, %lt : (tensor<4x4x16xf32>, tensor<4x1x1xf32>) -> tensor<4x4x16xf32>
  %o = mirage_kernel.reshape %p : tensor<4x4x16xf32> to tensor<4x64xf32>
  return %o : tensor<4x64xf32>
}

// Tiles that are lanes of a row.

func.func @lanes(%s: tensor<4x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x1xf32> {
  %1 = mirage_kernel.add %s, %m : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %mx = mirage_kernel.reduce max %1 dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %1, %mx : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %e = mirage_kernel.exp %d : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %l = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  return %l : tensor<4x1xf32>
}

func.func @lanes_candidate(%s: tensor<4x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x1xf32> {
  %1 = mirage_kernel.add %s, %m : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = mirage_kernel.reshape %1 : tensor<4x64xf32> to tensor<4x16x4xf32>
  %mx = mirage_kernel.reduce max %2 dim(1) keep : (tensor<4x16x4xf32>) -> tensor<4x1x4xf32>
  %d = mirage_kernel.sub %2, %mx : (tensor<4x16x4xf32>, tensor<4x1x4xf32>) -> tensor<4x16x4xf32>
  %e = mirage_kernel.exp %d : (tensor<4x16x4xf32>) -> tensor<4x16x4xf32>
  %l = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x16x4xf32>) -> tensor<4x1x4xf32>
  %mm = mirage_kernel.reduce max %mx dim(2) keep : (tensor<4x1x4xf32>) -> tensor<4x1x1xf32>
  %cc = mirage_kernel.sub %mx, %mm : (tensor<4x1x4xf32>, tensor<4x1x1xf32>) -> tensor<4x1x4xf32>
  %f = mirage_kernel.exp %cc : (tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
  %p = mirage_kernel.mul %l, %f : (tensor<4x1x4xf32>, tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
  %r = mirage_kernel.reduce sum %p dim(2) keep : (tensor<4x1x4xf32>) -> tensor<4x1x1xf32>
  %o = mirage_kernel.reshape %r : tensor<4x1x1xf32> to tensor<4x1xf32>
  return %o : tensor<4x1xf32>
}

// Tiles that are pages of a mask with two dimensions of keys.

func.func @pages(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x4x16xf32>) -> tensor<4x1xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %mr = mirage_kernel.reshape %m : tensor<4x4x16xf32> to tensor<4x64xf32>
  %1 = mirage_kernel.add %s, %mr : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %mx = mirage_kernel.reduce max %1 dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %1, %mx : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %e = mirage_kernel.exp %d : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %l = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  return %l : tensor<4x1xf32>
}

func.func @pages_candidate(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x4x16xf32>) -> tensor<4x1xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %1 = mirage_kernel.reshape %s : tensor<4x64xf32> to tensor<4x4x16xf32>
  %2 = mirage_kernel.add %1, %m : (tensor<4x4x16xf32>, tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
  %mx = mirage_kernel.reduce max %2 dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %d = mirage_kernel.sub %2, %mx : (tensor<4x4x16xf32>, tensor<4x4x1xf32>) -> tensor<4x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
  %l = mirage_kernel.reduce sum %e dim(2) keep : (tensor<4x4x16xf32>) -> tensor<4x4x1xf32>
  %mm = mirage_kernel.reduce max %mx dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %cc = mirage_kernel.sub %mx, %mm : (tensor<4x4x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1xf32>
  %f = mirage_kernel.exp %cc : (tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %p = mirage_kernel.mul %l, %f : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  %r = mirage_kernel.reduce sum %p dim(1) keep : (tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  %o = mirage_kernel.reshape %r : tensor<4x1x1xf32> to tensor<4x1xf32>
  return %o : tensor<4x1xf32>
}

// Whole rows are hidden, of which a guard makes zeros.

func.func @guarded(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %in = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %w = mirage_kernel.add %s, %m : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %p = mirage_kernel.softmax %w dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %M = mirage_kernel.reduce max %w dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %c = mirage_kernel.compare eq %M, %in : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.select %c, %z, %p : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

func.func @guarded_candidate(%q: tensor<4x32xf32>, %k: tensor<32x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %w = mirage_kernel.add %s, %m : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %p = mirage_kernel.softmax %w dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %p : tensor<4x64xf32>
}

// A divisor that is zero, and looked at too late.

func.func @divided(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %c = mirage_kernel.compare eq %x, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %sx = mirage_kernel.select %c, %one, %x : (tensor<4x8xf32>, tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.div %y, %sx : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.select %c, %zero, %d : (tensor<4x8xf32>, tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @divided_candidate(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %c = mirage_kernel.compare eq %x, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %n = mirage_kernel.sub %one, %c : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.div %y, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.mul %d, %n : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Weights must be positive for the program to be a number, and then a maximum is missing.

func.func @weighted(%x: tensor<4x64xf32>, %w: tensor<1x64xf32>) -> tensor<4x64xf32> {
  %l = mirage_kernel.log %w : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %s = mirage_kernel.add %x, %l : (tensor<4x64xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
  %0 = mirage_kernel.softmax %s dim(1) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

func.func @weighted_candidate(%x: tensor<4x64xf32>, %w: tensor<1x64xf32>) -> tensor<4x64xf32> {
  %e = mirage_kernel.exp %x : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = mirage_kernel.mul %e, %w : (tensor<4x64xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
  %l = mirage_kernel.reduce sum %s dim(1) keep : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.div %s, %l : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// An element that overflows hides none that does so long before the program.

func.func @overflowing(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<8x8xf16> {
  %a = mirage_kernel.square %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %b = mirage_kernel.square %a : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %0 = mirage_kernel.concat dim(0) %b, %y : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}

func.func @overflowing_candidate(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<8x8xf16> {
  %a = mirage_kernel.square %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %b = mirage_kernel.square %a : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %u = mirage_kernel.scale %y by 2048.0 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %v = mirage_kernel.scale %u by 0.00048828125 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %0 = mirage_kernel.concat dim(0) %b, %v : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}

// Whether a logarithm is infinite is no law of arithmetic.

func.func @poles(%m: tensor<4x8xf32>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %in = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %a = mirage_kernel.square %m : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %l = mirage_kernel.log %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.compare eq %l, %in : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.select %c, %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @poles_candidate(%m: tensor<4x8xf32>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %y : tensor<4x8xf32>
}

// Sums of f64 in another order.

func.func @reordered(%x: tensor<8x4096xf64>) -> tensor<8x4096xf64> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<8x4096xf64>) -> tensor<8x4096xf64>
  return %0 : tensor<8x4096xf64>
}

func.func @reordered_candidate(%x: tensor<8x4096xf64>) -> tensor<8x4096xf64> {
  %e = mirage_kernel.reduce max %x dim(1) keep : (tensor<8x4096xf64>) -> tensor<8x1xf64>
  %d = mirage_kernel.sub %x, %e : (tensor<8x4096xf64>, tensor<8x1xf64>) -> tensor<8x4096xf64>
  %p = mirage_kernel.exp %d : (tensor<8x4096xf64>) -> tensor<8x4096xf64>
  %r = mirage_kernel.reshape %p : tensor<8x4096xf64> to tensor<8x64x64xf64>
  %s = mirage_kernel.reduce sum %r dim(2) keep : (tensor<8x64x64xf64>) -> tensor<8x64x1xf64>
  %t = mirage_kernel.reduce sum %s dim(1) keep : (tensor<8x64x1xf64>) -> tensor<8x1x1xf64>
  %u = mirage_kernel.reshape %t : tensor<8x1x1xf64> to tensor<8x1xf64>
  %o = mirage_kernel.div %p, %u : (tensor<8x4096xf64>, tensor<8x1xf64>) -> tensor<8x4096xf64>
  return %o : tensor<8x4096xf64>
}
