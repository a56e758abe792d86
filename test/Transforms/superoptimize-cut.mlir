// A search that a deadline or Ctrl-C ends takes the best that it has verified by
// then, and says that it was cut. Whole, this one takes longer than that, and
// candidates of one launch are among the first.

// DEFINE: %{options} = best=1 kernels=1 max-block-operators=30 effort=0 min-gain=0
// RUN: rm -f %t.state
// RUN: mirage-opt %s --mirage-superoptimize='%{options} deadline=1.5' -o %t.deadline \
// RUN:   --remarks-filter='mirage-superoptimize.*' --remark-policy=all 2>&1 | FileCheck %s --check-prefix=DEADLINE
// RUN: FileCheck %s < %t.deadline
// DEADLINE-DAG: :[[@LINE+25]]:1: warning: the search for @attention met its deadline: what it found depends on when
// DEADLINE-DAG: remark: [Analysis] end | {{.*}}Remark=time, boundMicroseconds={{[0-9.]+}}
// DEADLINE-DAG: remark: [Passed] replaced {{.*}}proved. The search met its deadline of 1.5 s: a program could still take {{[0-9.]+}} µs."

// RUN: %python %S/Inputs/interrupt.py 1.5 1 mirage-opt %s -o %t.interrupted \
// RUN:   --mirage-superoptimize='%{options} resume=%t.state' 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: FileCheck %s < %t.interrupted
// RUN: grep '"units":\[\[0,' %t.state
// ONCE: warning: the search for @attention was interrupted: what it found depends on when
// ONCE: status 0

// The second signal ends the process as it would without the search.
// RUN: %python %S/Inputs/interrupt.py 0.7 50 mirage-opt %s -o %t.killed \
// RUN:   --mirage-superoptimize='%{options}' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: status -2

// With interactive=false the signal is not the search's: the first one ends the process.
// RUN: %python %S/Inputs/interrupt.py 0.7 1 mirage-opt %s -o %t.left-alone \
// RUN:   --mirage-superoptimize='%{options} interactive=false' 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: interrupted
// ALONE: status -2

// CHECK: func.func @attention(
// CHECK-SAME: mirage.superoptimized = {cut, {{.*}}verdict = "proved"}
// CHECK: mirage_kernel.launch
func.func @attention(%q: tensor<2x128x64xf16>, %k: tensor<2x64x4096xf16>,
                     %v: tensor<2x4096x64xf16>)
    -> tensor<2x128x64xf16> attributes {mirage.superoptimize} {
  %s = mirage_kernel.matmul %q, %k
      : (tensor<2x128x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x128x4096xf32>
  %p = mirage_kernel.softmax %s dim(2)
      : (tensor<2x128x4096xf32>) -> tensor<2x128x4096xf32>
  %h = mirage_kernel.cast %p : tensor<2x128x4096xf32> to tensor<2x128x4096xf16>
  %o = mirage_kernel.matmul %h, %v
      : (tensor<2x128x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x128x64xf16>
  return %o : tensor<2x128x64xf16>
}
