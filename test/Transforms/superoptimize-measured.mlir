// The best candidates are compared by times that are recorded, where there are
// some: these say the opposite of the model and of the instructions.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/record-candidates.py mirage-opt %s 'pieces=false kernels=1' %t/one.json operators=30 'grid 16x8 loop 32=10' 'grid 16x3x8 loop 16=20'
// RUN: mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/one.json' | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/record-candidates.py mirage-opt %s 'pieces=false kernels=1' %t/two.json operators=30 'grid 16x8 loop 32=20' 'grid 16x3x8 loop 16=10'
// RUN: mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/two.json' --remark-policy=all --remarks-filter='mirage-superoptimize.*' -o %t/two.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=TWO --input-file=%t/two.mlir
// RUN: %python %S/Inputs/record-candidates.py mirage-opt %s 'pieces=false kernels=1' %t/none.json operators=5 'grid 16x8 loop 32=20' 'grid 16x3x8 loop 16=10'
// RUN: mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/none.json' --remark-policy=all --remarks-filter='mirage-superoptimize.*' -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/none.mlir

// Without times the operators stay, and so they do by a file that has others.
// RUN: mirage-opt %s --mirage-optimize='pieces=false kernels=1' | FileCheck %s --check-prefix=NONE
// RUN: echo '{"version": 1, "functions": [{"function": "g", "program": "0000000000000000", "target": "sm_90a", "device": "nothing", "tilings": []}]}' > %t/other.json
// RUN: mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/other.json' --remark-policy=all --remarks-filter='mirage-superoptimize.*' -o %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/other.mlir

// ONE: mirage_kernel.launch grid(x = 16, y = 8)
// ONE-NOT: mirage_kernel.launch
// TWO: mirage_kernel.launch grid(x = 16, y = 3, z = 8)
// TWO-NOT: mirage_kernel.launch
// NONE-LABEL: func.func private @f_part
// NONE-NOT: mirage_kernel.launch

// REMARK: superoptimize-measured.mlir:[[#]]:{{[0-9]+}}: remark: [Analysis] measured {{.*}}grid 16x3x8 loop 16{{.*}}microseconds=10.000
// REMARK: remark: [Analysis] kernels {{.*}}by times recorded from nothing, the fastest candidate takes 10.00 µs, and what the operators fuse to 30.00 µs
// REMARK: remark: [Analysis] measurements {{.*}}have times recorded from nothing
// STAYS: remark: [Missed] unchanged {{.*}}the best accepted candidate takes 20.00 µs by times recorded from nothing, and what the operators fuse to 5.00 µs
// OTHER: remark: [Missed] not-measured {{.*}}other.json has no time of grid 16x8 loop 32 ({{[0-9a-f]+}}), which the model says takes {{[0-9.]+}} us.
// OTHER: remark: [Missed] not-measured {{.*}}other.json has no time of operators ({{[0-9a-f]+}})
// OTHER: remark: [Analysis] measurements {{.*}}0 of the programs that were compared have recorded times; {{[0-9]+}} are not in the file, and priced by the instructions of their kernels.

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @f(%x: tensor<2048x1024xf16>, %u: tensor<1024x1024xf16>,
             %v: tensor<1024x1024xf16>, %w: tensor<1024x1024xf16>)
    -> (tensor<2048x1024xf16>, tensor<2048x1024xf16>, tensor<2048x1024xf16>) {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
  %1 = mirage_kernel.matmul %x, %v
      : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
  %2 = mirage_kernel.matmul %x, %w
      : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
  return %0, %1, %2
      : tensor<2048x1024xf16>, tensor<2048x1024xf16>, tensor<2048x1024xf16>
}
}

// No file, one that is none, one of another target, and options.
// RUN: not mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: option measure=recorded of mirage-superoptimize must be with measurements
// RUN: not mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/absent.json' 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: tilings of @f_part cannot be measured as measure=recorded asks: there is no file {{.*}}absent.json
// RUN: echo '{' > %t/broken.json
// RUN: not mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/broken.json' 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: option measurements: {{.*}}broken.json
// RUN: sed 's/sm_90a/sm_80/' %t/other.json > %t/target.json
// RUN: not mirage-opt %s --mirage-optimize='pieces=false kernels=1 measure=recorded measurements=%t/target.json' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: tilings of @f_part cannot be measured as measure=recorded asks: {{.*}}target.json has no measurements for sm_90a, but of @g (0000000000000000) for sm_80
// RUN: not mirage-opt %s --mirage-superoptimize='measure=device' 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: error: option measure of mirage-superoptimize must be instructions without fused
