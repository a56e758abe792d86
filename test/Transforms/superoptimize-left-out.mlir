// A program of more operators than pieces may have leaves some of them out, and the
// remark says so, with how many searches had fewer states than it takes to make all
// graphs.
//
// RUN: mirage-opt %S/../../examples/deployed/gru_cell.mlir --mirage-optimize='threads=1 stats=%t' -o /dev/null \
// RUN:   --remarks-filter='mirage-superoptimize$' --remark-policy=all 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t
// CHECK: The search gave [[N:[1-9][0-9]*]] of {{[1-9][0-9]*}} pieces no more states, where other work found nothing faster, or more of it promised nothing, and did not look at all pieces or at all ways to put these together: a program could still take 2.82 µs.
// STATS: "end": "states",
// STATS: "limited": {{[1-9]}}
// STATS: "overlapping_left_out": 0,
// STATS: "pieces_not_grown": {{[0-9]+}},
// STATS-NEXT: "pieces_too_large": {{[1-9][0-9]*}},

// Where no piece was worth a search, those that are none are what was missed.
//
// RUN: mirage-opt %S/../../examples/deployed/cosine_attention.mlir --mirage-optimize='threads=1' -o /dev/null \
// RUN:   --remarks-filter='mirage-superoptimize$' --remark-policy=all 2>&1 | FileCheck %s --check-prefix=PIECES
// PIECES: The search did not look at all pieces or at all ways to put these together: a program could still take 2.55 µs.
