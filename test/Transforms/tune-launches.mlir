// Launches are executed as times say that are recorded.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/record-launches.py mirage-opt %s product %t/times.json 'grid 4x4 loop 8=2' 'grid 4x8 loop 8=1'
// RUN: mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/times.json' | FileCheck %s
// RUN: mirage-opt %s --mirage-tune-launches='measure=auto measurements=%t/times.json' | FileCheck %s
// RUN: mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/times.json' -o /dev/null --remark-policy=all --remarks-filter=mirage-tune-launches 2>&1 | FileCheck %s --check-prefix=REMARK

// The pipeline executes it so, and what was tuned computes the same.
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=recorded measurements=%t/times.json' | FileCheck %s --check-prefix=NVVM
// RUN: mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/times.json' -o %t/tuned.mlir
// RUN: mirage-run %t/tuned.mlir --entry=product --device=threads 2>&1 | FileCheck %s --check-prefix=RIGHT

// By its instructions a launch can be executed in other ways, too.
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=instructions' --remark-policy=all --remarks-filter=mirage-tune-launches -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTED

// CHECK-LABEL: func.func @product
// Half of the columns, and twice as many blocks; warps as the options say.
// CHECK: mirage_kernel.launch grid(x = 4, y = 8)
// CHECK-SAME: mirage.schedule = #mirage.schedule<{{.*}}stages
// CHECK: mirage_block.load {{.*}} to tensor<64x512xf16>
// CHECK: mirage_block.load {{.*}} to tensor<512x32xf16>

// REMARK: tune-launches.mlir:[[#]]:{{[0-9]+}}: remark: [Analysis] measured
// REMARK: remark: [Missed] rejected {{.*}}Reason="not recorded"
// REMARK: remark: [Passed] tuned {{.*}}The launch takes 1.00 us as grid 4x8 loop 8 by recorded from nothing, where it took 2.00; {{[0-9]+}} ways were measured.

// NVVM: gpu.launch_func @{{.*}} blocks in
// RIGHT: over_bound=0
// COUNTED: remark: [{{Passed|Analysis}}] {{tuned|unchanged}} {{.*}}The launch takes {{.*}} us {{.*}}by its instructions

func.func @product(%x: tensor<256x512xf16>, %w: tensor<512x256xf16>) -> tensor<256x256xf16> {
  %0 = mirage_kernel.launch grid(x = 4, y = 4) (%a = %x : tensor<256x512xf16>, %b = %w : tensor<512x256xf16>) -> tensor<256x256xf16> {
    %s = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x512xf16> to tensor<64x64xf16>
      %r = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<512x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %l, %r : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<256x256xf16>
    mirage_block.yield %o : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}

// A file of other programs, none, and options.
// RUN: echo '{"version": 1, "functions": []}' > %t/other.json
// RUN: not mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/other.json' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: tilings of @product cannot be measured as measure=recorded asks: {{.*}}other.json has no measurements of this program ({{[0-9a-f]+}}) for sm_90a, but of nothing
// RUN: not mirage-opt %s --mirage-tune-launches='measure=recorded' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: option measure=recorded of mirage-tune-launches must be with measurements
// RUN: not mirage-opt %s --mirage-tune-launches='top=0' 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: error: option top of mirage-tune-launches must be at least 1
// RUN: not mirage-opt %s --mirage-tune-launches='slack=0.5' 2>&1 | FileCheck %s --check-prefix=SLACK
// SLACK: error: option slack of mirage-tune-launches must be at least 1
// RUN: not mirage-opt %s --mirage-tune-launches='min-gain=1' 2>&1 | FileCheck %s --check-prefix=GAIN
// GAIN: error: option min-gain of mirage-tune-launches must be from 0 to below 1
// RUN: not mirage-opt %s --mirage-tune-launches='cluster-blocks=9' 2>&1 | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: error: option cluster-blocks of mirage-tune-launches must be from 0 to 8
// RUN: mirage-opt %s --mirage-tune-launches='measure=instructions' --remark-policy=all --remarks-filter=mirage-tune-launches -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTED
