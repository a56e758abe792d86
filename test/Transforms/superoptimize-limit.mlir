// A search may end at a limit although nothing that it left could be faster than
// what was found: what pieces would take at least is more. Then the remark says
// what the launch takes, and not what a program could still take.
//
// RUN: mirage-opt %S/../../examples/deployed/weight_only_groups.mlir --mirage-optimize -o /dev/null \
// RUN:   --remarks-filter=mirage-superoptimize --remark-policy=all 2>&1 | FileCheck %s
// CHECK: proved. The launch takes
// CHECK-NOT: could still take
