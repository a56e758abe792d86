// Scheduled kernels run on the CPU: registers by their layouts, rings of stages, groups of warps that
// share a loop. Every element is within its bound, and no access is a race.

// RUN: mirage-run %s --device=threads --entry=product | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=bf16_stages | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=rmsnorm_linear | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gated_mlp | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attention | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=merged_groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=one_row | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=single_rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=row_means | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=cluster_attention | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=cluster_whole | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=cluster_columns | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// They are what the general lowering computes, with all options of the lowering by the pipeline.
// RUN: mirage-opt %s --mirage-lower-to-thread=schedule=false -o %t.general.mlir
// RUN: mirage-run %s --device=threads --entry=product --kernels=%t.general.mlir | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-thread=threads=64 -o %t.threads.mlir
// RUN: mirage-run %s --device=threads --entry=attention --kernels=%t.threads.mlir | FileCheck %s

// They lower to NVVM.
// RUN: mirage-opt %s --mirage-lower-to-nvvm | FileCheck %s --check-prefix=NVVM
// NVVM: nvvm.mma.sync

// The kernels of what mirage-optimize finds.
// RUN: mirage-opt %s --mirage-optimize=effort=20 -o %t.optimized.mlir
// RUN: mirage-run %t.optimized.mlir --device=threads --entry=plain | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @plain(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %n = mirage_kernel.rms_norm %x epsilon(1.0e-05) : (tensor<16x64xf16>) -> tensor<16x64xf16>
  %p = mirage_kernel.matmul %n, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %o = mirage_kernel.cast %p : tensor<16x32xf32> to tensor<16x32xf16>
  return %o : tensor<16x32xf16>
}

// A schedule is chosen.
func.func @product(%x: tensor<64x128xf16>, %w: tensor<128x96xf16>) -> tensor<64x96xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<64x128xf16>, tensor<128x96xf16>) -> tensor<64x96xf16>
  return %0 : tensor<64x96xf16>
}

// Four stages, two groups of two warps, eleven rows, a right operand that is stored transposed.
func.func @bf16_stages(%x: tensor<22x256xbf16>, %w: tensor<48x256xbf16>) -> tensor<22x48xf32> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%xa = %x : tensor<22x256xbf16>, %wa = %w : tensor<48x256xbf16>) -> tensor<22x48xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 2, stages = 4>} {
    %f = mirage_block.for %i = 0 to 8 -> tensor<11x24xf32> {
      %xt = mirage_block.load %xa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<22x256xbf16> to tensor<11x32xbf16>
      %wt = mirage_block.load %wa imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<48x256xbf16> to tensor<24x32xbf16>
      %p = mirage_block.matmul %xt, %wt transpose_rhs : (tensor<11x32xbf16>, tensor<24x32xbf16>) -> tensor<11x24xf32>
      %a = mirage_block.accumulate sum %p : (tensor<11x24xf32>) -> tensor<11x24xf32>
      mirage_block.yield %a : tensor<11x24xf32>
    }
    %s = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<11x24xf32> to tensor<22x48xf32>
    mirage_block.yield %s : tensor<22x48xf32>
  }
  return %0 : tensor<22x48xf32>
}

// The sum of squares is collected beside the product.
func.func @rmsnorm_linear(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<16x256xf16>, %wa = %w : tensor<256x128xf16>) -> tensor<16x128xf16> {
    %f:2 = mirage_block.for %k = 0 to 4 -> (tensor<16x64xf32>, tensor<16x1xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1) : tensor<16x256xf16> to tensor<16x64xf16>
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<16x64xf16>, tensor<64x64xf16>) -> tensor<16x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %c = mirage_block.cast %xt : tensor<16x64xf16> to tensor<16x64xf32>
      %q = mirage_block.square %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %r = mirage_block.reduce sum %q dim(1) keep : (tensor<16x64xf32>) -> tensor<16x1xf32>
      %ra = mirage_block.accumulate sum %r : (tensor<16x1xf32>) -> tensor<16x1xf32>
      mirage_block.yield %pa, %ra : tensor<16x64xf32>, tensor<16x1xf32>
    }
    %m = mirage_block.scale %f#1 by 3.90625e-03 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %e = mirage_block.constant dense<1.0e-05> : tensor<16x1xf32>
    %s = mirage_block.add %m, %e : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %n = mirage_block.sqrt %s : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %d = mirage_block.div %f#0, %n : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
    %h = mirage_block.cast %d : tensor<16x64xf32> to tensor<16x64xf16>
    %st = mirage_block.store %h omap(x -> 1) : tensor<16x64xf16> to tensor<16x128xf16>
    mirage_block.yield %st : tensor<16x128xf16>
  }
  return %0 : tensor<16x128xf16>
}

// Two products share a tile.
func.func @gated_mlp(%x: tensor<32x128xf16>, %v: tensor<128x64xf16>, %w: tensor<128x64xf16>) -> tensor<32x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<32x128xf16>, %va = %v : tensor<128x64xf16>, %wa = %w : tensor<128x64xf16>) -> tensor<32x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 2, loop_groups = 1, stages = 3>} {
    %f:2 = mirage_block.for %k = 0 to 4 -> (tensor<32x32xf32>, tensor<32x32xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1) : tensor<32x128xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %va imap(x -> 1) fmap(%k -> 0) : tensor<128x64xf16> to tensor<32x32xf16>
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0) : tensor<128x64xf16> to tensor<32x32xf16>
      %p = mirage_block.matmul %xt, %vt : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %q = mirage_block.matmul %xt, %wt : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %qa = mirage_block.accumulate sum %q : (tensor<32x32xf32>) -> tensor<32x32xf32>
      mirage_block.yield %pa, %qa : tensor<32x32xf32>, tensor<32x32xf32>
    }
    %g = mirage_block.silu %f#0 : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %m = mirage_block.mul %g, %f#1 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %h = mirage_block.cast %m : tensor<32x32xf32> to tensor<32x32xf16>
    %st = mirage_block.store %h omap(x -> 1) : tensor<32x32xf16> to tensor<32x64xf16>
    mirage_block.yield %st : tensor<32x64xf16>
  }
  return %0 : tensor<32x64xf16>
}

// Online softmax: the groups' rescaled sums are merged by their maxima.
func.func @attention(%q: tensor<64x32xf16>, %k: tensor<256x32xf16>, %v: tensor<256x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<64x32xf16>, %ka = %k : tensor<256x32xf16>, %va = %v : tensor<256x32xf16>) -> tensor<64x32xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 2, stages = 3>} {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<64x32xf16> to tensor<32x32xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<32x1xf32>, tensor<32x32xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<256x32xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<256x32xf16> to tensor<32x32xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<32x32xf32>) -> tensor<32x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
      %e = mirage_block.exp %d : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<32x32xf32>) -> tensor<32x1xf32>
      %h = mirage_block.cast %e : tensor<32x32xf32> to tensor<32x32xf16>
      %o = mirage_block.matmul %h, %vt : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %la = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
      %oa = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
      mirage_block.yield %la, %oa : tensor<32x1xf32>, tensor<32x32xf32>
    }
    %r = mirage_block.div %f#1, %f#0 : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
    %c = mirage_block.cast %r : tensor<32x32xf32> to tensor<32x32xf16>
    %st = mirage_block.store %c omap(x -> 0) : tensor<32x32xf16> to tensor<64x32xf16>
    mirage_block.yield %st : tensor<64x32xf16>
  }
  return %0 : tensor<64x32xf16>
}

// A sum, a maximum and a sum of what all iterations share, by four groups.
func.func @merged_groups(%x: tensor<16x256xf16>, %y: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>) {
  %0:3 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x256xf16>, %ya = %y : tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 4, stages = 2>} {
    %f:3 = mirage_block.for %i = 0 to 8 -> (tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>) {
      %t = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<16x256xf16> to tensor<16x32xf16>
      %u = mirage_block.load %ya imap(x -> phi) fmap(%i -> phi) : tensor<16x32xf32> to tensor<16x32xf32>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<16x32xf16>) -> tensor<16x1xf16>
      %sa = mirage_block.accumulate sum %t : (tensor<16x32xf16>) -> tensor<16x32xf32>
      %ma = mirage_block.accumulate max %m : (tensor<16x1xf16>) -> tensor<16x1xf16>
      %ua = mirage_block.accumulate sum %u : (tensor<16x32xf32>) -> tensor<16x32xf32>
      mirage_block.yield %sa, %ma, %ua : tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>
    }
    %s0 = mirage_block.store %f#0 omap(x -> phi) : tensor<16x32xf32> to tensor<16x32xf32>
    %s1 = mirage_block.store %f#1 omap(x -> phi) : tensor<16x1xf16> to tensor<16x1xf16>
    %s2 = mirage_block.store %f#2 omap(x -> phi) : tensor<16x32xf32> to tensor<16x32xf32>
    mirage_block.yield %s0, %s1, %s2 : tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<16x32xf32>, tensor<16x1xf16>, tensor<16x32xf32>
}

// A fragment has places for eight rows. The product is rounded where it lies.
func.func @one_row(%x: tensor<1x64xf16>, %w: tensor<64x32xf16>) -> tensor<1x32xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<1x64xf16>, %wa = %w : tensor<64x32xf16>) -> tensor<1x32xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 2, loop_groups = 1, stages = 2>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<1x64xf16> to tensor<1x64xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %p = mirage_block.matmul %xt, %wt : (tensor<1x64xf16>, tensor<64x32xf16>) -> tensor<1x32xf16>
    %s = mirage_block.store %p omap(x -> phi) : tensor<1x32xf16> to tensor<1x32xf16>
    mirage_block.yield %s : tensor<1x32xf16>
  }
  return %0 : tensor<1x32xf16>
}

// Of three products of one row, none's places beyond the row are another one's row.
func.func @single_rows(%x: tensor<3x1x32xf16>, %w: tensor<3x32x16xf16>) -> tensor<3x1x16xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<3x1x32xf16>, %wa = %w : tensor<3x32x16xf16>) -> tensor<3x1x16xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 1, stages = 2>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<3x1x32xf16> to tensor<3x1x32xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<3x32x16xf16> to tensor<3x32x16xf16>
    %p = mirage_block.matmul %xt, %wt : (tensor<3x1x32xf16>, tensor<3x32x16xf16>) -> tensor<3x1x16xf32>
    %s = mirage_block.store %p omap(x -> phi) : tensor<3x1x16xf32> to tensor<3x1x16xf32>
    mirage_block.yield %s : tensor<3x1x16xf32>
  }
  return %0 : tensor<3x1x16xf32>
}

// The 24 rows of a product have 32 places; without the columns they still do.
func.func @row_means(%x: tensor<24x32xf16>, %w: tensor<32x40xf16>) -> tensor<24xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<24x32xf16>, %wa = %w : tensor<32x40xf16>) -> tensor<24xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<24x32xf16> to tensor<24x32xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<32x40xf16> to tensor<32x40xf16>
    %p = mirage_block.matmul %xt, %wt : (tensor<24x32xf16>, tensor<32x40xf16>) -> tensor<24x40xf32>
    %m = mirage_block.reduce mean %p dim(1) : (tensor<24x40xf32>) -> tensor<24xf32>
    %s = mirage_block.store %m omap(x -> phi) : tensor<24xf32> to tensor<24xf32>
    mirage_block.yield %s : tensor<24xf32>
  }
  return %0 : tensor<24xf32>
}

// Two groups in each of two blocks of a cluster, and each block divides and stores half of the rows.
func.func @cluster_attention(%q: tensor<64x32xf16>, %k: tensor<256x32xf16>, %v: tensor<256x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<64x32xf16>, %ka = %k : tensor<256x32xf16>, %va = %v : tensor<256x32xf16>) -> tensor<64x32xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 2, stages = 3, cluster_blocks = 2>} {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<64x32xf16> to tensor<32x32xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<32x1xf32>, tensor<32x32xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<256x32xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<256x32xf16> to tensor<32x32xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<32x32xf32>) -> tensor<32x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
      %e = mirage_block.exp %d : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<32x32xf32>) -> tensor<32x1xf32>
      %h = mirage_block.cast %e : tensor<32x32xf32> to tensor<32x32xf16>
      %o = mirage_block.matmul %h, %vt : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
      %la = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xf32>
      %oa = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
      mirage_block.yield %la, %oa : tensor<32x1xf32>, tensor<32x32xf32>
    }
    %r = mirage_block.div %f#1, %f#0 : (tensor<32x32xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
    %c = mirage_block.cast %r : tensor<32x32xf32> to tensor<32x32xf16>
    %st = mirage_block.store %c omap(x -> 0) : tensor<32x32xf16> to tensor<64x32xf16>
    mirage_block.yield %st : tensor<64x32xf16>
  }
  return %0 : tensor<64x32xf16>
}

// Two blocks do not divide eleven rows or 24 columns: both have all sums, and one stores them.
func.func @cluster_whole(%x: tensor<22x256xbf16>, %w: tensor<48x256xbf16>) -> tensor<22x48xf32> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%xa = %x : tensor<22x256xbf16>, %wa = %w : tensor<48x256xbf16>) -> tensor<22x48xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 2, stages = 4, cluster_blocks = 2>} {
    %f = mirage_block.for %i = 0 to 8 -> tensor<11x24xf32> {
      %xt = mirage_block.load %xa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<22x256xbf16> to tensor<11x32xbf16>
      %wt = mirage_block.load %wa imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<48x256xbf16> to tensor<24x32xbf16>
      %p = mirage_block.matmul %xt, %wt transpose_rhs : (tensor<11x32xbf16>, tensor<24x32xbf16>) -> tensor<11x24xf32>
      %a = mirage_block.accumulate sum %p : (tensor<11x24xf32>) -> tensor<11x24xf32>
      mirage_block.yield %a : tensor<11x24xf32>
    }
    %s = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<11x24xf32> to tensor<22x48xf32>
    mirage_block.yield %s : tensor<22x48xf32>
  }
  return %0 : tensor<22x48xf32>
}

// Of one row, each block has half of the columns, also of a tile that was loaded before the loop.
func.func @cluster_columns(%x: tensor<1x128xf16>, %v: tensor<128x64xf16>, %w: tensor<128x64xf16>, %b: tensor<1x64xf32>) -> tensor<1x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<1x128xf16>, %va = %v : tensor<128x64xf16>, %wa = %w : tensor<128x64xf16>, %ba = %b : tensor<1x64xf32>) -> tensor<1x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 2, loop_groups = 1, stages = 3, cluster_blocks = 2>} {
    %bt = mirage_block.load %ba imap(x -> 1) : tensor<1x64xf32> to tensor<1x32xf32>
    %be = mirage_block.exp %bt : (tensor<1x32xf32>) -> tensor<1x32xf32>
    %f:2 = mirage_block.for %k = 0 to 4 -> (tensor<1x32xf32>, tensor<1x32xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1) : tensor<1x128xf16> to tensor<1x32xf16>
      %vt = mirage_block.load %va imap(x -> 1) fmap(%k -> 0) : tensor<128x64xf16> to tensor<32x32xf16>
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0) : tensor<128x64xf16> to tensor<32x32xf16>
      %p = mirage_block.matmul %xt, %vt : (tensor<1x32xf16>, tensor<32x32xf16>) -> tensor<1x32xf32>
      %q = mirage_block.matmul %xt, %wt : (tensor<1x32xf16>, tensor<32x32xf16>) -> tensor<1x32xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<1x32xf32>) -> tensor<1x32xf32>
      %qa = mirage_block.accumulate sum %q : (tensor<1x32xf32>) -> tensor<1x32xf32>
      mirage_block.yield %pa, %qa : tensor<1x32xf32>, tensor<1x32xf32>
    }
    %g = mirage_block.silu %f#0 : (tensor<1x32xf32>) -> tensor<1x32xf32>
    %n = mirage_block.add %f#1, %be : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
    %m = mirage_block.mul %g, %n : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
    %h = mirage_block.cast %m : tensor<1x32xf32> to tensor<1x32xf16>
    %st = mirage_block.store %h omap(x -> 1) : tensor<1x32xf16> to tensor<1x64xf16>
    mirage_block.yield %st : tensor<1x64xf16>
  }
  return %0 : tensor<1x64xf16>
}

}
