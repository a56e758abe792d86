// The everyday call, straight on linalg: a two-layer perceptron, and the same
// with its weights multiplied first, which is another function as soon as
// there is something between them.
//
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-verify-equivalence='lhs=layers rhs=reassociated' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=EQUAL
// RUN: not mirage-opt %s --convert-linalg-to-mirage --mirage-verify-equivalence='lhs=activated rhs=reassociated' -o /dev/null 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=DIFFERENT

// EQUAL: @reassociated computes what @layers does: {{proved|equivalent}}
// DIFFERENT: @reassociated does not compute what @activated does: refuted, {{.*}} in float64, on normal inputs

func.func @layers(%x: tensor<4x8xf32>, %v: tensor<8x6xf32>, %w: tensor<6x10xf32>) -> tensor<4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x6xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e1 = tensor.empty() : tensor<4x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x6xf32>, tensor<6x10xf32>) outs(%f1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %y : tensor<4x10xf32>
}

func.func @reassociated(%x: tensor<4x8xf32>, %v: tensor<8x6xf32>, %w: tensor<6x10xf32>) -> tensor<4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x10xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %vw = linalg.matmul ins(%v, %w : tensor<8x6xf32>, tensor<6x10xf32>) outs(%f0 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %e1 = tensor.empty() : tensor<4x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  %y = linalg.matmul ins(%x, %vw : tensor<4x8xf32>, tensor<8x10xf32>) outs(%f1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %y : tensor<4x10xf32>
}

func.func @activated(%x: tensor<4x8xf32>, %v: tensor<8x6xf32>, %w: tensor<6x10xf32>) -> tensor<4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x6xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%h : tensor<4x6xf32>) outs(%e0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e1 = tensor.empty() : tensor<4x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  %y = linalg.matmul ins(%r, %w : tensor<4x6xf32>, tensor<6x10xf32>) outs(%f1 : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %y : tensor<4x10xf32>
}
