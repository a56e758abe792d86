// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='best=1 kernels=1' \
// RUN:   --remarks-filter=mirage-superoptimize --remark-policy=all 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: < %t.remarks
// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='best=1 kernels=1' -o /dev/null \
// RUN:   --remarks-filter=mirage-superoptimize-details --remark-policy=all 2>&1 | FileCheck %s --check-prefix=DETAIL
// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='best=1 kernels=1 min-gain=0.99' -o /dev/null \
// RUN:   --remarks-filter=mirage-superoptimize --remark-policy=all 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: Function=gated | Remark="2 operators in 2 kernels stay as they are, {{[0-9.]+}} µs by the model mirage (with elementwise operators, casts and layouts fused {{[0-9.]+}} µs): launches take {{[0-9.]+}} µs at least. Of the time that stays, {{[0-9.]+}} µs is that of matmul, which stays a kernel of its own."

// Each function has one remark, of two sentences; all others are details.

// A replaced function. Callers and attributes stay.
// CHECK-LABEL: func.func @gated(
// CHECK-SAME: %{{.*}}: tensor<8x512xf16> {test.name = "x"}
// CHECK-SAME: test.kept
// CHECK: mirage_kernel.launch
// CHECK: func.func @caller
// CHECK: call @gated(
// REMARK: :[[@LINE+7]]:1: remark: [Passed] replaced {{.*}}Function=gated | Remark="2 operators in 2 kernels became 1 launch: {{[0-9.]+}} µs instead of {{[0-9.]+}} µs by the model mirage (with elementwise operators, casts and layouts fused {{[0-9.]+}} µs instead of {{[0-9.]+}} µs); proved. Fusing its own operators would gain {{[0-9.]+}} µs more."
// DETAIL: :[[@LINE+6]]:1: remark: [Passed] proved {{.*}} Function=gated {{.*}}"candidate 0", launches=1, microseconds={{[0-9.]+}}, sizes="grid {{[0-9x]+}} loop {{[0-9]+}}"
// DETAIL-DAG: [Analysis] generated {{.*}}states={{[1-9][0-9]*}}
// DETAIL-DAG: [Analysis] expression {{.*}}pruned={{[1-9][0-9]*}}
// DETAIL-DAG: [Analysis] dead_end {{.*}}pruned={{[0-9]+}}
// DETAIL-DAG: [Analysis] recomputation {{.*}}pruned={{[0-9]+}}
// DETAIL-DAG: [Analysis] too_large {{.*}}pruned={{[0-9]+}}
func.func @gated(%x: tensor<8x512xf16> {test.name = "x"}, %w: tensor<512x512xf16>)
    -> tensor<8x512xf16> attributes {mirage.superoptimize, test.kept} {
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x512xf16>) -> tensor<8x512xf16>
  %g = mirage_kernel.silu %a : (tensor<8x512xf16>) -> tensor<8x512xf16>
  return %g : tensor<8x512xf16>
}
func.func @caller(%x: tensor<8x512xf16>, %w: tensor<512x512xf16>) -> tensor<8x512xf16> {
  %0 = call @gated(%x, %w) : (tensor<8x512xf16>, tensor<512x512xf16>) -> tensor<8x512xf16>
  return %0 : tensor<8x512xf16>
}

// -----

// What a library's kernel does as well stays.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: mirage.superoptimized = {fused_microseconds = {{.*}}, microseconds = {{.*}}, original_microseconds = {{.*}}, verdict = "unchanged"}
// CHECK-NEXT: mirage_kernel.matmul
// CHECK-NEXT: return
// REMARK: :[[@LINE+1]]:1: remark: [Missed] unchanged {{.*}}Remark="1 operator in 1 kernel stays as it is, {{[0-9.]+}} µs by the model mirage: the best candidate, {{[0-9.]+}} µs, is not faster. The matmul takes {{[0-9.]+}} µs, {{[0-9.]+}} µs of it for starting it."
func.func @product(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>)
    -> tensor<16x16xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %y
      : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  return %0 : tensor<16x16xf16>
}

// -----

// What candidates cannot be made of stays; the remark is at the operation.
// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: mirage.superoptimized = {reason = "{{.*}}", verdict = "unsupported"}
// CHECK-NEXT: mirage_kernel.conv2d
// REMARK: :[[@LINE+4]]:8: remark: [Missed] unsupported {{.*}}Function=convolution {{.*}}Remark="@convolution stays as it is: candidates have no 'conv2d'."
// DETAIL: :[[@LINE+3]]:8: remark: [Missed] whole {{.*}}Function=convolution {{.*}}the search cannot take the function as a whole: candidates have no 'conv2d'
func.func @convolution(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>)
    -> tensor<1x4x6x6xf32> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [0, 0, 0, 0]
      dilations [1, 1] groups(1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// -----

// What no µGraph can be made of.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: verdict = "unsupported"
// CHECK-NEXT: linalg.exp
// REMARK: :[[@LINE+3]]:8: remark: [Missed] unsupported {{.*}}Remark="@dynamic stays as it is: the interpreter does not execute 'linalg.exp'."
func.func @dynamic(%x: tensor<8xf32>, %y: tensor<8xf32>)
    -> tensor<8xf32> attributes {mirage.superoptimize} {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func private @declared(
// CHECK-SAME: mirage.superoptimized = {reason = "it has no body", verdict = "unsupported"}
// REMARK: :[[@LINE+1]]:1: remark: [Missed] unsupported {{.*}}Remark="@declared stays as it is: it has no body."
func.func private @declared(tensor<8xf32>) -> tensor<8xf32> attributes {mirage.superoptimize}
