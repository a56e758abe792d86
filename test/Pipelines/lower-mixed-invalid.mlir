// An error stands at the operation that is the reason, argument or result, also where launches are scheduled before it is found.

// RUN: mirage-opt %s --mirage-lower-to-nvvm -allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @unknown_operation(%x: tensor<64x32xf16>, %y: tensor<?x32xf16>) -> (tensor<64x32xf16>, tensor<?x32xf16>) {
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-error @+1 {{'math.exp' op cannot be lowered: a function of mirage_kernel operations holds nothing else; mirage-partition makes functions of them and calls these}}
  %1 = math.exp %y : tensor<?x32xf16>
  return %0, %1 : tensor<64x32xf16>, tensor<?x32xf16>
}

// -----

func.func @in_a_function_that_is_called(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = func.call @part(%x) : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %0 : tensor<64x32xf16>
}
func.func private @part(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-error @+1 {{'math.tan' op cannot be lowered}}
  %1 = math.tan %0 : tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}

// -----

func.func private @external(tensor<64x32xf16>) -> tensor<64x32xf16>
func.func @call_of_what_has_no_body(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-error @+1 {{'func.call' op cannot be lowered}}
  %1 = func.call @external(%0) : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}

// -----

func.func @branch(%x: tensor<64x32xf16>, %c: i1) -> tensor<64x32xf16> {
  // expected-error @+1 {{'cf.cond_br' op leads to another block; a kernel graph has one}}
  cf.cond_br %c, ^a, ^b
^a:
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %0 : tensor<64x32xf16>
^b:
  return %x : tensor<64x32xf16>
}

// -----

func.func @loop(%x: tensor<64x32xf16>, %l: index, %u: index, %d: index) -> tensor<64x32xf16> {
  // expected-error @+1 {{'scf.for' op cannot be lowered}}
  %r = scf.for %k = %l to %u step %d iter_args(%s = %x) -> tensor<64x32xf16> {
    // expected-note @+1 {{this operation of mirage_kernel is in the function}}
    %1 = mirage_kernel.exp %s : (tensor<64x32xf16>) -> tensor<64x32xf16>
    scf.yield %1 : tensor<64x32xf16>
  }
  return %r : tensor<64x32xf16>
}

// -----

// An operation of a dialect that nobody knows.
func.func @unknown_dialect(%x: tensor<64x32xf16>, %y: tensor<64x32xf16>) -> (tensor<64x32xf16>, tensor<64x32xf16>) {
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-error @+1 {{'framework.operator' op cannot be lowered}}
  %1 = "framework.operator"(%y) : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %0, %1 : tensor<64x32xf16>, tensor<64x32xf16>
}

// -----

func.func @argument(
    %x: tensor<64x32xf16>,
    // expected-error @+1 {{'func.func' op has an argument of type 'f32'; a kernel graph takes and returns ranked tensors}}
    %y: f32) -> tensor<64x32xf16> {
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %0 : tensor<64x32xf16>
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @target(%x: tensor<64x32xf8E4M3FN>) -> tensor<64x32xf16> {
    // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
    %0 = mirage_kernel.cast %x : tensor<64x32xf8E4M3FN> to tensor<64x32xf16>
    %1 = mirage_kernel.exp %0 : (tensor<64x32xf16>) -> tensor<64x32xf16>
    return %1 : tensor<64x32xf16>
  }
}
