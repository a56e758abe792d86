// RUN: mirage-opt %s --convert-mirage-block-to-thread -verify-diagnostics -split-input-file

#rows = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @load(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16> {
    // expected-error @below {{belongs on an elementwise operator or a reduction of a block graph and holds a #mirage_thread.layout (schedule_c17)}}
    %t = mirage_block.load %a imap(x -> 0) {mirage_thread.register_layout = #rows} : tensor<4x256xf16> to tensor<4x256xf16>
    %store = mirage_block.store %t omap(x -> 0) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}

// -----

// expected-error @below {{the dialect mirage_thread has no attribute 'mirage_thread.layouts'; known are 'mirage_thread.register_layout' and 'mirage_thread.memory_layout'}}
module attributes {mirage_thread.layouts} {
}

// -----

#rows = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @warps(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    // expected-error @below {{has a mirage_thread.register_layout of 4 warps, where the mirage.schedule of its launch has 2 (schedule_c17)}}
    %e = mirage_block.exp %t {mirage_thread.register_layout = #rows} : (tensor<4x256xf16>) -> tensor<4x256xf16>
    %store = mirage_block.store %e omap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}

// -----

#short = #mirage_thread.layout<registers = [4 d2:1], lanes = [32 d2:4], warps = [4 d1:1]>
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @short(%x: tensor<4x256xf16>) -> tensor<4x1xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x1xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    // expected-error @below {{has a mirage_thread.register_layout that does not fit its tile:}}
    %m = mirage_block.reduce max %t dim(1) keep {mirage_thread.register_layout = #short} : (tensor<4x256xf16>) -> tensor<4x1xf16>
    %store = mirage_block.store %m omap(x -> phi) : tensor<4x1xf16> to tensor<4x1xf16>
    mirage_block.yield %store : tensor<4x1xf16>
  }
  return %0 : tensor<4x1xf16>
}
}

// -----

// The quotient of rows becomes a product, in the registers of the rows.
#rows = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>
#columns = #mirage_thread.layout<registers = [4 d2:1, 2 d1:2], lanes = [32 d2:4], warps = [2 d2:128, 2 d1:1]>
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @part(%x: tensor<4x256xf16>) -> tensor<4x256xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    %w = mirage_block.cast %t {mirage_thread.register_layout = #rows} : tensor<4x256xf16> to tensor<4x256xf32>
    %r = mirage_block.reduce sum %w dim(1) keep : (tensor<4x256xf32>) -> tensor<4x1xf32>
    // expected-error @below {{has a mirage_thread.register_layout, and the lowering makes it a part of another operator, in the registers of that (schedule_c17)}}
    %q = mirage_block.div %w, %r {mirage_thread.register_layout = #columns} : (tensor<4x256xf32>, tensor<4x1xf32>) -> tensor<4x256xf32>
    %store = mirage_block.store %q omap(x -> phi) : tensor<4x256xf32> to tensor<4x256xf32>
    mirage_block.yield %store : tensor<4x256xf32>
  }
  return %0 : tensor<4x256xf32>
}
}

// -----

// The loader prepares normalized keys.
#rows = #mirage_thread.layout<registers = [8 d2:1], lanes = [8 d2:8, 4 d1:1], warps = [4 d1:4]>
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @prepared(%x: tensor<64x64xf16>, %w: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<512x64xf16>) -> tensor<64x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<512x64xf16> to tensor<64x64xf16>
      // expected-error @below {{has a mirage_thread.register_layout, and warps that load prepare it, in layouts of their own (schedule_c17)}}
      %s = mirage_block.silu %wt {mirage_thread.register_layout = #rows} : (tensor<64x64xf16>) -> tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %s : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    mirage_block.yield %st : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
}
