// Parts of a tensor may lie in buffers of their own: products with several weights are one launch, of which each block reads one weight and stores one result. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-thread=select-buffers=false | FileCheck %s --check-prefix=JOINED
// RUN: mirage-opt %s --mirage-attach-target --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=separate | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=brought | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=resident | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=twice | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=crossing | FileCheck %s

// CHECK: over_bound=0 unbounded=0
// PTXAS-NOT: spill stores
// PTXAS: 0 bytes spill stores

// Each block multiplies rows of x with columns of one of the three weights.
// THREAD-LABEL: func.func @separate(
// THREAD-NOT: memref.alloc
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
// JOINED-LABEL: func.func @separate(
// JOINED: gpu.launch_func {{.*}}concat
// JOINED: gpu.launch_func {{.*}}launch
// JOINED-NOT: mirage_thread.select_buffer
// COST-LABEL: @separate on
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// MANIFEST: "reads": ["input0","input1","input2","input3"]
// MANIFEST: "writes": ["output0","output1","output2"]
func.func @separate(%x: tensor<128x512xf16>, %q: tensor<512x256xf16>, %k: tensor<512x256xf16>, %v: tensor<512x256xf16>)
    -> (tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>) {
  %q1 = mirage_kernel.reshape %q : tensor<512x256xf16> to tensor<1x512x256xf16>
  %k1 = mirage_kernel.reshape %k : tensor<512x256xf16> to tensor<1x512x256xf16>
  %v1 = mirage_kernel.reshape %v : tensor<512x256xf16> to tensor<1x512x256xf16>
  %w = mirage_kernel.concat dim(0) %q1, %k1, %v1 : (tensor<1x512x256xf16>, tensor<1x512x256xf16>, tensor<1x512x256xf16>) -> tensor<3x512x256xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 4) (%bx = %x : tensor<128x512xf16>, %bw = %w : tensor<3x512x256xf16>) -> tensor<3x128x256xf16> {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %tx = mirage_block.load %bx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %tw = mirage_block.load %bw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x512x256xf16> to tensor<1x64x64xf16>
      %m = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %m : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %r = mirage_block.reshape %c : tensor<64x64xf16> to tensor<1x64x64xf16>
    %s = mirage_block.store %r omap(x -> 1, y -> 0, z -> 2) : tensor<1x64x64xf16> to tensor<3x128x256xf16>
    mirage_block.yield %s : tensor<3x128x256xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x128x256xf16> to tensor<128x256xf16>
  return %r0, %r1, %r2 : tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>
}

// The copy engine brings the tiles, by a tensor map for each weight.
// THREAD-LABEL: func.func @brought(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @brought(%x: tensor<128x512xf16>, %q: tensor<512x256xf16>, %k: tensor<512x256xf16>, %v: tensor<512x256xf16>)
    -> (tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>) {
  %q1 = mirage_kernel.reshape %q : tensor<512x256xf16> to tensor<1x512x256xf16>
  %k1 = mirage_kernel.reshape %k : tensor<512x256xf16> to tensor<1x512x256xf16>
  %v1 = mirage_kernel.reshape %v : tensor<512x256xf16> to tensor<1x512x256xf16>
  %w = mirage_kernel.concat dim(0) %q1, %k1, %v1 : (tensor<1x512x256xf16>, tensor<1x512x256xf16>, tensor<1x512x256xf16>) -> tensor<3x512x256xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 4) (%bx = %x : tensor<128x512xf16>, %bw = %w : tensor<3x512x256xf16>) -> tensor<3x128x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 1, bulk_copies = true, persistent_blocks = 12>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %tx = mirage_block.load %bx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %tw = mirage_block.load %bw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x512x256xf16> to tensor<1x64x64xf16>
      %m = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %m : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %r = mirage_block.reshape %c : tensor<64x64xf16> to tensor<1x64x64xf16>
    %s = mirage_block.store %r omap(x -> 1, y -> 0, z -> 2) : tensor<1x64x64xf16> to tensor<3x128x256xf16>
    mirage_block.yield %s : tensor<3x128x256xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x128x256xf16> to tensor<128x256xf16>
  return %r0, %r1, %r2 : tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>
}

// Tiles that are loaded before the loop come to blocks that stay in the same way.
func.func @resident(%x: tensor<2x64x64xf16>, %a: tensor<128x64xf16>, %b: tensor<128x64xf16>) -> (tensor<128x64xf16>, tensor<128x64xf16>) {
  %a1 = mirage_kernel.reshape %a : tensor<128x64xf16> to tensor<1x128x64xf16>
  %b1 = mirage_kernel.reshape %b : tensor<128x64xf16> to tensor<1x128x64xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x128x64xf16>, tensor<1x128x64xf16>) -> tensor<2x128x64xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 2) (%bx = %x : tensor<2x64x64xf16>, %bw = %w : tensor<2x128x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, persistent_blocks = 2>} {
    %tw = mirage_block.load %bw imap(x -> 1, y -> 0) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %sum = mirage_block.for %i = 0 to 2 -> tensor<1x64x64xf32> {
      %tx = mirage_block.load %bx imap(x -> phi, y -> phi) fmap(%i -> 0) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %tw, %tx : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %s : tensor<1x64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %s = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %s : tensor<2x128x64xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 128, 64] [1, 1, 1] : (tensor<2x128x64xf16>) -> tensor<1x128x64xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 128, 64] [1, 1, 1] : (tensor<2x128x64xf16>) -> tensor<1x128x64xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x128x64xf16> to tensor<128x64xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x128x64xf16> to tensor<128x64xf16>
  return %r0, %r1 : tensor<128x64xf16>, tensor<128x64xf16>
}

// Parts may be windows of one argument.
// THREAD-LABEL: func.func @columns(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
// COST-LABEL: @columns on
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @columns(%x: tensor<128x512xf16>, %w3: tensor<512x768xf16>)
    -> (tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>) {
  %q = mirage_kernel.slice %w3[0, 0] [512, 256] [1, 1] : (tensor<512x768xf16>) -> tensor<512x256xf16>
  %k = mirage_kernel.slice %w3[0, 256] [512, 256] [1, 1] : (tensor<512x768xf16>) -> tensor<512x256xf16>
  %v = mirage_kernel.slice %w3[0, 512] [512, 256] [1, 1] : (tensor<512x768xf16>) -> tensor<512x256xf16>
  %q1 = mirage_kernel.reshape %q : tensor<512x256xf16> to tensor<1x512x256xf16>
  %k1 = mirage_kernel.reshape %k : tensor<512x256xf16> to tensor<1x512x256xf16>
  %v1 = mirage_kernel.reshape %v : tensor<512x256xf16> to tensor<1x512x256xf16>
  %w = mirage_kernel.concat dim(0) %q1, %k1, %v1 : (tensor<1x512x256xf16>, tensor<1x512x256xf16>, tensor<1x512x256xf16>) -> tensor<3x512x256xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 4) (%bx = %x : tensor<128x512xf16>, %bw = %w : tensor<3x512x256xf16>) -> tensor<3x128x256xf16> {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %tx = mirage_block.load %bx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %tw = mirage_block.load %bw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x512x256xf16> to tensor<1x64x64xf16>
      %m = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %m : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %r = mirage_block.reshape %c : tensor<64x64xf16> to tensor<1x64x64xf16>
    %s = mirage_block.store %r omap(x -> 1, y -> 0, z -> 2) : tensor<1x64x64xf16> to tensor<3x128x256xf16>
    mirage_block.yield %s : tensor<3x128x256xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x128x256xf16> to tensor<128x256xf16>
  return %r0, %r1, %r2 : tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>
}

// A part may be there twice.
// THREAD-LABEL: func.func @twice(
// THREAD-COUNT-1: gpu.launch_func
// THREAD-NOT: gpu.launch_func
// THREAD: return
func.func @twice(%x: tensor<128x512xf16>, %q: tensor<512x256xf16>, %k: tensor<512x256xf16>)
    -> (tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>) {
  %q1 = mirage_kernel.reshape %q : tensor<512x256xf16> to tensor<1x512x256xf16>
  %k1 = mirage_kernel.reshape %k : tensor<512x256xf16> to tensor<1x512x256xf16>
  %v1 = mirage_kernel.reshape %q : tensor<512x256xf16> to tensor<1x512x256xf16>
  %w = mirage_kernel.concat dim(0) %q1, %k1, %v1 : (tensor<1x512x256xf16>, tensor<1x512x256xf16>, tensor<1x512x256xf16>) -> tensor<3x512x256xf16>
  %y = mirage_kernel.launch grid(x = 2, y = 3, z = 4) (%bx = %x : tensor<128x512xf16>, %bw = %w : tensor<3x512x256xf16>) -> tensor<3x128x256xf16> {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %tx = mirage_block.load %bx imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %tw = mirage_block.load %bw imap(x -> phi, y -> 0, z -> 2) fmap(%i -> 1) : tensor<3x512x256xf16> to tensor<1x64x64xf16>
      %m = mirage_block.reshape %tw : tensor<1x64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %tx, %m : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %r = mirage_block.reshape %c : tensor<64x64xf16> to tensor<1x64x64xf16>
    %s = mirage_block.store %r omap(x -> 1, y -> 0, z -> 2) : tensor<1x64x64xf16> to tensor<3x128x256xf16>
    mirage_block.yield %s : tensor<3x128x256xf16>
  }
  %s0 = mirage_kernel.slice %y[0, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s1 = mirage_kernel.slice %y[1, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %s2 = mirage_kernel.slice %y[2, 0, 0] [1, 128, 256] [1, 1, 1] : (tensor<3x128x256xf16>) -> tensor<1x128x256xf16>
  %r0 = mirage_kernel.reshape %s0 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r1 = mirage_kernel.reshape %s1 : tensor<1x128x256xf16> to tensor<128x256xf16>
  %r2 = mirage_kernel.reshape %s2 : tensor<1x128x256xf16> to tensor<128x256xf16>
  return %r0, %r1, %r2 : tensor<128x256xf16>, tensor<128x256xf16>, tensor<128x256xf16>
}

// A block that reads several weights at once reads what a kernel has put together.
// THREAD-LABEL: func.func @crossing(
// THREAD-COUNT-2: gpu.launch_func
// THREAD: return
// COST-LABEL: @crossing on
// COST: {{^}}concat
// COST: {{^}}launch
func.func @crossing(%a: tensor<1x64x32xf16>, %b: tensor<1x64x32xf16>) -> tensor<2x64x32xf16> {
  %w = mirage_kernel.concat dim(0) %a, %b : (tensor<1x64x32xf16>, tensor<1x64x32xf16>) -> tensor<2x64x32xf16>
  %y = mirage_kernel.launch grid(x = 2) (%bw = %w : tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {
    %t = mirage_block.load %bw imap(x -> 1) : tensor<2x64x32xf16> to tensor<2x32x32xf16>
    %r = mirage_block.add %t, %t : (tensor<2x32x32xf16>, tensor<2x32x32xf16>) -> tensor<2x32x32xf16>
    %s = mirage_block.store %r omap(x -> 1) : tensor<2x32x32xf16> to tensor<2x64x32xf16>
    mirage_block.yield %s : tensor<2x64x32xf16>
  }
  return %y : tensor<2x64x32xf16>
}
