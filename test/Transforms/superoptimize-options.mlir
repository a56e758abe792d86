// Options that cannot be met are errors that say what can.

// DEFINE: %{optimize} = mirage-opt %s -o /dev/null --mirage-superoptimize

// RUN: not %{optimize}=max-block-operators=33 2>&1 | FileCheck %s --check-prefix=OPERATORS
// OPERATORS: error: option max-block-operators of mirage-superoptimize must be at most 32
// RUN: not %{optimize}=kernels=3 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: error: option kernels of mirage-superoptimize must be 1 or 2
// RUN: not %{optimize}=max-kernel-operators=0 2>&1 | FileCheck %s --check-prefix=KERNELOPERATORS
// KERNELOPERATORS: error: option max-kernel-operators of mirage-superoptimize must be at least 1
// RUN: not %{optimize}=min-gain=1 2>&1 | FileCheck %s --check-prefix=GAIN
// GAIN: error: option min-gain of mirage-superoptimize must be no less than 0 and less than 1
// RUN: not %{optimize}=grid-dims=4 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: option grid-dims of mirage-superoptimize must be 1, 2 or 3
// RUN: not %{optimize}=best=0 2>&1 | FileCheck %s --check-prefix=BEST
// BEST: error: option best of mirage-superoptimize must be at least 1
// RUN: not %{optimize}=error-bits=0 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: option error-bits of mirage-superoptimize must be positive
// RUN: not %{optimize}=deadline=-1 2>&1 | FileCheck %s --check-prefix=DEADLINE
// DEADLINE: error: option deadline of mirage-superoptimize must be no less than 0
// RUN: not %{optimize}='keep=0' 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: error: option keep of mirage-superoptimize must be at least 1
// RUN: not %{optimize}=prune=nothing 2>&1 | FileCheck %s --check-prefix=PRUNE
// PRUNE: error: option prune of mirage-superoptimize must be normal-form, smt, both or none, not 'nothing'
// RUN: not %{optimize}=target=sm_75 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'sm_75'; known are sm_80, sm_90a
// RUN: not %{optimize}=function=g 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: the module has no function @g, which option function names
// Files that cannot be written: said before the search, not after it. A check
// leaves nothing behind.
// DEFINE: %{remarks} = --remarks-filter='mirage-superoptimize.*' --remark-policy=all
// RUN: not %{optimize}='function=f stats=%t/no/such/folder' %{remarks} 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATS --implicit-check-not=remark:
// STATS: error: option stats: {{.*}}such/folder
// RUN: rm -f %t.none
// RUN: not %{optimize}='function=f stats=%t.none resume=%t/no/such/folder' %{remarks} 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RESUME --implicit-check-not=remark:
// RUN: not ls %t.none
// RESUME: error: option resume: {{.*}}such/folder
// RUN: echo '{"f": {}}' > %t.empty && not %{optimize}='function=f resume=%t.empty' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the search for @f cannot go on from the state in {{.*}}.empty: it holds no state of a search
// RUN: echo 'nonsense' > %t.text && not %{optimize}='function=f resume=%t.text' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// TEXT: error: option resume: {{.*}}.text: {{.*}}Invalid JSON

// What gains too little does not pay.
// RUN: mirage-opt %s --mirage-superoptimize='function=f min-gain=0.99' --remarks-filter=mirage-superoptimize \
// RUN:   2>&1 | FileCheck %s --check-prefix=PAYS
// PAYS: remark: [Missed] unchanged {{.*}}launches take {{[0-9.]+}} µs at least.
// PAYS: func.func @f({{.*}}verdict = "unchanged"
// PAYS-NEXT: mirage_kernel.matmul

// Nothing is marked, and nothing named: that is hardly what was meant.
// RUN: %{optimize} 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: :[[@LINE+5]]:8: warning: there is nothing to search for: 'mirage_kernel.matmul' could be, but is in no function that is marked; mirage-partition makes marked functions of such operators, and option function names a function that is not marked
// RUN: mirage-opt %s --mirage-superoptimize=function=@f | FileCheck %s
// CHECK: func.func @f
// CHECK-NEXT: mirage_kernel.launch
func.func @f(%x: tensor<4x32xf32>, %y: tensor<32x64xf32>) -> tensor<4x64xf32> {
  %0 = mirage_kernel.matmul %x, %y : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
