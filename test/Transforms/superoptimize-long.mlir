// A program of 21 inputs: finding out what a launch could load of it takes longer
// than the deadline, which ends that, too. Sizes of the thousands of candidates are
// chosen for a second more, and pieces are searched for in the part of the time
// that is theirs.
// DEFINE: %{options} = max-block-operators=30 effort=0 min-gain=0
// RUN: mirage-opt %s --mirage-superoptimize='%{options} deadline=4 stats=%t.json' -o %t 2>&1 \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// CHECK: warning: the search for @chain met its deadline: what it found depends on when
// JSON: "composition": {
// JSON: "piece_states": {{[1-9][0-9][0-9]+}},
// JSON: "searched": {{[1-9]}},
// JSON: "choose_sizes": {{[0-2]}}
// JSON: "was_cut": true

// Of an interruption, too.
// RUN: %python %S/Inputs/interrupt.py 1 1 mirage-opt %s -o %t.interrupted \
// RUN:   --mirage-superoptimize='%{options}' 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: warning: the search for @chain was interrupted: what it found depends on when
// ONCE: status 0
func.func @chain(%x0: tensor<64x64xf16>,
                 %w0: tensor<64x64xf16>, %w1: tensor<64x64xf16>, %w2: tensor<64x64xf16>, %w3: tensor<64x64xf16>,
                 %w4: tensor<64x64xf16>, %w5: tensor<64x64xf16>, %w6: tensor<64x64xf16>, %w7: tensor<64x64xf16>,
                 %w8: tensor<64x64xf16>, %w9: tensor<64x64xf16>, %w10: tensor<64x64xf16>, %w11: tensor<64x64xf16>,
                 %w12: tensor<64x64xf16>, %w13: tensor<64x64xf16>, %w14: tensor<64x64xf16>, %w15: tensor<64x64xf16>,
                 %w16: tensor<64x64xf16>, %w17: tensor<64x64xf16>, %w18: tensor<64x64xf16>, %w19: tensor<64x64xf16>)
    -> tensor<64x64xf16> attributes {mirage.superoptimize} {
  %x1 = mirage_kernel.matmul %x0, %w0 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x2 = mirage_kernel.matmul %x1, %w1 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x3 = mirage_kernel.matmul %x2, %w2 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x4 = mirage_kernel.matmul %x3, %w3 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x5 = mirage_kernel.matmul %x4, %w4 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x6 = mirage_kernel.matmul %x5, %w5 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x7 = mirage_kernel.matmul %x6, %w6 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x8 = mirage_kernel.matmul %x7, %w7 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x9 = mirage_kernel.matmul %x8, %w8 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x10 = mirage_kernel.matmul %x9, %w9 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x11 = mirage_kernel.matmul %x10, %w10 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x12 = mirage_kernel.matmul %x11, %w11 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x13 = mirage_kernel.matmul %x12, %w12 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x14 = mirage_kernel.matmul %x13, %w13 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x15 = mirage_kernel.matmul %x14, %w14 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x16 = mirage_kernel.matmul %x15, %w15 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x17 = mirage_kernel.matmul %x16, %w16 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x18 = mirage_kernel.matmul %x17, %w17 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x19 = mirage_kernel.matmul %x18, %w18 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x20 = mirage_kernel.matmul %x19, %w19 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %x20 : tensor<64x64xf16>
}
