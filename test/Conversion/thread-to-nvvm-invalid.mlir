// RUN: mirage-opt %s --mirage-lower-to-nvvm -split-input-file -verify-diagnostics

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @f8(%x: tensor<4xf32>) -> tensor<4xf8E5M2> {
    // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
    %0 = mirage_kernel.cast %x : tensor<4xf32> to tensor<4xf8E5M2>
    return %0 : tensor<4xf8E5M2>
  }
}
