// Tiles that the copy engine brings to their stages, swizzled as wgmma reads them, while the warps that load only ask for
// them. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=plain | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=transposed | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=half_chunks | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=quarter_chunks | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=clipped | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=long | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=large | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=batches | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=unaligned | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// A tensor map is a parameter itself.
// PTX: .visible .entry plain_0_launch(
// PTX: .param .align 64 .b8 plain_0_launch_param_3[128]
// PTX: mbarrier.expect_tx.relaxed.cta.shared.b64
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

// MANIFEST: "name": "clipped_0_launch"
// MANIFEST: "tensor_maps": [
// MANIFEST: "buffer": "input0",
// MANIFEST-NEXT: "type": "f16",
// MANIFEST-NEXT: "shape": [100,488],
// MANIFEST-NEXT: "strides": [976,2],
// MANIFEST-NEXT: "box": [64,64]
// MANIFEST: "reads": ["input0","input1"],

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Two chunks of 64 columns of each operand.
// THREAD-LABEL: gpu.func @plain_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 128] {{.*}} box = [64, 64]>
// THREAD: bulk_copy {{.*}} sizes [128, 64] {{.*}} box = [128, 64]>
func.func @plain(%a: tensor<128x512xf16>, %b: tensor<512x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%l = %a : tensor<128x512xf16>, %r = %b : tensor<512x128xf16>) -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x128xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<512x128xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %w : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Both operands are transposed.
// THREAD-LABEL: gpu.func @transposed_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
func.func @transposed(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%l = %a : tensor<256x128xf16>, %r = %b : tensor<128x256xf16>) -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %w : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Chunks of 32 elements, whose pieces are exchanged in 64 bytes.
// THREAD-LABEL: gpu.func @half_chunks_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 32] {{.*}} box = [64, 32]>
// THREAD: bulk_copy {{.*}} sizes [32, 32] {{.*}} box = [32, 32]>
func.func @half_chunks(%a: tensor<64x256xf16>, %b: tensor<64x256xf16>) -> tensor<64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%l = %a : tensor<64x256xf16>, %r = %b : tensor<64x256xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 8 -> tensor<64x32xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x32xf16>
      %y = mirage_block.load %r imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<32x32xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x32xf32>) -> tensor<64x32xf32>
      mirage_block.yield %t : tensor<64x32xf32>
    }
    %c = mirage_block.cast %s : tensor<64x32xf32> to tensor<64x32xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x32xf16> to tensor<64x64xf16>
    mirage_block.yield %w : tensor<64x64xf16>
  }
  return %o : tensor<64x64xf16>
}

// Chunks of 16 elements, whose pieces are exchanged in 32 bytes.
// THREAD-LABEL: gpu.func @quarter_chunks_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 16] {{.*}} box = [64, 16]>
// THREAD: bulk_copy {{.*}} sizes [16, 16] {{.*}} box = [16, 16]>
func.func @quarter_chunks(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xbf16> {
  %o = mirage_kernel.launch grid(x = 4, y = 1) (%l = %a : tensor<64x128xbf16>, %r = %b : tensor<128x64xbf16>) -> tensor<64x64xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 8 -> tensor<64x16xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x128xbf16> to tensor<64x16xbf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<128x64xbf16> to tensor<16x16xbf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x16xbf16>, tensor<16x16xbf16>) -> tensor<64x16xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %t : tensor<64x16xf32>
    }
    %c = mirage_block.cast %s : tensor<64x16xf32> to tensor<64x16xbf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x16xbf16> to tensor<64x64xbf16>
    mirage_block.yield %w : tensor<64x64xbf16>
  }
  return %o : tensor<64x64xbf16>
}

// Rows, columns and what is contracted end before the tiles do: what lies beyond is zeros.
// THREAD-LABEL: gpu.func @clipped_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
func.func @clipped(%a: tensor<100x488xf16>, %b: tensor<72x488xf16>) -> tensor<128x128xf16> {
  %ap = mirage_kernel.pad %a low [0, 0] high [28, 24] value(0.0) : (tensor<100x488xf16>) -> tensor<128x512xf16>
  %bp = mirage_kernel.pad %b low [0, 0] high [56, 24] value(0.0) : (tensor<72x488xf16>) -> tensor<128x512xf16>
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%l = %ap : tensor<128x512xf16>, %r = %bp : tensor<128x512xf16>) -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %w : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// More rows than one instruction brings.
// THREAD-LABEL: gpu.func @long_0_launch
// THREAD: bulk_copy {{.*}} sizes [512, 64] {{.*}} box = [256, 64]>
// THREAD: bulk_copy {{.*}} sizes [512, 16] {{.*}} box = [256, 16]>
func.func @long(%a: tensor<2048x64xf16>, %b: tensor<2048x32xf16>) -> tensor<64x32xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%l = %a : tensor<2048x64xf16>, %r = %b : tensor<2048x32xf16>) -> tensor<64x32xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<64x16xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<2048x64xf16> to tensor<512x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<2048x32xf16> to tensor<512x16xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs : (tensor<512x64xf16>, tensor<512x16xf16>) -> tensor<64x16xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %t : tensor<64x16xf32>
    }
    %c = mirage_block.cast %s : tensor<64x16xf32> to tensor<64x16xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x16xf16> to tensor<64x32xf16>
    mirage_block.yield %w : tensor<64x32xf16>
  }
  return %o : tensor<64x32xf16>
}

// A tile of 256 x 128, whose sums fill the registers of two warpgroups.
// THREAD-LABEL: gpu.func @large_0_launch
// THREAD: bulk_copy {{.*}} sizes [256, 64] {{.*}} box = [256, 64]>
// THREAD: bulk_copy {{.*}} sizes [64, 128] {{.*}} box = [64, 64]>
func.func @large(%a: tensor<256x256xf16>, %b: tensor<256x128xf16>) -> tensor<256x128xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 1) (%l = %a : tensor<256x256xf16>, %r = %b : tensor<256x128xf16>) -> tensor<256x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<256x128xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<256x256xf16> to tensor<256x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x128xf16>
      %p = mirage_block.matmul %x, %y : (tensor<256x64xf16>, tensor<64x128xf16>) -> tensor<256x128xf32>
      %t = mirage_block.accumulate sum %p : (tensor<256x128xf32>) -> tensor<256x128xf32>
      mirage_block.yield %t : tensor<256x128xf32>
    }
    %c = mirage_block.cast %s : tensor<256x128xf32> to tensor<256x128xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<256x128xf16> to tensor<256x128xf16>
    mirage_block.yield %w : tensor<256x128xf16>
  }
  return %o : tensor<256x128xf16>
}

// Each group of warps has its own stages, and a cluster shares the iterations.
// THREAD-LABEL: gpu.func @groups_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
func.func @groups(%a: tensor<64x1024xf16>, %b: tensor<1024x128xf16>) -> tensor<64x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%l = %a : tensor<64x1024xf16>, %r = %b : tensor<1024x128xf16>) -> tensor<64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, cluster_blocks = 2, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 16 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<1024x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<64x128xf16>
    mirage_block.yield %w : tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}

// A third dimension, of which each block has one index.
// THREAD-LABEL: gpu.func @batches_0_launch
// THREAD: bulk_copy {{.*}} sizes [1, 64, 64] {{.*}} box = [1, 64, 64]>
// THREAD: bulk_copy {{.*}} sizes [1, 64, 64] {{.*}} box = [1, 64, 64]>
func.func @batches(%a: tensor<3x64x256xf16>, %b: tensor<3x64x256xf16>) -> tensor<3x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 1, z = 3) (%l = %a : tensor<3x64x256xf16>, %r = %b : tensor<3x64x256xf16>) -> tensor<3x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<1x64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 1, z -> 0) fmap(%i -> 2) : tensor<3x64x256xf16> to tensor<1x64x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi, z -> 0) fmap(%i -> 2) : tensor<3x64x256xf16> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %t : tensor<1x64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 2, y -> 1, z -> 0) : tensor<1x64x64xf16> to tensor<3x64x64xf16>
    mirage_block.yield %w : tensor<3x64x64xf16>
  }
  return %o : tensor<3x64x64xf16>
}

// Rows of the left operand begin anywhere, and come by way of the loader's registers.
// THREAD-LABEL: gpu.func @unaligned_0_launch
// THREAD: bulk_copy {{.*}} sizes [64, 64] {{.*}} box = [64, 64]>
// THREAD: load_fragment %arg0
func.func @unaligned(%a: tensor<64x509xf16>, %b: tensor<509x64xf16>) -> tensor<64x64xf16> {
  %ap = mirage_kernel.pad %a low [0, 0] high [0, 3] value(0.0) : (tensor<64x509xf16>) -> tensor<64x512xf16>
  %bp = mirage_kernel.pad %b low [0, 0] high [3, 0] value(0.0) : (tensor<509x64xf16>) -> tensor<512x64xf16>
  %o = mirage_kernel.launch grid(x = 1, y = 1) (%l = %ap : tensor<64x512xf16>, %r = %bp : tensor<512x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, bulk_copies = true>} {
    %s = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x512xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<512x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %w : tensor<64x64xf16>
  }
  return %o : tensor<64x64xf16>
}
}
