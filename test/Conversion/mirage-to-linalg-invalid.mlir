// RUN: mirage-opt %s --convert-mirage-to-linalg -split-input-file -verify-diagnostics

// What code generation made works on buffers; every such operation is named.
func.func @generated(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %i = arith.constant 0 : index
  // expected-error @+1 {{'mirage_thread.copy' op belongs to generated code, which has no meaning on tensors; convert graphs to linalg before convert-mirage-block-to-thread}}
  mirage_thread.copy %a[%i, %i] to %b[%i, %i] sizes [4, 8] : memref<4x8xf32> to memref<4x8xf32>
  // expected-error @+1 {{'mirage_thread.compute' op belongs to generated code}}
  mirage_thread.compute ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%x: tensor<4x8xf32>):
    %0 = mirage_thread.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    mirage_thread.yield %0 : tensor<4x8xf32>
  }
  return
}
