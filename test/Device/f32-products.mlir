// Products of f32, which tensor cores would round: lanes compute them by fused multiply-adds, from operands
// in shared memory, under the same schedules as other products.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-thread --remark-policy=all --remarks-filter=mirage-schedule -o /dev/null 2>&1 \
// RUN:   | not grep general-lowering
// RUN: mirage-opt %s --mirage-lower-to-nvvm -o %t.nvvm.mlir && FileCheck %s --check-prefix=NVVM < %t.nvvm.mlir
// RUN: mirage-translate --mirage-to-ptx %t.nvvm.mlir -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=plain --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=transposed --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=outer --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=row --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=epilogue --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=attention --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=mixed --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=few_blocks --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// A lane loads four contracted elements of its rows, and four columns for each of them.
// CHECK-LABEL: gpu.func @plain_0_launch
// CHECK: mirage_thread.copy async
// CHECK: scf.for
// CHECK: mirage_thread.load_fragment {{.*}} to tensor<1x{{[0-9]+}}x4xf32, #mirage_thread.layout<registers = [4 d2:1{{.*}}], lanes = [4 phi, 8 d1:1]
// CHECK: mirage_thread.load_fragment {{.*}} to tensor<1x4x{{[0-9]+}}xf32, #mirage_thread.layout<registers = [4 d2:1{{.*}}], lanes = [4 d2:4, 8 phi]
// CHECK: mirage_thread.fma_fragment
// NVVM-LABEL: llvm.func @plain_0_launch
// NVVM: llvm.load {{.*}} -> vector<4xf32>
// NVVM: llvm.intr.fma
func.func @plain(%a: tensor<96x200xf32>, %b: tensor<200x136xf32>) -> tensor<96x136xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<96x200xf32>, tensor<200x136xf32>) -> tensor<96x136xf32>
  return %0 : tensor<96x136xf32>
}

// Sizes that nothing divides, in a batch.
// CHECK-LABEL: gpu.func @transposed_0_launch
// CHECK: mirage_thread.fma_fragment %{{.*}}, %{{.*}} transpose_rhs
func.func @transposed(%a: tensor<2x100x77xf32>, %b: tensor<2x50x77xf32>) -> tensor<2x100x50xf32> {
  %0 = mirage_kernel.matmul %a, %b transpose_rhs : (tensor<2x100x77xf32>, tensor<2x50x77xf32>) -> tensor<2x100x50xf32>
  return %0 : tensor<2x100x50xf32>
}

// CHECK-LABEL: gpu.func @outer_0_launch
// CHECK: mirage_thread.fma_fragment %{{.*}} transpose_lhs
func.func @outer(%a: tensor<128x72xf32>, %b: tensor<128x40xf32>) -> tensor<72x40xf32> {
  %0 = mirage_kernel.matmul %a, %b transpose_lhs : (tensor<128x72xf32>, tensor<128x40xf32>) -> tensor<72x40xf32>
  return %0 : tensor<72x40xf32>
}

// CHECK-LABEL: gpu.func @row_0_launch
// CHECK: mirage_thread.fma_fragment
func.func @row(%a: tensor<1x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1x1000xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<1x1000xf32>, tensor<1000x1000xf32>) -> tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}

// CHECK-LABEL: gpu.func @epilogue_0_launch
// CHECK: mirage_thread.fma_fragment
// CHECK: mirage_thread.silu
// CHECK-NOT: gpu.func @epilogue_1
func.func @epilogue(%a: tensor<64x128xf32>, %b: tensor<128x256xf32>, %c: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
  %1 = mirage_kernel.add %0, %c : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  %2 = mirage_kernel.silu %1 : (tensor<64x256xf32>) -> tensor<64x256xf32>
  return %2 : tensor<64x256xf32>
}

// The weights are multiplied as they are, where values of 16 bits need two products.
// CHECK-LABEL: gpu.func @attention_0_launch
// CHECK: mirage_thread.fma_fragment %{{.*}}, %{{.*}} transpose_rhs
// CHECK-NOT: mirage_thread.cast
// CHECK: mirage_thread.store_fragment
// CHECK: mirage_thread.fma_fragment
// CHECK-NOT: mirage_thread.cast
func.func @attention(%q: tensor<2x80x64xf32>, %k: tensor<2x256x64xf32>, %v: tensor<2x256x32xf32>) -> tensor<2x80x32xf32> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.125) : (tensor<2x80x64xf32>, tensor<2x256x64xf32>, tensor<2x256x32xf32>) -> tensor<2x80x32xf32>
  return %0 : tensor<2x80x32xf32>
}

// A launch with a product of either kind: the sums of the one are an operand of the other.
// CHECK-LABEL: gpu.func @mixed_0_launch
// CHECK: mirage_thread.mma_fragment
// CHECK: mirage_thread.fma_fragment
func.func @mixed(%x: tensor<64x64xf16>, %w: tensor<64x32xf16>, %v: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %r = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<64x64xf16>, %b = %w : tensor<64x32xf16>, %c = %v : tensor<32x48xf32>) -> tensor<64x48xf32> {
    %xt = mirage_block.load %a imap(x -> 0) : tensor<64x64xf16> to tensor<32x64xf16>
    %wt = mirage_block.load %b imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %vt = mirage_block.load %c imap(x -> phi) : tensor<32x48xf32> to tensor<32x48xf32>
    %p = mirage_block.matmul %xt, %wt : (tensor<32x64xf16>, tensor<64x32xf16>) -> tensor<32x32xf32>
    %q = mirage_block.matmul %p, %vt : (tensor<32x32xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
    %s = mirage_block.store %q omap(x -> 0) : tensor<32x48xf32> to tensor<64x48xf32>
    mirage_block.yield %s : tensor<64x48xf32>
  }
  return %r : tensor<64x48xf32>
}

// 49 iterations over 16 elements are 56, seven for each block of a cluster.
// CHECK-LABEL: gpu.func @few_blocks_0_launch
// CHECK-SAME: cluster
// CHECK: mirage_thread.fma_fragment
func.func @few_blocks(%a: tensor<64x784xf32>, %b: tensor<64x784xf32>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.matmul %a, %b transpose_rhs : (tensor<64x784xf32>, tensor<64x784xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
}
