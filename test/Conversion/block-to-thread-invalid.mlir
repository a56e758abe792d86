// RUN: mirage-opt %s --convert-mirage-block-to-thread -split-input-file -verify-diagnostics

func.func @mixed(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{this operation of mirage_kernel is in the function}}
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'arith.addf' op cannot be lowered: a function of mirage_kernel operations holds nothing else}}
  %1 = arith.addf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'mirage_kernel.softmax' op is composite; run mirage-decompose-composites first}}
  %0 = mirage_kernel.softmax %x dim(0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @composite_in_a_block(%x: tensor<4xf32>) -> tensor<4xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4xf32> to tensor<4xf32>
    // expected-error @+1 {{'mirage_block.softmax' op is composite; run mirage-decompose-composites first}}
    %u = mirage_block.softmax %t dim(0) : (tensor<4xf32>) -> tensor<4xf32>
    %s = mirage_block.store %u omap(x -> 0) : tensor<4xf32> to tensor<4xf32>
    mirage_block.yield %s : tensor<4xf32>
  }
  return %o : tensor<4xf32>
}

// -----

func.func @reduced(%x: tensor<4xf32>) -> tensor<2xf32> {
  %o = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<4xf32>) -> tensor<2xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<4xf32> to tensor<2xf32>
    // expected-error @+1 {{'mirage_block.store' op reduces over blocks; run mirage-expand-reduced-stores first}}
    %s = mirage_block.store %t omap(x -> sum) : tensor<2xf32> to tensor<2xf32>
    mirage_block.yield %s : tensor<2xf32>
  }
  return %o : tensor<2xf32>
}

// -----

// expected-error @+1 {{has an argument of type 'index'; a kernel graph takes and returns ranked tensors}}
func.func @argument(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A schedule that somebody wrote is obeyed or refused.
func.func @schedule(%x: tensor<64x64xf64>, %w: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<64x64xf64>, %wa = %w : tensor<64x64xf64>) -> tensor<64x64xf64> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf64> to tensor<16x64xf64>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x64xf64> to tensor<64x64xf64>
    // expected-error @+1 {{multiplies elements that are not of f16, bf16 or f32; so its launch cannot be executed by a mirage.schedule}}
    %p = mirage_block.matmul %xt, %wt : (tensor<16x64xf64>, tensor<64x64xf64>) -> tensor<16x64xf64>
    %st = mirage_block.store %p omap(x -> 0) : tensor<16x64xf64> to tensor<64x64xf64>
    mirage_block.yield %st : tensor<64x64xf64>
  }
  return %0 : tensor<64x64xf64>
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @schedule_memory(%x: tensor<64x8192xf16>) -> tensor<64x1xf16> {
  // expected-error @+1 {{bytes of shared memory by its mirage.schedule; a block of sm_90a has 232448}}
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x8192xf16>) -> tensor<64x1xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 8>} {
    %f = mirage_block.for %i = 0 to 16 -> tensor<64x1xf16> {
      %t = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<64x8192xf16> to tensor<64x512xf16>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<64x512xf16>) -> tensor<64x1xf16>
      %a = mirage_block.accumulate max %m : (tensor<64x1xf16>) -> tensor<64x1xf16>
      mirage_block.yield %a : tensor<64x1xf16>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<64x1xf16> to tensor<64x1xf16>
    mirage_block.yield %st : tensor<64x1xf16>
  }
  return %0 : tensor<64x1xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
func.func @schedule_clusters(%x: tensor<64x128xf16>) -> tensor<64x1xf16> {
  // expected-error @+1 {{has a mirage.schedule with a cluster of 2 blocks; sm_80 has no clusters}}
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x128xf16>) -> tensor<64x1xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %f = mirage_block.for %i = 0 to 4 -> tensor<64x1xf16> {
      %t = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<64x128xf16> to tensor<64x32xf16>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<64x32xf16>) -> tensor<64x1xf16>
      %a = mirage_block.accumulate max %m : (tensor<64x1xf16>) -> tensor<64x1xf16>
      mirage_block.yield %a : tensor<64x1xf16>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<64x1xf16> to tensor<64x1xf16>
    mirage_block.yield %st : tensor<64x1xf16>
  }
  return %0 : tensor<64x1xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
func.func @wgmma_target(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf32> {
  // expected-error @+1 {{has a mirage.schedule with wgmma, which sm_80 does not have}}
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<64x64xf16>) -> tensor<64x64xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
    %st = mirage_block.store %p omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    mirage_block.yield %st : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @wgmma_rows(%x: tensor<32x64xf16>, %w: tensor<64x64xf16>) -> tensor<32x64xf32> {
  // expected-error @+1 {{has a mirage.schedule with wgmma and no product whose rows fill its warpgroups}}
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<32x64xf16>, %wa = %w : tensor<64x64xf16>) -> tensor<32x64xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<32x64xf16> to tensor<32x64xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %p = mirage_block.matmul %xt, %wt : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
    %st = mirage_block.store %p omap(x -> phi) : tensor<32x64xf32> to tensor<32x64xf32>
    mirage_block.yield %st : tensor<32x64xf32>
  }
  return %0 : tensor<32x64xf32>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
func.func @loader_of_old_target(%x: tensor<64x64xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has a mirage.schedule with warps that only load; sm_80 has no mbarrier.try_wait}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x64xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 1>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<64x16xf32> {
      %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<64x64xf32> to tensor<64x16xf32>
      %c = mirage_block.accumulate sum %t : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %c : tensor<64x16xf32>
    }
    %r = mirage_block.store %s omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @loader_without_loop(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has a mirage.schedule with warps that load the tiles of loops, and no loop that loads any (schedule_c6)}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x16xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 1>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    %r = mirage_block.store %t omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @nothing_to_prepare(%a: tensor<32x64xf16>, %b: tensor<64x32xf16>) -> tensor<32x32xf32> {
  // expected-error @+1 {{has a mirage.schedule with warps that prepare operands, and no product whose operand can be prepared (schedule_c7)}}
  %0 = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<32x64xf16>, %ba = %b : tensor<64x32xf16>) -> tensor<32x32xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 1, loader_prepares = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<32x32xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<32x64xf16> to tensor<32x16xf16>
      %y = mirage_block.load %ba imap(x -> phi) fmap(%i -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
      %z = mirage_block.silu %x : (tensor<32x16xf16>) -> tensor<32x16xf16>
      %p = mirage_block.matmul %z, %y : (tensor<32x16xf16>, tensor<16x32xf16>) -> tensor<32x32xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x32xf32>) -> tensor<32x32xf32>
      mirage_block.yield %s : tensor<32x32xf32>
    }
    %r = mirage_block.store %sum omap(x -> phi) : tensor<32x32xf32> to tensor<32x32xf32>
    mirage_block.yield %r : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}
}

// -----

// The mask is an input, of which nobody knows the elements.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @no_mask(%x: tensor<64x16xf32>, %m: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has a mirage.schedule with masks that are computed of indices, and loads no such mask (schedule_c9)}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x16xf32>, %b = %m : tensor<64x16xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, index_masks = true>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    %u = mirage_block.load %b imap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    %s = mirage_block.add %t, %u : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %r = mirage_block.store %s omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @persistent_without_loop(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has a mirage.schedule with persistent blocks, and not one loop, which puts no tiles together (schedule_c10)}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x16xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 1, persistent_blocks = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    %r = mirage_block.store %t omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}
}

// -----

// The right operand of the second product is one of the first one, too.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @deferred_without_tile_of_its_own(%q: tensor<64x64xf16>, %k: tensor<256x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%ql = %q : tensor<64x64xf16>, %kl = %k : tensor<256x64xf16>) -> tensor<64x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %a = mirage_block.load %ql imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    // expected-error @+1 {{has a mirage.schedule with deferred products, and sums up no product by wgmma whose left operand is made of another one and of which nothing else takes the right one (schedule_c12)}}
    %r = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %b = mirage_block.load %kl imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %s = mirage_block.matmul %a, %b transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %h = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
      %p = mirage_block.matmul %h, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %r : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %w : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}

// -----

// The sums of the rows are a result, too: they are added up as they are.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @sums_that_are_stored(%p: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x1xf32>) {
  // expected-error @+1 {{has a mirage.schedule with products that add up rows, and no loop with a product by wgmma of 16, 32 or 64 columns, row-major, whose sums alone are divided by those of its left operand's rows, exponentials relative to a running maximum (schedule_c15)}}
  %0:2 = mirage_kernel.launch grid(x = 1) (%pl = %p : tensor<64x256xf16>, %vl = %v : tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x1xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, product_sums = true>} {
    %r:2 = mirage_block.for %i = 0 to 4 -> (tensor<64x64xf32>, tensor<64x1xf32>) {
      %x = mirage_block.load %pl imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %vl imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %w = mirage_block.cast %x : tensor<64x64xf16> to tensor<64x64xf32>
      %e = mirage_block.exp %w : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = mirage_block.reduce sum %e dim(1) keep : (tensor<64x64xf32>) -> tensor<64x1xf32>
      %h = mirage_block.cast %e : tensor<64x64xf32> to tensor<64x64xf16>
      %m = mirage_block.matmul %h, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %b = mirage_block.accumulate sum %t : (tensor<64x1xf32>) -> tensor<64x1xf32>
      mirage_block.yield %a, %b : tensor<64x64xf32>, tensor<64x1xf32>
    }
    %q = mirage_block.div %r#0, %r#1 : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
    %0 = mirage_block.store %q omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    %1 = mirage_block.store %r#1 omap(x -> phi) : tensor<64x1xf32> to tensor<64x1xf32>
    mirage_block.yield %0, %1 : tensor<64x64xf32>, tensor<64x1xf32>
  }
  return %0#0, %0#1 : tensor<64x64xf32>, tensor<64x1xf32>
}
}

// -----

// Terms without a shift may all be smaller than what f16 has: their sum would be zero where the product's is.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @without_shift(%q: tensor<2x64x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x64x64xf16> {
  // expected-error @+1 {{has a mirage.schedule with products that add up rows, and no loop with a product by wgmma of 16, 32 or 64 columns, row-major, whose sums alone are divided by those of its left operand's rows, exponentials relative to a running maximum (schedule_c15)}}
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%ql = %q : tensor<2x64x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.sigmoid %scaled : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate sum %sum : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate sum %pv : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %y : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %w : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}
}

// -----

// The loops load other tiles.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @nothing_to_keep(%x: tensor<4x1024xf32>) -> tensor<4x1xf32> {
  // expected-error @+1 {{has a mirage.schedule that keeps tiles, and no loop that loads tiles which an earlier one has loaded, with aligned rows (schedule_c16)}}
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<4x1024xf32>) -> tensor<4x1xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, kept_tiles = true>} {
    %s = mirage_block.for %i = 0 to 4 -> tensor<2x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<4x1024xf32> to tensor<2x256xf32>
      %r = mirage_block.reduce sum %t dim(1) keep : (tensor<2x256xf32>) -> tensor<2x1xf32>
      %c = mirage_block.accumulate sum %r : (tensor<2x1xf32>) -> tensor<2x1xf32>
      mirage_block.yield %c : tensor<2x1xf32>
    }
    %u = mirage_block.for %i = 0 to 8 -> tensor<2x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<4x1024xf32> to tensor<2x128xf32>
      %d = mirage_block.sub %t, %s : (tensor<2x128xf32>, tensor<2x1xf32>) -> tensor<2x128xf32>
      %r = mirage_block.reduce max %d dim(1) keep : (tensor<2x128xf32>) -> tensor<2x1xf32>
      %c = mirage_block.accumulate max %r : (tensor<2x1xf32>) -> tensor<2x1xf32>
      mirage_block.yield %c : tensor<2x1xf32>
    }
    %store = mirage_block.store %u omap(x -> 0) : tensor<2x1xf32> to tensor<4x1xf32>
    mirage_block.yield %store : tensor<4x1xf32>
  }
  return %0 : tensor<4x1xf32>
}
}
