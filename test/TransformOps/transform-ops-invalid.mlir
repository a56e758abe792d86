// What is wrong with a payload or with a schedule.

// RUN: mirage-opt %s --transform-interpreter --split-input-file -verify-diagnostics

// expected-error @below {{has nothing that can be searched for: }}
func.func @integers(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = arith.addi %x, %x : tensor<8xi32>
  return %0 : tensor<8xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.superoptimize %f : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    transform.yield
  }
}

// -----

// A function that is no symbol of a module cannot be replaced there.
gpu.module @kernels {
  // expected-error @below {{is no symbol of a module, where the search would replace it}}
  func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.superoptimize %f : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    transform.yield
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{is no symbol of a module, where it would be tiled}}
  func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.tile %f : (!transform.op<"func.func">) -> !transform.op<"func.func">
    transform.yield
  }
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    // expected-error @below {{no such option speed (options of mirage-superoptimize)}}
    transform.mirage.superoptimize %f with options = {speed = 3}
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    transform.yield
  }
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    // expected-error @below {{option function is the handle's function and cannot be given}}
    transform.mirage.superoptimize %f with options = {function = "g"}
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    transform.yield
  }
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    // expected-error @below {{option target is "sm_80 kernels=1"; an option is a number, true or false, or a string without spaces, quotes and braces}}
    transform.mirage.superoptimize %f with options = {target = "sm_80 kernels=1"}
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    transform.yield
  }
}

// -----

// The pass's own word is at the module.
// expected-error @below {{option kernels of mirage-superoptimize must be 1 or 2}}
module {
  // expected-note @below {{for this function}}
  func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
      // expected-error @below {{mirage-superoptimize failed}}
      transform.mirage.superoptimize %f with options = {kernels = 3}
          : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
      transform.yield
    }
  }
}

// -----

func.func @no_chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{@no_chain is no chain of products: }}
  %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.tile %f : (!transform.op<"func.func">) -> !transform.op<"func.func">
    transform.yield
  }
}

// -----

// expected-error @below {{@declared is no chain of products: }}
func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.tile %f : (!transform.op<"func.func">) -> !transform.op<"func.func">
    transform.yield
  }
}

// -----

// expected-error @below {{48}}
func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %0, %c : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    transform.mirage.tile %f with options = {expr = "mn", tiles = "m:48,n:32"}
        : (!transform.op<"func.func">) -> !transform.op<"func.func">
    transform.yield
  }
}

// -----

// expected-note @below {{this is the original}}
func.func @original(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expected-error @below {{@candidate does not compute what @original does: refuted, result 0 differs at [}}
func.func @candidate(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.scale %x by 3.0 : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    %original, %candidate = transform.split_handle %f
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.op<"func.func">)
    transform.mirage.verify_equivalent %original, %candidate
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    transform.yield
  }
}

// -----

// expected-note @below {{this is the original}}
func.func @original(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = arith.addi %x, %x : tensor<8xi32>
  return %0 : tensor<8xi32>
}
// expected-error @below {{@candidate may or may not compute what @original does: unknown, }}
func.func @candidate(%x: tensor<8xi32>) -> tensor<8xi32> {
  return %x : tensor<8xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    %original, %candidate = transform.split_handle %f
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.op<"func.func">)
    transform.mirage.verify_equivalent %original, %candidate
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    transform.yield
  }
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    %none = transform.structured.match ops{["func.func"]} attributes{sym_name = "g"} in %root
        : (!transform.any_op) -> !transform.op<"func.func">
    // expected-error @below {{has 1 originals and 0 candidates}}
    transform.mirage.verify_equivalent %f, %none
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    transform.yield
  }
}

// -----

// A handle that was consumed: an operation of the body is gone.
// expected-note @below {{ancestor payload op}}
func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %0, %c : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-note @below {{nested payload op}}
  return %1 : tensor<64x32xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    // expected-note @below {{handle to invalidated ops}}
    %op = transform.structured.match ops{["func.return"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{invalidated by this transform op that consumes its operand #0}}
    %new = transform.mirage.tile %f with options = {expr = "mn", tiles = "m:32,n:32"}
        : (!transform.op<"func.func">) -> !transform.op<"func.func">
    // expected-error @below {{op uses a handle invalidated by a previously executed transform op}}
    transform.debug.emit_remark_at %op, "gone" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.op<"func.func"> {transform.readonly}) {
    // expected-error @below {{error_bits must be positive and finite}}
    transform.mirage.verify_equivalent %f, %f {error_bits = 0.0 : f64}
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.op<"func.func"> {transform.readonly}) {
    // expected-error @below {{attribute 'seed' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    transform.mirage.verify_equivalent %f, %f {seed = -1}
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    // expected-error @below {{operand #0 must be Transform IR handle to func.func operations, but got '!transform.any_op'}}
    transform.mirage.tile %m : (!transform.any_op) -> !transform.op<"func.func">
    transform.yield
  }
}
