// A concatenation of windows of one tensor has no kernel where launches with a schedule
// read it, tiles of one window at a time: they read the tensor itself, at offsets that
// follow from the number of the window, and zeros beside it.

// RUN: mirage-opt %s --convert-mirage-block-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-run %s --entry=shifted --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=steps --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=crossing --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=read_elsewhere --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=irregular --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Three windows move down by two rows each. The first begins a row before the tensor.
// CHECK-LABEL: func.func @shifted(
// CHECK-SAME: [[X:%.*]]: memref<5x64xf16>
// CHECK-NOT: memref.alloc
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: return
// COST-LABEL: @shifted on
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @shifted(%x: tensor<5x64xf16>) -> tensor<4x192xf16> {
  %p = mirage_kernel.pad %x low [1, 0] high [2, 0] value(0.0) : (tensor<5x64xf16>) -> tensor<8x64xf16>
  %a = mirage_kernel.slice %p[0, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %b = mirage_kernel.slice %p[2, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %c = mirage_kernel.slice %p[4, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %a, %b, %c : (tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x192xf16>
  %r = mirage_kernel.launch grid(x = 6) (%q = %w : tensor<4x192xf16>) -> tensor<4x192xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> 1) : tensor<4x192xf16> to tensor<4x32xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x32xf16>, tensor<4x32xf16>) -> tensor<4x32xf16>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<4x32xf16> to tensor<4x192xf16>
    mirage_block.yield %2 : tensor<4x192xf16>
  }
  return %r : tensor<4x192xf16>
}

// Every third row: the buffer is read as rows of three rows, of which an index in front
// says which.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: [[X:%.*]]: memref<12x64xf16>
// CHECK: [[V:%.*]] = memref.reinterpret_cast [[X]] to offset: [0], sizes: [3, 4, 64], strides: [64, 192, 1]
// CHECK-COUNT-1: gpu.launch_func {{.*}}[[V]]
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @steps(%x: tensor<12x64xf16>) -> tensor<4x128xf16> {
  %p = mirage_kernel.pad %x low [2, 0] high [0, 0] value(0.0) : (tensor<12x64xf16>) -> tensor<14x64xf16>
  %a = mirage_kernel.slice %p[0, 0] [4, 64] [3, 1] : (tensor<14x64xf16>) -> tensor<4x64xf16>
  %b = mirage_kernel.slice %p[4, 0] [4, 64] [3, 1] : (tensor<14x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %a, %b : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x128xf16>
  %r = mirage_kernel.launch grid(x = 2) (%q = %w : tensor<4x128xf16>) -> tensor<4x128xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> 1) : tensor<4x128xf16> to tensor<4x64xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x64xf16>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<4x64xf16> to tensor<4x128xf16>
    mirage_block.yield %2 : tensor<4x128xf16>
  }
  return %r : tensor<4x128xf16>
}

// A tile of two windows lies in no place of the tensor, so these have kernels.
// CHECK-LABEL: func.func @crossing(
// CHECK: gpu.launch_func {{.*}}concat
// CHECK: gpu.launch_func {{.*}}launch
func.func @crossing(%x: tensor<8x64xf16>) -> tensor<4x128xf16> {
  %a = mirage_kernel.slice %x[0, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %b = mirage_kernel.slice %x[1, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %a, %b : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x128xf16>
  %r = mirage_kernel.launch grid(x = 1) (%q = %w : tensor<4x128xf16>) -> tensor<4x128xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> phi) : tensor<4x128xf16> to tensor<4x128xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x128xf16>, tensor<4x128xf16>) -> tensor<4x128xf16>
    %2 = mirage_block.store %1 omap(x -> phi) : tensor<4x128xf16> to tensor<4x128xf16>
    mirage_block.yield %2 : tensor<4x128xf16>
  }
  return %r : tensor<4x128xf16>
}

// A window that is a result as well has a kernel, and the launch reads the tensor.
// CHECK-LABEL: func.func @read_elsewhere(
// CHECK: gpu.launch_func {{.*}}slice
// CHECK-NOT: gpu.launch_func {{.*}}concat
// CHECK: gpu.launch_func {{.*}}launch
func.func @read_elsewhere(%x: tensor<8x64xf16>) -> (tensor<4x128xf16>, tensor<4x64xf16>) {
  %a = mirage_kernel.slice %x[0, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %b = mirage_kernel.slice %x[1, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %a, %b : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x128xf16>
  %r = mirage_kernel.launch grid(x = 2) (%q = %w : tensor<4x128xf16>) -> tensor<4x128xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> 1) : tensor<4x128xf16> to tensor<4x64xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x64xf16>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<4x64xf16> to tensor<4x128xf16>
    mirage_block.yield %2 : tensor<4x128xf16>
  }
  return %r, %b : tensor<4x128xf16>, tensor<4x64xf16>
}

// Windows that move by no equal steps are parts of their own, of which a block selects one.
// CHECK-LABEL: func.func @irregular(
// CHECK-NOT: gpu.launch_func {{.*}}concat
// CHECK: gpu.launch_func {{.*}}launch
func.func @irregular(%x: tensor<8x64xf16>) -> tensor<4x192xf16> {
  %a = mirage_kernel.slice %x[0, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %b = mirage_kernel.slice %x[1, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %c = mirage_kernel.slice %x[3, 0] [4, 64] [1, 1] : (tensor<8x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %a, %b, %c : (tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x192xf16>
  %r = mirage_kernel.launch grid(x = 3) (%q = %w : tensor<4x192xf16>) -> tensor<4x192xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> 1) : tensor<4x192xf16> to tensor<4x64xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x64xf16>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<4x64xf16> to tensor<4x192xf16>
    mirage_block.yield %2 : tensor<4x192xf16>
  }
  return %r : tensor<4x192xf16>
}

// Of more than eight parts none is selected, so these have a kernel.
// CHECK-LABEL: func.func @many(
// CHECK: gpu.launch_func {{.*}}concat
// CHECK: gpu.launch_func {{.*}}launch
func.func @many(%x: tensor<16x64xf16>) -> tensor<4x576xf16> {
  %s0 = mirage_kernel.slice %x[0, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s1 = mirage_kernel.slice %x[1, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s2 = mirage_kernel.slice %x[3, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s3 = mirage_kernel.slice %x[4, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s4 = mirage_kernel.slice %x[6, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s5 = mirage_kernel.slice %x[7, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s6 = mirage_kernel.slice %x[9, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s7 = mirage_kernel.slice %x[10, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %s8 = mirage_kernel.slice %x[12, 0] [4, 64] [1, 1] : (tensor<16x64xf16>) -> tensor<4x64xf16>
  %w = mirage_kernel.concat dim(1) %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7, %s8 : (tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x576xf16>
  %r = mirage_kernel.launch grid(x = 9) (%q = %w : tensor<4x576xf16>) -> tensor<4x576xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %0 = mirage_block.load %q imap(x -> 1) : tensor<4x576xf16> to tensor<4x64xf16>
    %1 = mirage_block.add %0, %0 : (tensor<4x64xf16>, tensor<4x64xf16>) -> tensor<4x64xf16>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<4x64xf16> to tensor<4x576xf16>
    mirage_block.yield %2 : tensor<4x576xf16>
  }
  return %r : tensor<4x576xf16>
}

}
