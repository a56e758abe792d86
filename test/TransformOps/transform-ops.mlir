// Schedules that search, tile and verify.

// RUN: mirage-opt %s --transform-interpreter --split-input-file -verify-diagnostics | FileCheck %s
// A stock mlir-opt knows the operations by the plugin.
// RUN: %if plugin %{ mlir-opt --load-dialect-plugin=%mirage_plugin %s --transform-interpreter \
// RUN:   --split-input-file -verify-diagnostics | FileCheck %s %}
// In and out again, as text and as bytecode.
// RUN: mirage-opt %s --split-input-file -o %t.text
// RUN: mirage-opt %t.text --split-input-file | diff %t.text -

// The original stays beside what was found, and the two are compared again.

// CHECK-LABEL: func.func @norm(
// CHECK-SAME: verdict = "proved"
// CHECK-NEXT: mirage_kernel.launch
// CHECK: func.func private @norm_original
func.func @norm(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5) : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %1 : tensor<16x128xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "norm"} in %root
        : (!transform.any_op) -> !transform.op<"func.func">
    %new, %verdict = transform.mirage.superoptimize %f
        with options = {kernels = 1, "keep-original" = true, "min-gain" = 0.05, target = "sm_80"}
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    // expected-remark @below {{"proved"}}
    transform.debug.emit_param_as_remark %verdict : !transform.any_param
    %original = transform.structured.match ops{["func.func"]} attributes{sym_name = "norm_original"} in %root
        : (!transform.any_op) -> !transform.op<"func.func">
    %again = transform.mirage.verify_equivalent %original, %new {error_bits = 50.0 : f64, seed = 3}
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    // expected-remark @below {{"proved"}}
    transform.debug.emit_param_as_remark %again : !transform.any_param
    transform.yield
  }
}

// -----

// From linalg: a pass of Mirage's comes first. Both functions of the handle are
// tiled, with a schedule's own loops.

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: mirage_kernel.launch grid(x = 2) (
// CHECK: mirage_block.for %{{.*}} = 0 to 2
// CHECK-LABEL: func.func @chain_too(
// CHECK-NEXT: mirage_kernel.launch grid(x = 2) (
// CHECK: mirage_block.for %{{.*}} = 0 to 2
module @payload {
func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %0, %c : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}
func.func @chain_too(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %i = linalg.fill ins(%z : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%i : tensor<64x64xf16>) -> tensor<64x64xf16>
  %f = tensor.empty() : tensor<64x32xf16>
  %j = linalg.fill ins(%z : f16) outs(%f : tensor<64x32xf16>) -> tensor<64x32xf16>
  %1 = linalg.matmul ins(%0, %c : tensor<64x64xf16>, tensor<64x32xf16>) outs(%j : tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %payload = transform.structured.match ops{["builtin.module"]} attributes{sym_name = "payload"} in %root
        : (!transform.any_op) -> !transform.any_op
    %imported = transform.apply_registered_pass "mirage-import-linalg" to %payload
        : (!transform.any_op) -> !transform.any_op
    %fs = transform.structured.match ops{["func.func"]} in %imported
        : (!transform.any_op) -> !transform.op<"func.func">
    %new = transform.mirage.tile %fs with options = {expr = "mn", tiles = "m:32,n:32"}
        : (!transform.op<"func.func">) -> !transform.op<"func.func">
    %first, %second = transform.split_handle %new
        : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.op<"func.func">)
    %verdict = transform.mirage.verify_equivalent %first, %second
        : (!transform.op<"func.func">, !transform.op<"func.func">) -> !transform.any_param
    // expected-remark @below {{"proved"}}
    transform.debug.emit_param_as_remark %verdict : !transform.any_param
    transform.yield
  }
}

// -----

// Another tiling is tried where the first one does not fit.

// CHECK-LABEL: func.func @alternatives(
// CHECK: mirage_kernel.launch grid(x = 2)
module @payload {
func.func @alternatives(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.matmul %0, %c : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %payload = transform.structured.match ops{["builtin.module"]} attributes{sym_name = "payload"} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.alternatives %payload : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope
          : (!transform.any_op) -> !transform.op<"func.func">
      %new = transform.mirage.tile %f with options = {expr = "mn", tiles = "m:48,n:32"}
          : (!transform.op<"func.func">) -> !transform.op<"func.func">
    }, {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope
          : (!transform.any_op) -> !transform.op<"func.func">
      %new = transform.mirage.tile %f with options = {expr = "mn", tiles = "m:32,n:32"}
          : (!transform.op<"func.func">) -> !transform.op<"func.func">
    }
    transform.yield
  }
}

// -----

// What is silenced leaves the function as it was.

// CHECK-LABEL: func.func @integers(
// CHECK-NOT: mirage
// CHECK: arith.addi
func.func @integers(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = arith.addi %x, %x : tensor<8xi32>
  return %0 : tensor<8xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope
          : (!transform.any_op) -> !transform.op<"func.func">
      transform.mirage.superoptimize %f
          : (!transform.op<"func.func">) -> (!transform.op<"func.func">, !transform.any_param)
    }
    transform.yield
  }
}
