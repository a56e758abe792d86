// Parts of a tensor may lie in arguments of which some are transposed: a block has code for tiles in the order in which its part lies. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-thread=select-buffers=false | FileCheck %s --check-prefix=JOINED
// RUN: mirage-opt %s --mirage-attach-target --mirage-schedule-launches=each -o %t.each.mlir
// RUN: FileCheck %s --check-prefix=WAYS < %t.each.mlir
// RUN: mirage-opt %t.each.mlir --mirage-lower-to-thread -o /dev/null
// RUN: mirage-opt %s --mirage-attach-target --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %s --mirage-attach-target --mirage-print-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=one | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=roles | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=all | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=resident | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=narrow | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=elements | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=both | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=crossing | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=elsewhere | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=apart | FileCheck %s

// CHECK: over_bound=0 unbounded=0
// PTXAS-NOT: spill stores
// PTXAS: 0 bytes spill stores

// The second weight is stored with columns as its rows. No kernel transposes
// it; a block with columns of its product copies tiles of 64 such rows.
// THREAD-LABEL: func.func @one(
// THREAD-NOT: memref.alloc
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
// JOINED-LABEL: func.func @one(
// JOINED: gpu.launch_func {{.*}}concat
// JOINED: gpu.launch_func {{.*}}launch
// WAYS-LABEL: func.func @one(
// WAYS: mirage_block.load %arg{{[0-9]+}} imap(x -> phi, y -> 0, z -> 2) {{.*}}{mirage.copy_way = #mirage<copy_way async>}
// COST-LABEL: @one on
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// SCHEDULE-LABEL: @one on
// SCHEDULE: cluster_blocks = 1: parts of an operand lie in two orders, for each of which there is code
// SCHEDULE-NEXT: loader_warps = 0
func.func @one(%x: tensor<64x256xf16>, %a: tensor<256x192xf16>, %b: tensor<192x256xf16>, %c: tensor<256x192xf16>) -> (tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x192xf16>) {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %a1 = mirage_kernel.reshape %a : tensor<256x192xf16> to tensor<1x256x192xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<256x192xf16> to tensor<1x256x192xf16>
  %c1 = mirage_kernel.reshape %c : tensor<256x192xf16> to tensor<1x256x192xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1, %c1 : (tensor<1x256x192xf16>, tensor<1x256x192xf16>, tensor<1x256x192xf16>) -> tensor<3x256x192xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 3) (%kx = %x : tensor<64x256xf16>, %kw = %w : tensor<3x256x192xf16>) -> tensor<3x64x192xf16> {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<32x64xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<32x64xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x256x192xf16> to tensor<1x64x64xf16>
      %flat = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x64xf32>) -> tensor<32x64xf32>
      mirage_block.yield %s : tensor<32x64xf32>
    }
    %r = mirage_block.reshape %sum : tensor<32x64xf32> to tensor<1x32x64xf32>
    %h = mirage_block.cast %r : tensor<1x32x64xf32> to tensor<1x32x64xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0, z -> 2) : tensor<1x32x64xf16> to tensor<3x64x192xf16>
    mirage_block.yield %o : tensor<3x64x192xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x64x192xf16> to tensor<64x192xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x64x192xf16> to tensor<64x192xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x64x192xf16> to tensor<64x192xf16>
  return %r0, %r1, %r2 : tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x192xf16>
}

// By a schedule with a warp that loads, kernels put the parts together.
// THREAD-LABEL: func.func @roles(
// THREAD: gpu.launch_func {{.*}}concat
// THREAD: gpu.launch_func {{.*}}launch
func.func @roles(%x: tensor<64x256xf16>, %a: tensor<256x192xf16>, %b: tensor<192x256xf16>, %c: tensor<256x192xf16>) -> (tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x192xf16>) {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %a1 = mirage_kernel.reshape %a : tensor<256x192xf16> to tensor<1x256x192xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<256x192xf16> to tensor<1x256x192xf16>
  %c1 = mirage_kernel.reshape %c : tensor<256x192xf16> to tensor<1x256x192xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1, %c1 : (tensor<1x256x192xf16>, tensor<1x256x192xf16>, tensor<1x256x192xf16>) -> tensor<3x256x192xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 3) (%kx = %x : tensor<64x256xf16>, %kw = %w : tensor<3x256x192xf16>) -> tensor<3x64x192xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<32x64xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<32x64xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x256x192xf16> to tensor<1x64x64xf16>
      %flat = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x64xf32>) -> tensor<32x64xf32>
      mirage_block.yield %s : tensor<32x64xf32>
    }
    %r = mirage_block.reshape %sum : tensor<32x64xf32> to tensor<1x32x64xf32>
    %h = mirage_block.cast %r : tensor<1x32x64xf32> to tensor<1x32x64xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0, z -> 2) : tensor<1x32x64xf16> to tensor<3x64x192xf16>
    mirage_block.yield %o : tensor<3x64x192xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 64, 192] [1, 1, 1] : (tensor<3x64x192xf16>) -> tensor<1x64x192xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x64x192xf16> to tensor<64x192xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x64x192xf16> to tensor<64x192xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x64x192xf16> to tensor<64x192xf16>
  return %r0, %r1, %r2 : tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x192xf16>
}

// Two of the weights are stored so, among them the first one.
// THREAD-LABEL: func.func @two(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @two(%x: tensor<64x256xf16>, %a: tensor<192x256xf16>, %b: tensor<192x256xf16>, %c: tensor<256x192xf16>) -> tensor<3x64x192xf16> {
  %at = mirage_kernel.transpose %a [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %a1 = mirage_kernel.reshape %at : tensor<256x192xf16> to tensor<1x256x192xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<256x192xf16> to tensor<1x256x192xf16>
  %c1 = mirage_kernel.reshape %c : tensor<256x192xf16> to tensor<1x256x192xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1, %c1 : (tensor<1x256x192xf16>, tensor<1x256x192xf16>, tensor<1x256x192xf16>) -> tensor<3x256x192xf16>
  %y = mirage_kernel.launch grid(x = 1, y = 3, z = 6) (%kx = %x : tensor<64x256xf16>, %kw = %w : tensor<3x256x192xf16>) -> tensor<3x64x192xf16> {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x32xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x32xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x256x192xf16> to tensor<1x32x32xf16>
      %flat = mirage_block.reshape %tw : tensor<1x32x32xf16> to tensor<32x32xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x32xf32>) -> tensor<64x32xf32>
      mirage_block.yield %s : tensor<64x32xf32>
    }
    %r = mirage_block.reshape %sum : tensor<64x32xf32> to tensor<1x64x32xf32>
    %h = mirage_block.cast %r : tensor<1x64x32xf32> to tensor<1x64x32xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0, z -> 2) : tensor<1x64x32xf16> to tensor<3x64x192xf16>
    mirage_block.yield %o : tensor<3x64x192xf16>
  }
  return %y : tensor<3x64x192xf16>
}

// All parts lie transposed: there is one code.
// WAYS-LABEL: func.func @all(
// WAYS: mirage_block.load %arg{{[0-9]+}} imap(x -> phi, y -> 0, z -> 2) {{.*}}{mirage.copy_way = #mirage<copy_way async>}
// THREAD-LABEL: func.func @all(
// THREAD-NOT: scf.if
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @all(%x: tensor<64x256xf16>, %a: tensor<192x256xf16>, %b: tensor<192x256xf16>) -> tensor<2x64x192xf16> {
  %at = mirage_kernel.transpose %a [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<192x256xf16>) -> tensor<256x192xf16>
  %a1 = mirage_kernel.reshape %at : tensor<256x192xf16> to tensor<1x256x192xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<256x192xf16> to tensor<1x256x192xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x256x192xf16>, tensor<1x256x192xf16>) -> tensor<2x256x192xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 2, z = 3) (%kx = %x : tensor<64x256xf16>, %kw = %w : tensor<2x256x192xf16>) -> tensor<2x64x192xf16> {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<32x64xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<32x64xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<2x256x192xf16> to tensor<1x64x64xf16>
      %flat = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x64xf32>) -> tensor<32x64xf32>
      mirage_block.yield %s : tensor<32x64xf32>
    }
    %r = mirage_block.reshape %sum : tensor<32x64xf32> to tensor<1x32x64xf32>
    %h = mirage_block.cast %r : tensor<1x32x64xf32> to tensor<1x32x64xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0, z -> 2) : tensor<1x32x64xf16> to tensor<2x64x192xf16>
    mirage_block.yield %o : tensor<2x64x192xf16>
  }
  return %y : tensor<2x64x192xf16>
}

// The weight's tile is there for all iterations, and stays a matrix of three
// dimensions.
// THREAD-LABEL: func.func @resident(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @resident(%x: tensor<4x32x64xf16>, %a: tensor<64x128xf16>, %b: tensor<128x64xf16>) -> tensor<2x4x32x128xf16> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf16>) -> tensor<64x128xf16>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf16> to tensor<1x64x128xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf16> to tensor<1x64x128xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf16>, tensor<1x64x128xf16>) -> tensor<2x64x128xf16>
  %y = mirage_kernel.launch grid(x = 2) (%kx = %x : tensor<4x32x64xf16>, %kw = %w : tensor<2x64x128xf16>) -> tensor<2x4x32x128xf16> {
    %tw = mirage_block.load %kw imap(x -> 0) : tensor<2x64x128xf16> to tensor<1x64x128xf16>
    %rows = mirage_block.for %i = 0 to 4 -> tensor<4x32x128xf32> {
      %tx = mirage_block.load %kx imap(x -> phi) fmap(%i -> 0) : tensor<4x32x64xf16> to tensor<1x32x64xf16>
      %p = mirage_block.matmul %tx, %tw : (tensor<1x32x64xf16>, tensor<1x64x128xf16>) -> tensor<1x32x128xf32>
      %s = mirage_block.accumulate concat %p dim(0) : (tensor<1x32x128xf32>) -> tensor<4x32x128xf32>
      mirage_block.yield %s : tensor<4x32x128xf32>
    }
    %r = mirage_block.reshape %rows : tensor<4x32x128xf32> to tensor<1x4x32x128xf32>
    %h = mirage_block.cast %r : tensor<1x4x32x128xf32> to tensor<1x4x32x128xf16>
    %o = mirage_block.store %h omap(x -> 0) : tensor<1x4x32x128xf16> to tensor<2x4x32x128xf16>
    mirage_block.yield %o : tensor<2x4x32x128xf16>
  }
  return %y : tensor<2x4x32x128xf16>
}

// Rows of 50 halves begin at no multiples of 16 bytes, and columns of 48 do.
func.func @narrow(%x: tensor<16x48xf16>, %a: tensor<48x50xf16>, %b: tensor<50x48xf16>) -> tensor<2x16x50xf16> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<50x48xf16>) -> tensor<48x50xf16>
  %a1 = mirage_kernel.reshape %a : tensor<48x50xf16> to tensor<1x48x50xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<48x50xf16> to tensor<1x48x50xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x48x50xf16>, tensor<1x48x50xf16>) -> tensor<2x48x50xf16>
  %y = mirage_kernel.launch grid(x = 2) (%kx = %x : tensor<16x48xf16>, %kw = %w : tensor<2x48x50xf16>) -> tensor<2x16x50xf16> {
    %sum = mirage_block.for %i = 0 to 3 -> tensor<16x50xf32> {
      %tx = mirage_block.load %kx imap(x -> phi) fmap(%i -> 1) : tensor<16x48xf16> to tensor<16x16xf16>
      %tw = mirage_block.load %kw imap(x -> 0) fmap(%i -> 1) : tensor<2x48x50xf16> to tensor<1x16x50xf16>
      %flat = mirage_block.reshape %tw : tensor<1x16x50xf16> to tensor<16x50xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<16x16xf16>, tensor<16x50xf16>) -> tensor<16x50xf32>
      %s = mirage_block.accumulate sum %p : (tensor<16x50xf32>) -> tensor<16x50xf32>
      mirage_block.yield %s : tensor<16x50xf32>
    }
    %r = mirage_block.reshape %sum : tensor<16x50xf32> to tensor<1x16x50xf32>
    %h = mirage_block.cast %r : tensor<1x16x50xf32> to tensor<1x16x50xf16>
    %o = mirage_block.store %h omap(x -> 0) : tensor<1x16x50xf16> to tensor<2x16x50xf16>
    mirage_block.yield %o : tensor<2x16x50xf16>
  }
  return %y : tensor<2x16x50xf16>
}

// Without a product the tile itself is transposed.
// THREAD-LABEL: func.func @elements(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @elements(%x: tensor<64x128xf32>, %a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<2x64x128xf32> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf32> to tensor<1x64x128xf32>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf32> to tensor<1x64x128xf32>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %y = mirage_kernel.launch grid(x = 2, y = 4, z = 2) (%kx = %x : tensor<64x128xf32>, %kw = %w : tensor<2x64x128xf32>) -> tensor<2x64x128xf32> {
    %tx = mirage_block.load %kx imap(x -> phi, y -> 0, z -> 1) : tensor<64x128xf32> to tensor<16x64xf32>
    %tw = mirage_block.load %kw imap(x -> 0, y -> 1, z -> 2) : tensor<2x64x128xf32> to tensor<1x16x64xf32>
    %r = mirage_block.reshape %tx : tensor<16x64xf32> to tensor<1x16x64xf32>
    %m = mirage_block.mul %r, %tw : (tensor<1x16x64xf32>, tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %s = mirage_block.silu %m : (tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %o = mirage_block.store %s omap(x -> 0, y -> 1, z -> 2) : tensor<1x16x64xf32> to tensor<2x64x128xf32>
    mirage_block.yield %o : tensor<2x64x128xf32>
  }
  return %y : tensor<2x64x128xf32>
}

// Two operands with parts in two orders would need four codes: kernels put
// these parts together.
// THREAD-LABEL: func.func @both(
// THREAD-COUNT-3: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @both(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<2x64x128xf32> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf32> to tensor<1x64x128xf32>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf32> to tensor<1x64x128xf32>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %v = mirage_kernel.concat dim(0) %b1, %a1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %y = mirage_kernel.launch grid(x = 2, y = 4, z = 2) (%kv = %v : tensor<2x64x128xf32>, %kw = %w : tensor<2x64x128xf32>) -> tensor<2x64x128xf32> {
    %tv = mirage_block.load %kv imap(x -> 0, y -> 1, z -> 2) : tensor<2x64x128xf32> to tensor<1x16x64xf32>
    %tw = mirage_block.load %kw imap(x -> 0, y -> 1, z -> 2) : tensor<2x64x128xf32> to tensor<1x16x64xf32>
    %m = mirage_block.mul %tv, %tw : (tensor<1x16x64xf32>, tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %o = mirage_block.store %m omap(x -> 0, y -> 1, z -> 2) : tensor<1x16x64xf32> to tensor<2x64x128xf32>
    mirage_block.yield %o : tensor<2x64x128xf32>
  }
  return %y : tensor<2x64x128xf32>
}

// A block whose iterations go from part to part has no one order.
// THREAD-LABEL: func.func @crossing(
// THREAD-COUNT-2: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @crossing(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf32> to tensor<1x64x128xf32>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf32> to tensor<1x64x128xf32>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %y = mirage_kernel.launch grid(x = 4) (%kw = %w : tensor<2x64x128xf32>) -> tensor<64x128xf32> {
    %sum = mirage_block.for %i = 0 to 2 -> tensor<1x16x128xf32> {
      %tw = mirage_block.load %kw imap(x -> 1) fmap(%i -> 0) : tensor<2x64x128xf32> to tensor<1x16x128xf32>
      %s = mirage_block.accumulate sum %tw : (tensor<1x16x128xf32>) -> tensor<1x16x128xf32>
      mirage_block.yield %s : tensor<1x16x128xf32>
    }
    %r = mirage_block.reshape %sum : tensor<1x16x128xf32> to tensor<16x128xf32>
    %o = mirage_block.store %r omap(x -> 0) : tensor<16x128xf32> to tensor<64x128xf32>
    mirage_block.yield %o : tensor<64x128xf32>
  }
  return %y : tensor<64x128xf32>
}

// What else reads the transpose needs a kernel that makes it; the launch reads
// the argument.
// THREAD-LABEL: func.func @elsewhere(
// THREAD-COUNT-2: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @elsewhere(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> (tensor<2x64x128xf32>, tensor<64x128xf32>) {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf32> to tensor<1x64x128xf32>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf32> to tensor<1x64x128xf32>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %y = mirage_kernel.launch grid(x = 2, y = 4) (%kw = %w : tensor<2x64x128xf32>) -> tensor<2x64x128xf32> {
    %tw = mirage_block.load %kw imap(x -> 0, y -> 1) : tensor<2x64x128xf32> to tensor<1x16x128xf32>
    %s = mirage_block.silu %tw : (tensor<1x16x128xf32>) -> tensor<1x16x128xf32>
    %o = mirage_block.store %s omap(x -> 0, y -> 1) : tensor<1x16x128xf32> to tensor<2x64x128xf32>
    mirage_block.yield %o : tensor<2x64x128xf32>
  }
  return %y, %bt : tensor<2x64x128xf32>, tensor<64x128xf32>
}

// A block with tiles of two parts may need both orders.
// THREAD-LABEL: func.func @apart(
// THREAD: gpu.launch_func {{.*}}concat
// THREAD: gpu.launch_func {{.*}}launch
func.func @apart(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<2x2x64x128xf32> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a1 = mirage_kernel.reshape %a : tensor<64x128xf32> to tensor<1x64x128xf32>
  %b1 = mirage_kernel.reshape %bt : tensor<64x128xf32> to tensor<1x64x128xf32>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  %y = mirage_kernel.launch grid(x = 2, y = 2, z = 4) (%kw = %w : tensor<2x64x128xf32>) -> tensor<2x2x64x128xf32> {
    %t = mirage_block.load %kw imap(x -> 0, y -> phi, z -> 1) : tensor<2x64x128xf32> to tensor<1x16x128xf32>
    %u = mirage_block.load %kw imap(x -> phi, y -> 0, z -> 1) : tensor<2x64x128xf32> to tensor<1x16x128xf32>
    %m = mirage_block.mul %t, %u : (tensor<1x16x128xf32>, tensor<1x16x128xf32>) -> tensor<1x16x128xf32>
    %r = mirage_block.reshape %m : tensor<1x16x128xf32> to tensor<1x1x16x128xf32>
    %o = mirage_block.store %r omap(x -> 0, y -> 1, z -> 2) : tensor<1x1x16x128xf32> to tensor<2x2x64x128xf32>
    mirage_block.yield %o : tensor<2x2x64x128xf32>
  }
  return %y : tensor<2x2x64x128xf32>
}
