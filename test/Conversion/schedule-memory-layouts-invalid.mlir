// RUN: mirage-opt %s --convert-mirage-block-to-thread -verify-diagnostics -split-input-file

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @store(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16> {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    // expected-error @below {{'mirage_thread.memory_layout' belongs on a load or an operator of a block graph and holds "dense", "gaps of " and a number of elements from 1 to 64, or "chunks of " and 16, 32 or 64 (schedule_c18)}}
    %store = mirage_block.store %t omap(x -> phi) {mirage_thread.memory_layout = "dense"} : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @width(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16> {
    // expected-error @below {{belongs on a load or an operator of a block graph}}
    %t = mirage_block.load %a imap(x -> phi) {mirage_thread.memory_layout = "chunks of 24"} : tensor<4x256xf16> to tensor<4x256xf16>
    %store = mirage_block.store %t omap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}

// -----

// Chunks have elements of 16 bits.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @wide(%x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf32>) -> tensor<4x256xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    // expected-error @below {{cannot lie in shared memory in 'chunks of 32', which are rows of elements of 16 bits that the width of the narrowest chunk, 16, divides (schedule_c18)}}
    %t = mirage_block.load %a imap(x -> phi) {mirage_thread.memory_layout = "chunks of 32"} : tensor<4x256xf32> to tensor<4x256xf32>
    %e = mirage_block.exp %t : (tensor<4x256xf32>) -> tensor<4x256xf32>
    %store = mirage_block.store %e omap(x -> phi) : tensor<4x256xf32> to tensor<4x256xf32>
    mirage_block.yield %store : tensor<4x256xf32>
  }
  return %0 : tensor<4x256xf32>
}
}

// -----

// wgmma reads its right operand in chunks.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @product(%x: tensor<64x512xf16>, %w: tensor<64x512xf16>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x512xf16>, %wa = %w : tensor<64x512xf16>) -> tensor<64x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %f = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<64x512xf16> to tensor<64x64xf16>
      // expected-error @below {{cannot lie in shared memory in 'gaps of 8', as wgmma takes it as its right operand and reads chunks (schedule_c18)}}
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 1) {mirage_thread.memory_layout = "gaps of 8"} : tensor<64x512xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    mirage_block.yield %st : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
}

// -----

// What an elementwise operator computes stays in registers.
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @registers(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    // expected-error @below {{has a mirage_thread.memory_layout, and its tile does not lie in shared memory under the mirage.schedule of its launch, or lies there as a part of another one (schedule_c18)}}
    %e = mirage_block.exp %t {mirage_thread.memory_layout = "dense"} : (tensor<4x256xf16>) -> tensor<4x256xf16>
    %store = mirage_block.store %e omap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}
