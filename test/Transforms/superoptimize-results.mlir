// The same output with any number of threads, in every run, and from a state.
// RUN: rm -f %t.state
// DEFINE: %{options} = kernels=1 keep=3
// DEFINE: %{run} = mirage-opt %s --mirage-superoptimize
// RUN: %{run}='%{options} threads=1 stats=%t.json' -o %t.1
// RUN: %{run}='%{options} threads=2' -o %t.2
// RUN: %{run}='%{options} threads=4' -o %t.4
// RUN: %{run}='%{options} threads=4' -o %t.again
// RUN: %{run}='%{options} resume=%t.state' -o %t.fresh
// RUN: %{run}='%{options} resume=%t.state' -o %t.resumed
// RUN: cmp %t.1 %t.2 && cmp %t.1 %t.4 && cmp %t.1 %t.again && cmp %t.1 %t.fresh && cmp %t.1 %t.resumed

// Alternatives are held against the function, and against the original if it is
// kept.
// RUN: FileCheck %s < %t.1
// CHECK-LABEL: func.func @f(
// CHECK: func.func private @f_alternative_1(
// CHECK-SAME: mirage.equivalent_to = @f,
// CHECK-SAME: verdict = "proved"
// CHECK: func.func private @f_alternative_2(
// CHECK-SAME: mirage.equivalent_to = @f,
// CHECK-NOT: func.func
// RUN: %{run}='%{options} keep-original' | mirage-opt --mirage-verify-equivalence -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=ANSWER
// ANSWER-DAG: @f computes what @f_original does: proved
// ANSWER-DAG: @f_alternative_1 computes what @f_original does: proved
// ANSWER-DAG: @f_alternative_2 computes what @f_original does: proved

// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "candidates": {{[1-9][0-9]*}}
// JSON: "configurations": {{[1-9][0-9]*}}
// JSON: "function": "f"
// JSON-NEXT: "fused_microseconds": {{[0-9.]+}}
// JSON: "judged": [
// JSON: "launches": 1,
// JSON-NEXT: "microseconds": {{[0-9.]+}},
// JSON: "verdict": "proved"
// JSON: "model": "mirage",
// JSON: "original_microseconds": {{[0-9.]+}}
// JSON: "pruned": {
// JSON: "expression": {{[1-9][0-9]*}}
// JSON: "seconds": {
// JSON: "states": {{[1-9][0-9]*}}
// JSON: "verdict": "proved"
// JSON: "verdicts": {
// JSON-NEXT: "accepted": {{[1-9][0-9]*}}
// JSON: "was_cut": false
// RUN: %{run}='%{options} stats=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: {{^}}@f{{$}}
// TABLE-NEXT: generated
// TABLE: states {{[1-9][0-9]*}} prefixes of block graphs
// TABLE: pruned
// TABLE: judged
// TABLE-NEXT: accepted
// TABLE: seconds

// A state of other limits, another target or another program, and a damaged one.
// RUN: not %{run}='%{options} resume=%t.state max-block-operators=8' 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: cannot go on from the state in {{.*}}: the limit of block operators differs: 0 there, 8 here
// RUN: not %{run}='%{options} resume=%t.state target=sm_80' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: cannot go on from the state in {{.*}}: the target differs: sm_90a there, sm_80 here
// RUN: sed 's/512/256/g' %s > %t.other.mlir
// RUN: not mirage-opt %t.other.mlir --mirage-superoptimize='%{options} resume=%t.state' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: cannot go on from the state in {{.*}}: the program differs
// RUN: sed 's/"units":\[\[0,/"units":[[1,/' %t.state > %t.damaged
// RUN: not %{run}='%{options} resume=%t.damaged' 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: cannot go on from the state in {{.*}}: it is damaged

// Without pruning the search finds the same.
// RUN: %{run}='kernels=1 max-block-operators=4 best=1' -o %t.pruned
// RUN: %{run}='kernels=1 max-block-operators=4 best=1 prune=none' -o %t.all
// RUN: cmp %t.pruned %t.all

func.func @f(%x: tensor<8x512xf16>, %w: tensor<512x512xf16>, %v: tensor<512x512xf16>)
    -> tensor<8x512xf16> attributes {mirage.superoptimize} {
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x512xf16>) -> tensor<8x512xf16>
  %b = mirage_kernel.matmul %x, %v : (tensor<8x512xf16>, tensor<512x512xf16>) -> tensor<8x512xf16>
  %m = mirage_kernel.mul %a, %b : (tensor<8x512xf16>, tensor<8x512xf16>) -> tensor<8x512xf16>
  return %m : tensor<8x512xf16>
}
