// Products with fewer rows than warpgroups have: the last rows of wgmma lie beyond the end of the tile. What the instructions
// read there is room in shared memory. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=three_parts | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=rows_inside | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_turns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns_for_rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns_inside | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=queries | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=half_chunk | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=half_chunk_in_two_shapes | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=uneven_columns | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {
// 48 of 64 rows. The left operand comes from memory that has 64.
// THREAD-LABEL: gpu.func @three_parts_0_launch
// THREAD: shared_buffer {{.*}} : memref<{{[0-9x]*}}x64x{{[0-9]+}}xf16, #mirage_thread.chunked
// THREAD: warpgroup_mma {{.*}} tensor<1x48x32xf32, #mirage_thread.layout<{{.*}} warps = [4 d1:16]>>
func.func @three_parts(%x: tensor<96x512xf16>, %w: tensor<64x512xf16>) -> tensor<96x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<96x512xf16>, %b = %w : tensor<64x512xf16>) -> tensor<96x64xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<48x32xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<96x512xf16> to tensor<48x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x512xf16> to tensor<32x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<48x64xf16>, tensor<32x64xf16>) -> tensor<48x32xf32>
      %a = mirage_block.accumulate sum %m : (tensor<48x32xf32>) -> tensor<48x32xf32>
      mirage_block.yield %a : tensor<48x32xf32>
    }
    %c = mirage_block.cast %f : tensor<48x32xf32> to tensor<48x32xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<48x32xf16> to tensor<96x64xf16>
    mirage_block.yield %o : tensor<96x64xf16>
  }
  return %0 : tensor<96x64xf16>
}

// Rows are neighbours in memory: 48 of the 64 that a chunk has room for.
// THREAD-LABEL: gpu.func @rows_inside_0_launch
// THREAD: shared_buffer {{.*}} : memref<{{[0-9x]+}}x64xf16, #mirage_thread.chunked<[{{.*}}], chunk = 64,
// THREAD: warpgroup_mma {{.*}} transpose_lhs
func.func @rows_inside(%x: tensor<512x96xf16>, %w: tensor<512x64xf16>) -> tensor<96x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<512x96xf16>, %b = %w : tensor<512x64xf16>) -> tensor<96x64xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<48x32xf32> {
      %l = mirage_block.load %p imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<512x96xf16> to tensor<64x48xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<512x64xf16> to tensor<64x32xf16>
      %m = mirage_block.matmul %l, %k transpose_lhs : (tensor<64x48xf16>, tensor<64x32xf16>) -> tensor<48x32xf32>
      %a = mirage_block.accumulate sum %m : (tensor<48x32xf32>) -> tensor<48x32xf32>
      mirage_block.yield %a : tensor<48x32xf32>
    }
    %c = mirage_block.cast %f : tensor<48x32xf32> to tensor<48x32xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<48x32xf16> to tensor<96x64xf16>
    mirage_block.yield %o : tensor<96x64xf16>
  }
  return %0 : tensor<96x64xf16>
}

// 100 rows in two turns, of which the second has 36, not whole parts of 16.
// THREAD-LABEL: gpu.func @two_turns_0_launch
// THREAD: warpgroup_mma {{.*}} tensor<1x100x24xf32, #mirage_thread.layout<registers = [2 d2:1, 2 d1:8, 2 d1:64, 3 d2:8], lanes = [4 d2:2, 8 d1:1], warps = [4 d1:16]>>
func.func @two_turns(%x: tensor<100x512xf16>, %w: tensor<48x512xf16>) -> tensor<100x48xf16> {
  %0 = mirage_kernel.launch grid(x = 1, y = 2) (%p = %x : tensor<100x512xf16>, %b = %w : tensor<48x512xf16>) -> tensor<100x48xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<100x24xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<100x512xf16> to tensor<100x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<48x512xf16> to tensor<24x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<100x64xf16>, tensor<24x64xf16>) -> tensor<100x24xf32>
      %a = mirage_block.accumulate sum %m : (tensor<100x24xf32>) -> tensor<100x24xf32>
      mirage_block.yield %a : tensor<100x24xf32>
    }
    %c = mirage_block.cast %f : tensor<100x24xf32> to tensor<100x24xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<100x24xf16> to tensor<100x48xf16>
    mirage_block.yield %o : tensor<100x48xf16>
  }
  return %0 : tensor<100x48xf16>
}

// Columns are the rows of wgmma: 48 of 64.
// THREAD-LABEL: gpu.func @columns_for_rows_0_launch
// THREAD: warpgroup_mma
func.func @columns_for_rows(%x: tensor<16x512xf16>, %w: tensor<96x512xf16>) -> tensor<16x96xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%p = %x : tensor<16x512xf16>, %b = %w : tensor<96x512xf16>) -> tensor<16x96xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<16x48xf32> {
      %l = mirage_block.load %p imap(x -> phi) fmap(%i -> 1) : tensor<16x512xf16> to tensor<16x64xf16>
      %k = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<96x512xf16> to tensor<48x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<16x64xf16>, tensor<48x64xf16>) -> tensor<16x48xf32>
      %a = mirage_block.accumulate sum %m : (tensor<16x48xf32>) -> tensor<16x48xf32>
      mirage_block.yield %a : tensor<16x48xf32>
    }
    %c = mirage_block.cast %f : tensor<16x48xf32> to tensor<16x48xf16>
    %o = mirage_block.store %c omap(x -> 1) : tensor<16x48xf16> to tensor<16x96xf16>
    mirage_block.yield %o : tensor<16x96xf16>
  }
  return %0 : tensor<16x96xf16>
}

// The same for columns that are neighbours in memory.
// THREAD-LABEL: gpu.func @columns_inside_0_launch
// THREAD: warpgroup_mma {{.*}} transpose_lhs
func.func @columns_inside(%x: tensor<16x512xf16>, %w: tensor<512x96xf16>) -> tensor<16x96xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%p = %x : tensor<16x512xf16>, %b = %w : tensor<512x96xf16>) -> tensor<16x96xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<16x48xf32> {
      %l = mirage_block.load %p imap(x -> phi) fmap(%i -> 1) : tensor<16x512xf16> to tensor<16x64xf16>
      %k = mirage_block.load %b imap(x -> 1) fmap(%i -> 0) : tensor<512x96xf16> to tensor<64x48xf16>
      %m = mirage_block.matmul %l, %k : (tensor<16x64xf16>, tensor<64x48xf16>) -> tensor<16x48xf32>
      %a = mirage_block.accumulate sum %m : (tensor<16x48xf32>) -> tensor<16x48xf32>
      mirage_block.yield %a : tensor<16x48xf32>
    }
    %c = mirage_block.cast %f : tensor<16x48xf32> to tensor<16x48xf16>
    %o = mirage_block.store %c omap(x -> 1) : tensor<16x48xf16> to tensor<16x96xf16>
    mirage_block.yield %o : tensor<16x96xf16>
  }
  return %0 : tensor<16x96xf16>
}

// Rows stay together over two products, and the left operand of the second one is computed.
// THREAD-LABEL: gpu.func @queries_0_launch
// THREAD: warpgroup_mma
// THREAD: warpgroup_mma
func.func @queries(%q: tensor<2x50x64xf16>, %k: tensor<2x128x64xf16>, %v: tensor<2x128x64xf16>) -> tensor<2x50x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %q : tensor<2x50x64xf16>, %b = %k : tensor<2x128x64xf16>, %c = %v : tensor<2x128x64xf16>) -> tensor<2x50x64xf16> {
    %l = mirage_block.load %a imap(x -> 0) : tensor<2x50x64xf16> to tensor<1x50x64xf16>
    %f:2 = mirage_block.for %i = 0 to 2 -> (tensor<1x50x64xf32>, tensor<1x50x1xf32>) {
      %r = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
      %t = mirage_block.load %c imap(x -> 0) fmap(%i -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<1x50x64xf16>, tensor<1x64x64xf16>) -> tensor<1x50x64xf32>
      %n = mirage_block.scale %m by 0.125 : (tensor<1x50x64xf32>) -> tensor<1x50x64xf32>
      %e = mirage_block.exp %n : (tensor<1x50x64xf32>) -> tensor<1x50x64xf32>
      %d = mirage_block.reduce sum %e dim(2) keep : (tensor<1x50x64xf32>) -> tensor<1x50x1xf32>
      %h = mirage_block.cast %e : tensor<1x50x64xf32> to tensor<1x50x64xf16>
      %o = mirage_block.matmul %h, %t : (tensor<1x50x64xf16>, tensor<1x64x64xf16>) -> tensor<1x50x64xf32>
      %s = mirage_block.accumulate sum %o : (tensor<1x50x64xf32>) -> tensor<1x50x64xf32>
      %u = mirage_block.accumulate sum %d : (tensor<1x50x1xf32>) -> tensor<1x50x1xf32>
      mirage_block.yield %s, %u : tensor<1x50x64xf32>, tensor<1x50x1xf32>
    }
    %g = mirage_block.div %f#0, %f#1 : (tensor<1x50x64xf32>, tensor<1x50x1xf32>) -> tensor<1x50x64xf32>
    %w = mirage_block.cast %g : tensor<1x50x64xf32> to tensor<1x50x64xf16>
    %z = mirage_block.store %w omap(x -> 0) : tensor<1x50x64xf16> to tensor<2x50x64xf16>
    mirage_block.yield %z : tensor<2x50x64xf16>
  }
  return %0 : tensor<2x50x64xf16>
}

// Seven parts of 8 columns are no equal numbers for two warpgroups beside each other. Both compute all of them.
// THREAD-LABEL: gpu.func @uneven_columns_0_launch
// THREAD: warpgroup_mma {{.*}} tensor<1x64x56xf32, #mirage_thread.layout<{{.*}} warps = [4 d1:16, 2 phi]>>
func.func @uneven_columns(%x: tensor<128x512xf16>, %w: tensor<56x512xf16>) -> tensor<128x56xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%p = %x : tensor<128x512xf16>, %b = %w : tensor<56x512xf16>) -> tensor<128x56xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 2, loop_groups = 1, stages = 2, wgmma = true>} {
    %f = mirage_block.for %i = 0 to 8 -> tensor<64x56xf32> {
      %l = mirage_block.load %p imap(x -> 0) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %k = mirage_block.load %b imap(x -> phi) fmap(%i -> 1) : tensor<56x512xf16> to tensor<56x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<64x64xf16>, tensor<56x64xf16>) -> tensor<64x56xf32>
      %a = mirage_block.accumulate sum %m : (tensor<64x56xf32>) -> tensor<64x56xf32>
      mirage_block.yield %a : tensor<64x56xf32>
    }
    %c = mirage_block.cast %f : tensor<64x56xf32> to tensor<64x56xf16>
    %o = mirage_block.store %c omap(x -> 0) : tensor<64x56xf16> to tensor<128x56xf16>
    mirage_block.yield %o : tensor<128x56xf16>
  }
  return %0 : tensor<128x56xf16>
}

// 40 columns that are neighbours in memory are two and a half chunks of 16: the right operands, loaded and computed, have
// three of them, in the room of a chunk of 64.
// THREAD-LABEL: gpu.func @half_chunk_0_launch
// THREAD: shared_buffer {{.*}} : memref<{{[0-9x]*}}64x48xf16, #mirage_thread.chunked<[{{.*}}], chunk = 64,
// THREAD: warpgroup_mma {{.*}} tensor<1x64x40xf32
// THREAD: warpgroup_mma {{.*}} tensor<1x64x40xf32
// THREAD-NOT: mirage_thread.mma_fragment
// THREAD: gpu.return
func.func @half_chunk(%x: tensor<128x512xf16>, %w: tensor<512x80xf16>, %y: tensor<128x64xf16>) -> tensor<128x80xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<128x512xf16>, %b = %w : tensor<512x80xf16>, %q = %y : tensor<128x64xf16>) -> tensor<128x80xf16> {
    %v = mirage_block.load %q imap(x -> 0, y -> phi) : tensor<128x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 8 -> tensor<64x40xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<512x80xf16> to tensor<64x40xf16>
      %m = mirage_block.matmul %l, %k : (tensor<64x64xf16>, tensor<64x40xf16>) -> tensor<64x40xf32>
      %a = mirage_block.accumulate sum %m : (tensor<64x40xf32>) -> tensor<64x40xf32>
      mirage_block.yield %a : tensor<64x40xf32>
    }
    %h = mirage_block.cast %f : tensor<64x40xf32> to tensor<64x40xf16>
    %n = mirage_block.matmul %v, %h : (tensor<64x64xf16>, tensor<64x40xf16>) -> tensor<64x40xf32>
    %c = mirage_block.cast %n : tensor<64x40xf32> to tensor<64x40xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x40xf16> to tensor<128x80xf16>
    mirage_block.yield %o : tensor<128x80xf16>
  }
  return %0 : tensor<128x80xf16>
}

// The same with rows of several dimensions, as another product reads the tile in another shape.
// THREAD-LABEL: gpu.func @half_chunk_in_two_shapes_0_launch
// THREAD: shared_buffer {{.*}} : memref<{{[0-9x]*}}64x48xf16, #mirage_thread.chunked<[{{.*}}], chunk = 64,
func.func @half_chunk_in_two_shapes(%x: tensor<2x64x64xf16>, %w: tensor<2x64x40xf16>, %y: tensor<64x64xf16>) -> (tensor<2x64x40xf32>, tensor<2x64x40xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 2) (%p = %x : tensor<2x64x64xf16>, %b = %w : tensor<2x64x40xf16>, %q = %y : tensor<64x64xf16>) -> (tensor<2x64x40xf32>, tensor<2x64x40xf32>) {
    %l = mirage_block.load %p imap(x -> 0) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %k = mirage_block.load %b imap(x -> 0) : tensor<2x64x40xf16> to tensor<1x64x40xf16>
    %v = mirage_block.load %q imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %m = mirage_block.matmul %l, %k : (tensor<1x64x64xf16>, tensor<1x64x40xf16>) -> tensor<1x64x40xf32>
    %r = mirage_block.reshape %k : tensor<1x64x40xf16> to tensor<64x40xf16>
    %n = mirage_block.matmul %v, %r : (tensor<64x64xf16>, tensor<64x40xf16>) -> tensor<64x40xf32>
    %e = mirage_block.reshape %n : tensor<64x40xf32> to tensor<1x64x40xf32>
    %o = mirage_block.store %m omap(x -> 0) : tensor<1x64x40xf32> to tensor<2x64x40xf32>
    %u = mirage_block.store %e omap(x -> 0) : tensor<1x64x40xf32> to tensor<2x64x40xf32>
    mirage_block.yield %o, %u : tensor<2x64x40xf32>, tensor<2x64x40xf32>
  }
  return %0#0, %0#1 : tensor<2x64x40xf32>, tensor<2x64x40xf32>
}
}
