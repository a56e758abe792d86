// The pipeline chooses tilings by the instructions of kernels. What they are is
// left to the lowering: no schedule is written.
//
// RUN: mirage-opt %mirage_src_root/examples/deployed/odd_attention.mlir \
// RUN:   --mirage-optimize --remarks-filter=mirage-tune-launches \
// RUN:   -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mirage-opt %mirage_src_root/examples/deployed/odd_attention.mlir \
// RUN:   --mirage-optimize=tune=false --remarks-filter=mirage-tune-launches \
// RUN:   2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence='lhs=odd_attention rhs=odd_attention_part' \
// RUN:   -o /dev/null

// REMARK: remark: [Passed] tuned | {{.*}}"The launch takes {{[0-9.]+}} us as grid {{[0-9x]+}} loop {{[0-9]+}} by its instructions, where it took {{[0-9.]+}}; {{[0-9]+}} ways were measured."

// CHECK: func.func private @odd_attention_part
// CHECK-NOT: mirage.schedule
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.for %{{.*}} = 0 to 4

// MODEL-NOT: mirage-tune-launches
// MODEL: mirage_kernel.launch
// MODEL: mirage_block.for %{{.*}} = 0 to 16
