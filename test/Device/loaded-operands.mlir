// What is computed behind a product of it and of loaded tiles: the tiles are loaded in the layout of the product's sums,
// which stay in their registers, also where operators stand between the load and the sums. With a GPU,
// scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=rotation | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=residual | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=biased | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=shared_parts | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {
// Halves of a head are rotated, by numbers that lie in other dimensions; blocks stay for two of the grid.
// THREAD-LABEL: gpu.func @rotation_0_launch
// THREAD: scf.yield {{.*}} : tensor<1x128x128xf32
// THREAD-NOT: store_fragment {{.*}}f32, {{.*}}workgroup
// THREAD: mirage_thread.exchange_lanes
func.func @rotation(%x: tensor<256x512xf16>, %w: tensor<4x2x64x512xf16>, %c: tensor<1x256x64xf16>, %s: tensor<1x256x64xf16>) -> (tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>) {
  %0:2 = mirage_kernel.launch grid(x = 2, y = 4) (%a = %x : tensor<256x512xf16>, %b = %w : tensor<4x2x64x512xf16>, %p = %c : tensor<1x256x64xf16>, %q = %s : tensor<1x256x64xf16>) -> (tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 4, bulk_copies = true, persistent_blocks = 4, worker_registers = 232>} {
    %cosine = mirage_block.load %p imap(x -> 1, y -> phi) : tensor<1x256x64xf16> to tensor<1x128x64xf16>
    %sine = mirage_block.load %q imap(x -> 1, y -> phi) : tensor<1x256x64xf16> to tensor<1x128x64xf16>
    %f = mirage_block.for %i = 0 to 8 -> tensor<128x128xf32> {
      %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x512xf16> to tensor<128x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 3) : tensor<4x2x64x512xf16> to tensor<1x2x64x64xf16>
      %r = mirage_block.reshape %k : tensor<1x2x64x64xf16> to tensor<128x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<128x128xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<128x128xf32>) -> tensor<128x128xf32>
      mirage_block.yield %sum : tensor<128x128xf32>
    }
    %h = mirage_block.reshape %f : tensor<128x128xf32> to tensor<128x1x2x64xf32>
    %h0 = mirage_block.slice %h[0, 0, 0, 0] [128, 1, 1, 64] [1, 1, 1, 1] : (tensor<128x1x2x64xf32>) -> tensor<128x1x1x64xf32>
    %h1 = mirage_block.slice %h[0, 0, 1, 0] [128, 1, 1, 64] [1, 1, 1, 1] : (tensor<128x1x2x64xf32>) -> tensor<128x1x1x64xf32>
    %rc = mirage_block.reshape %cosine : tensor<1x128x64xf16> to tensor<128x1x1x64xf16>
    %cc = mirage_block.cast %rc : tensor<128x1x1x64xf16> to tensor<128x1x1x64xf32>
    %rs = mirage_block.reshape %sine : tensor<1x128x64xf16> to tensor<128x1x1x64xf16>
    %cs = mirage_block.cast %rs : tensor<128x1x1x64xf16> to tensor<128x1x1x64xf32>
    %m0 = mirage_block.mul %cc, %h0 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %m1 = mirage_block.mul %cs, %h1 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %m2 = mirage_block.mul %cc, %h1 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %m3 = mirage_block.mul %cs, %h0 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %d = mirage_block.sub %m0, %m1 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %e = mirage_block.add %m2, %m3 : (tensor<128x1x1x64xf32>, tensor<128x1x1x64xf32>) -> tensor<128x1x1x64xf32>
    %dr = mirage_block.reshape %d : tensor<128x1x1x64xf32> to tensor<1x1x128x64xf32>
    %dc = mirage_block.cast %dr : tensor<1x1x128x64xf32> to tensor<1x1x128x64xf16>
    %er = mirage_block.reshape %e : tensor<128x1x1x64xf32> to tensor<1x1x128x64xf32>
    %ec = mirage_block.cast %er : tensor<1x1x128x64xf32> to tensor<1x1x128x64xf16>
    %s0 = mirage_block.store %dc omap(x -> 2, y -> 1) : tensor<1x1x128x64xf16> to tensor<1x4x256x64xf16>
    %s1 = mirage_block.store %ec omap(x -> 2, y -> 1) : tensor<1x1x128x64xf16> to tensor<1x4x256x64xf16>
    mirage_block.yield %s0, %s1 : tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>
  }
  return %0#0, %0#1 : tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>
}

// The sum that is loaded comes first, and is moved behind its cast.
// THREAD-LABEL: gpu.func @residual_0_launch
// THREAD: scf.yield {{.*}} : tensor<1x64x64xf32
// THREAD-NOT: store_fragment {{.*}}f32, {{.*}}workgroup
// THREAD: mirage_thread.exchange_lanes
func.func @residual(%x: tensor<128x256xf16>, %w: tensor<128x256xf16>, %y: tensor<128x128xf16>) -> tensor<1x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%a = %x : tensor<128x256xf16>, %b = %w : tensor<128x256xf16>, %p = %y : tensor<128x128xf16>) -> tensor<1x128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %t = mirage_block.load %p imap(x -> 1, y -> 0) : tensor<128x128xf16> to tensor<64x64xf16>
    %tc = mirage_block.cast %t : tensor<64x64xf16> to tensor<64x64xf32>
    %ts = mirage_block.scale %tc by 5.000000e-01 : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %tt = mirage_block.transpose %ts [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %tr = mirage_block.reshape %tt : tensor<64x64xf32> to tensor<1x64x64xf32>
    %f = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %r = mirage_block.reshape %f : tensor<64x64xf32> to tensor<1x64x64xf32>
    %n = mirage_block.add %tr, %r : (tensor<1x64x64xf32>, tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %n : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %s = mirage_block.store %c omap(x -> 1, y -> 2) : tensor<1x64x64xf16> to tensor<1x128x128xf16>
    mirage_block.yield %s : tensor<1x128x128xf16>
  }
  return %0 : tensor<1x128x128xf16>
}

// A number for each column and a constant, by mma.sync, in groups of warps that share the iterations.
// THREAD-LABEL: gpu.func @biased_0_launch
func.func @biased(%x: tensor<32x256xf16>, %w: tensor<64x256xf16>, %v: tensor<1x64xf16>, %y: tensor<32x64xf16>) -> tensor<32x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<32x256xf16>, %b = %w : tensor<64x256xf16>, %p = %v : tensor<1x64xf16>, %q = %y : tensor<32x64xf16>) -> tensor<32x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 2, stages = 2>} {
    %u = mirage_block.load %p imap(x -> 1) : tensor<1x64xf16> to tensor<1x32xf16>
    %t = mirage_block.load %q imap(x -> 1) : tensor<32x64xf16> to tensor<32x32xf16>
    %one = mirage_block.constant dense<1.0> : tensor<1x1xf16>
    %uu = mirage_block.add %u, %one : (tensor<1x32xf16>, tensor<1x1xf16>) -> tensor<1x32xf16>
    %tu = mirage_block.mul %t, %uu : (tensor<32x32xf16>, tensor<1x32xf16>) -> tensor<32x32xf16>
    %tc = mirage_block.cast %tu : tensor<32x32xf16> to tensor<32x32xf32>
    %f = mirage_block.for %i = 0 to 4 -> tensor<32x32xf32> {
      %l = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<32x256xf16> to tensor<32x64xf16>
      %k = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<64x256xf16> to tensor<32x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<32x64xf16>, tensor<32x64xf16>) -> tensor<32x32xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<32x32xf32>) -> tensor<32x32xf32>
      mirage_block.yield %sum : tensor<32x32xf32>
    }
    %n = mirage_block.sub %tc, %f : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %c = mirage_block.cast %n : tensor<32x32xf32> to tensor<32x32xf16>
    %s = mirage_block.store %c omap(x -> 1) : tensor<32x32xf16> to tensor<32x64xf16>
    mirage_block.yield %s : tensor<32x64xf16>
  }
  return %0 : tensor<32x64xf16>
}

// Each block of a cluster goes on with its own rows, and loads those of the residual.
func.func @shared_parts(%x: tensor<128x256xf16>, %w: tensor<128x256xf16>, %y: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%a = %x : tensor<128x256xf16>, %b = %w : tensor<128x256xf16>, %p = %y : tensor<128x128xf16>) -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, cluster_blocks = 2>} {
    %t = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<128x128xf16> to tensor<64x64xf16>
    %tc = mirage_block.cast %t : tensor<64x64xf16> to tensor<64x64xf32>
    %f = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %n = mirage_block.add %tc, %f : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = mirage_block.cast %n : tensor<64x64xf32> to tensor<64x64xf16>
    %s = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %s : tensor<128x128xf16>
  }
  return %0 : tensor<128x128xf16>
}

// With its residual, there is room for one of the 256 blocks on a multiprocessor, which has two warpgroups.
// SCHEDULE-LABEL: func.func @alone
// SCHEDULE: mirage.schedule = #mirage.schedule<row_warps = 8, {{.*}}wgmma = true
func.func @alone(%x: tensor<1024x4096xf16>, %w: tensor<4096x4096xf16>, %y: tensor<1024x4096xf32>) -> tensor<1024x4096xf16> {
  %0 = mirage_kernel.launch grid(x = 8, y = 32) (%a = %x : tensor<1024x4096xf16>, %b = %w : tensor<4096x4096xf16>, %p = %y : tensor<1024x4096xf32>) -> tensor<1024x4096xf16> {
    %t = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<1024x4096xf32> to tensor<128x128xf32>
    %f = mirage_block.for %i = 0 to 32 -> tensor<128x128xf32> {
      %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1024x4096xf16> to tensor<128x128xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<128x128xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<128x128xf16>, tensor<128x128xf16>) -> tensor<128x128xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<128x128xf32>) -> tensor<128x128xf32>
      mirage_block.yield %sum : tensor<128x128xf32>
    }
    %n = mirage_block.add %t, %f : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %c = mirage_block.cast %n : tensor<128x128xf32> to tensor<128x128xf16>
    %s = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<128x128xf16> to tensor<1024x4096xf16>
    mirage_block.yield %s : tensor<1024x4096xf16>
  }
  return %0 : tensor<1024x4096xf16>
}
}
