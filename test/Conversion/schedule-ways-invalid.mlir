// A load comes to shared memory as an attribute says or not at all, and so is a product computed.

// RUN: mirage-opt %s --convert-mirage-block-to-thread -verify-diagnostics -split-input-file

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @products(%x: tensor<64x64xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      // expected-error@+1 {{'mirage_block.load' op cannot come by the way 'bulk' under the mirage.schedule of its launch, but by 'async' (schedule_c13)}}
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) {mirage.copy_way = #mirage<copy_way bulk>} : tensor<1024x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    %h = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @products(%x: tensor<64x64xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      // expected-error@+1 {{'mirage_block.load' op cannot come by the way 'registers' under the mirage.schedule of its launch, but by 'async' (schedule_c13)}}
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) {mirage.copy_way = #mirage<copy_way registers>} : tensor<1024x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    %h = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @products(%x: tensor<64x64xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
      // expected-error@+1 {{'mirage_block.matmul' op cannot be computed by 'fma' under the mirage.schedule of its launch, but by 'mma_sync' (schedule_c14)}}
      %p = mirage_block.matmul %xt, %wt {mirage.product_instruction = #mirage<product_instruction fma>} : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    %h = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @products(%x: tensor<64x64xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    // expected-error@+1 {{'mirage_block.cast' op 'mirage.copy_way' belongs on a mirage_block.load and holds a #mirage.copy_way (schedule_c13)}}
      %h = mirage_block.cast %f {mirage.copy_way = #mirage<copy_way bulk>} : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @products(%x: tensor<64x64xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %pa : tensor<64x64xf32>
    }
    // expected-error@+1 {{'mirage_block.cast' op 'mirage.product_instruction' belongs on a product of a block graph and holds a #mirage.product_instruction (schedule_c14)}}
      %h = mirage_block.cast %f {mirage.product_instruction = #mirage<product_instruction wgmma>} : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}
