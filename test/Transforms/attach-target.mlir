// RUN: mirage-opt %s --mirage-attach-target=chip=sm_80 --mirage-attach-nvvm-target | FileCheck %s
// RUN: not mirage-opt %s --mirage-attach-target=chip=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mirage-opt %s --mirage-attach-nvvm-target 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mirage-opt %s --mirage-attach-target --mirage-attach-nvvm-target=opt-level=4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEVEL

// A target makes the verifier count shared memory. 200,000 bytes fit into sm_90a and not into
// sm_80; a module that names its target keeps it.
// RUN: mirage-opt %S/Inputs/large-launch.mlir --mirage-attach-target=chip=sm_90a -o /dev/null
// RUN: not mirage-opt %S/Inputs/large-launch.mlir --mirage-attach-target=chip=sm_80 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOO_LARGE

// What cannot launch clusters has a target without them, also one that the module names.
// RUN: mirage-opt %s --mirage-attach-target=clusters=false | FileCheck %s --check-prefix=CLUSTERS
// RUN: mirage-opt %s --mirage-attach-target --mirage-attach-target=clusters=false \
// RUN:   | FileCheck %s --check-prefix=CLUSTERS
// RUN: mirage-opt %S/../../examples/gqa.mlir --mirage-optimize="clusters=false effort=20" \
// RUN:   | mirage-opt --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=SCHEDULE
// CLUSTERS: mirage.target = #mirage.target<sm_90a, cluster_per_clock = 0>
// SCHEDULE: cluster_blocks = 1: sm_90a has no clusters
// SCHEDULE-NOT: cluster_blocks = {{[2-8]}}

// CHECK: module attributes {
// CHECK-SAME: mirage.target = #mirage.target<sm_80>
// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80"
// UNKNOWN: error: unknown target 'sm_1'; known are sm_80, sm_90a
// NONE: error: names no target; run mirage-attach-target first
// LEVEL: error: option opt-level of mirage-attach-nvvm-target must be from 0 to 3
// TOO_LARGE: large-launch.mlir:[[#]]:[[#]]: error: 'mirage_kernel.launch' op needs 200064 bytes of shared memory per block, but the target sm_80 has 166912

gpu.module @kernels {}
