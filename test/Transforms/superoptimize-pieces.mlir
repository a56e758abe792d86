// A function with an operator in its middle that no launch has: what is before
// it and what is behind it become launches, and the operator stays a pre-defined
// kernel.

// DEFINE: %{options} = kernels=1 max-block-operators=6 grid-dims=2
// DEFINE: %{run} = mirage-opt %s --mirage-superoptimize
// RUN: rm -f %t.state
// RUN: %{run}='%{options} threads=1 stats=%t.json keep-original' -o %t.1 \
// RUN:   --remarks-filter='mirage-superoptimize.*' --remark-policy=all 2> %t.remarks
// RUN: FileCheck %s < %t.1
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %{run}='%{options} threads=2 keep-original' -o %t.2
// RUN: %{run}='%{options} resume=%t.state keep-original' -o %t.fresh
// RUN: %{run}='%{options} resume=%t.state keep-original' -o %t.resumed
// RUN: cmp %t.1 %t.2 && cmp %t.1 %t.fresh && cmp %t.1 %t.resumed
// RUN: mirage-opt %t.1 --mirage-verify-equivalence -o /dev/null | FileCheck %s --check-prefix=ANSWER
// RUN: sed s/512/128/g %s | mirage-opt --mirage-superoptimize='%{options} threads=1' -o /dev/null \
// RUN:   --remarks-filter='mirage-superoptimize.*' --remark-policy=all 2>&1 | FileCheck %s --check-prefix=TESTED

// CHECK-LABEL: func.func @middle(
// CHECK-SAME: mirage.superoptimized = {fused_microseconds = {{.*}}, microseconds = {{.*}}, pieces = 2 : i64, {{.*}}verdict = "proved"}
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul
// CHECK: mirage_block.silu
// CHECK: mirage_kernel.conv2d
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.square
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @middle_original(

// The padding of the convolution divides sums into ranges, which proofs join. So
// the whole is proved, by the search and by the pass, at these sizes and at
// smaller ones.
// ANSWER: @middle computes what @middle_original does: proved
// TESTED: [Passed] replaced {{.*}}; proved.

// Remarks name the operators of pieces, at the first of them.
// REMARK-DAG: :[[@LINE+13]]:8: remark: [Passed] piece {{.*}}Remark=used, {{.*}}operators="matmul, silu", {{.*}}verdict=proved
// REMARK-DAG: [Analysis] pieces {{.*}}searched={{[1-9]}}
// REMARK-DAG: [Passed] replaced {{.*}}Remark="7 operators in 5 kernels became 2 launches and 1 kernel: {{[0-9.]+}} µs instead of {{[0-9.]+}} µs by the model mirage (with {{.*}}); proved. Fusing its own operators would gain {{[0-9.]+}} µs more."

// JSON: "composition": {
// JSON: "kernels": 3
// JSON: "outcome": "used"
// JSON: "unpayable": {{[0-9]+}},
// JSON-NEXT: "verdict": "proved"

func.func @middle(%x: tensor<64x512xf16>, %w: tensor<512x512xf16>, %f: tensor<1x1x3x3xf16>,
                  %y: tensor<64x512xf16>)
    -> tensor<64x512xf16> attributes {mirage.superoptimize} {
  %a = mirage_kernel.matmul %x, %w
      : (tensor<64x512xf16>, tensor<512x512xf16>) -> tensor<64x512xf16>
  %g = mirage_kernel.silu %a : (tensor<64x512xf16>) -> tensor<64x512xf16>
  %i = mirage_kernel.reshape %g : tensor<64x512xf16> to tensor<1x1x64x512xf16>
  %c = mirage_kernel.conv2d nchw %i, %f strides [1, 1] padding [1, 1, 1, 1]
      dilations [1, 1] groups(1) : (tensor<1x1x64x512xf16>, tensor<1x1x3x3xf16>) -> tensor<1x1x64x512xf16>
  %o = mirage_kernel.reshape %c : tensor<1x1x64x512xf16> to tensor<64x512xf16>
  %m = mirage_kernel.mul %o, %y : (tensor<64x512xf16>, tensor<64x512xf16>) -> tensor<64x512xf16>
  %s = mirage_kernel.square %m : (tensor<64x512xf16>) -> tensor<64x512xf16>
  return %s : tensor<64x512xf16>
}
