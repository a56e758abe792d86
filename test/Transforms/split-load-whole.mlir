// What a function and its load function compute together is what it computed before: by the
// operators, and by the launches that the lowering makes of them. There, a filter is padded, too.

// RUN: mirage-opt %s --mirage-expand-convolutions=products=false --mirage-split-load \
// RUN:   | FileCheck %s --check-prefix=EARLY
// RUN: mirage-opt %s --mirage-expand-convolutions=products=false --mirage-split-load \
// RUN:   | mirage-opt --mirage-lower-to-launches > %t.late.mlir
// RUN: FileCheck %s --check-prefix=LATE --input-file=%t.late.mlir
// RUN: mirage-opt %s --mirage-lower-to-launches=load=false | FileCheck %s --check-prefix=OFF
// RUN: sed '/^}/d; s/^module .*{//; s/@f\b/@split/; s/@f.load/@split.load/' %t.late.mlir > %t.split.mlir
// RUN: sed 's/ {mirage.constant}//; s/^\/\/WHOLE //' %s >> %t.split.mlir
// RUN: mirage-opt %t.split.mlir --mirage-verify-equivalence='lhs=f rhs=whole' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EQUAL

// EARLY: func.func @f(
// EARLY-SAME: {mirage.constant}, %[[L:[a-z0-9]*]]: tensor<3x3x4x32xf16> {mirage.constant})
// EARLY-SAME: mirage.load = @f.load
// EARLY: func.func @f.load(%{{.*}}: tensor<32x4x3x3xf16>) -> tensor<3x3x4x32xf16>
// LATE: func.func @f(
// LATE-SAME: {mirage.constant}, %{{[a-z0-9]*}}: tensor<3x3x4x32xf16> {mirage.constant}, %{{[a-z0-9]*}}: tensor<3x3x16x32xf16> {mirage.constant})
// LATE: func.func @f.load(%{{.*}}: tensor<32x4x3x3xf16>) -> (tensor<3x3x4x32xf16>, tensor<3x3x16x32xf16>)
// OFF-NOT: mirage.load
// EQUAL: @whole computes what @f does: {{proved|equivalent}}
func.func @f(%x: tensor<1x4x8x8xf16>, %w: tensor<32x4x3x3xf16> {mirage.constant}) -> tensor<1x32x8x8xf16> {
  %y = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups(1) : (tensor<1x4x8x8xf16>, tensor<32x4x3x3xf16>) -> tensor<1x32x8x8xf16>
  return %y : tensor<1x32x8x8xf16>
}
//WHOLE func.func @whole(%x: tensor<1x4x8x8xf16>, %w: tensor<32x4x3x3xf16>) -> tensor<1x32x8x8xf16> {
//WHOLE   %l:2 = call @split.load(%w) : (tensor<32x4x3x3xf16>) -> (tensor<3x3x4x32xf16>, tensor<3x3x16x32xf16>)
//WHOLE   %y = call @split(%x, %w, %l#0, %l#1) : (tensor<1x4x8x8xf16>, tensor<32x4x3x3xf16>, tensor<3x3x4x32xf16>, tensor<3x3x16x32xf16>) -> tensor<1x32x8x8xf16>
//WHOLE   return %y : tensor<1x32x8x8xf16>
//WHOLE }
