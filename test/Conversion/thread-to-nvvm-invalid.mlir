// RUN: mirage-opt %s --mirage-lower-to-nvvm -split-input-file -verify-diagnostics

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @f8(%x: tensor<4xf32>) -> tensor<4xf8E5M2> {
    // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
    %0 = mirage_kernel.cast %x : tensor<4xf32> to tensor<4xf8E5M2>
    return %0 : tensor<4xf8E5M2>
  }
}

// -----

// So do those of a launch with a schedule, both ways.
module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @f8_of_a_launch(%x: tensor<64x64xf32>) -> tensor<64x64xf8E4M3FN> {
    %0 = mirage_kernel.launch grid(x = 4) (%xl = %x : tensor<64x64xf32>) -> tensor<64x64xf8E4M3FN> {
      %t = mirage_block.load %xl imap(x -> 0) : tensor<64x64xf32> to tensor<16x64xf32>
      %e = mirage_block.exp %t : (tensor<16x64xf32>) -> tensor<16x64xf32>
      // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
      %c = mirage_block.cast %e : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
      %s = mirage_block.store %c omap(x -> 0) : tensor<16x64xf8E4M3FN> to tensor<64x64xf8E4M3FN>
      mirage_block.yield %s : tensor<64x64xf8E4M3FN>
    }
    return %0 : tensor<64x64xf8E4M3FN>
  }
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @of_f8(%x: tensor<64x64xf8E4M3FN>) -> tensor<64x64xf32> {
    %0 = mirage_kernel.launch grid(x = 4) (%xl = %x : tensor<64x64xf8E4M3FN>) -> tensor<64x64xf32> {
      %t = mirage_block.load %xl imap(x -> 0) : tensor<64x64xf8E4M3FN> to tensor<16x64xf8E4M3FN>
      // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
      %c = mirage_block.cast %t : tensor<16x64xf8E4M3FN> to tensor<16x64xf32>
      %e = mirage_block.exp %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %s = mirage_block.store %e omap(x -> 0) : tensor<16x64xf32> to tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    return %0 : tensor<64x64xf32>
  }
}

// -----

// A cast to fewer elements would leave the others to nobody.
gpu.module @m {
  gpu.func @fewer(%x: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    // expected-error@+1 {{'memref.reinterpret_cast' op is no buffer under another shape, or order of dimensions, of as many elements}}
    %0 = memref.reinterpret_cast %x to offset: [0], sizes: [16], strides: [1] : memref<32xf32> to memref<16xf32>
    mirage_thread.compute grid ins() outs(%0 : memref<16xf32>) {
      %1 = mirage_thread.constant dense<1.0> : tensor<16xf32>
      mirage_thread.yield %1 : tensor<16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @variable : memref<32xf32> = dense<0.0>
  gpu.func @reads(%x: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    // expected-error@+1 {{'memref.get_global' op reads what is no constant}}
    %0 = memref.get_global @variable : memref<32xf32>
    mirage_thread.compute grid ins(%0 : memref<32xf32>) outs(%x : memref<32xf32>) {
    ^bb0(%t: tensor<32xf32>):
      %1 = mirage_thread.exp %t : (tensor<32xf32>) -> tensor<32xf32>
      mirage_thread.yield %1 : tensor<32xf32>
    }
    gpu.return
  }
}
