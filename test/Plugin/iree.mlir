// The pass of the plugin for IREE, in a stock mlir-opt: Mirage's tools make of a program
// what IREE takes.
//
// REQUIRES: plugin
// RUN: mlir-opt %s --allow-unregistered-dialect --load-pass-plugin=%iree_pass \
// RUN:   --pass-pipeline='builtin.module(iree-mirage{tools=%mirage_tools_dir optimize=effort=20})' \
// RUN:   | FileCheck %s
// RUN: not mlir-opt %s --allow-unregistered-dialect --load-pass-plugin=%iree_pass \
// RUN:   --pass-pipeline='builtin.module(iree-mirage{tools=%t.none})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlir-opt %s --allow-unregistered-dialect --load-pass-plugin=%iree_pass \
// RUN:   --pass-pipeline='builtin.module(iree-mirage{tools=%mirage_tools_dir optimize=effort=none})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// RUN: not mlir-opt %s --allow-unregistered-dialect --load-pass-plugin=%iree_pass \
// RUN:   --pass-pipeline='builtin.module(iree-mirage{tools=%mirage_tools_dir optimize=effort=20 lowering=threads=0})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWERING

// CHECK: "hal.executable.source"() <{objects = #hal.executable.objects<{#hal.executable.target<"cuda", "cuda-nvptx-fb">
// CHECK-NOT: linalg.matmul
// CHECK: call @linear_part
// CHECK-NEXT: "other.operation"
// CHECK: func.func private @linear_part(
// CHECK-NEXT: "flow.dispatch"({{.*}}entry_points = [@linear_part_kernels::@linear_part_0_launch]
// NONE: iree.mlir:{{[0-9]+}}:1: error: found no mirage-opt in '{{.*}}.none'
// OPTION: iree.mlir:{{[0-9]+}}:1: error: mirage-opt failed: {{.*}}effort
// LOWERING: iree.mlir:{{[0-9]+}}:1: error: mirage-translate failed: {{.*}}threads=0 is no multiple of 32
module {
  func.func @linear(%x: tensor<64x128xf16>, %w: tensor<128x256xf16>, %b: tensor<64x256xf16>) -> tensor<64x256xf16> {
    %empty = tensor.empty() : tensor<64x256xf16>
    %zero = arith.constant 0.0 : f16
    %sum = linalg.fill ins(%zero : f16) outs(%empty : tensor<64x256xf16>) -> tensor<64x256xf16>
    %p = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x256xf16>) outs(%sum : tensor<64x256xf16>) -> tensor<64x256xf16>
    %s = linalg.add ins(%p, %b : tensor<64x256xf16>, tensor<64x256xf16>) outs(%empty : tensor<64x256xf16>) -> tensor<64x256xf16>
    %r = "other.operation"(%s) : (tensor<64x256xf16>) -> tensor<64x256xf16>
    return %r : tensor<64x256xf16>
  }
}
