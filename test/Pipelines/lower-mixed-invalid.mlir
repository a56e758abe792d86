// An error of a function that mixes kernel operations with others stands at the operation that is the reason, in a part as well.

// RUN: mirage-opt %s --mirage-lower-to-nvvm -split-input-file -verify-diagnostics

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func private @embed(tensor<4xi64>) -> tensor<64x32xf8E4M3FN>
  func.func @target(%x: tensor<4xi64>) -> tensor<64x32xf16> {
    %0 = func.call @embed(%x) : (tensor<4xi64>) -> tensor<64x32xf8E4M3FN>
    // expected-error @+1 {{conversions of 8-bit floats need a target of sm_89 or newer}}
    %1 = mirage_kernel.cast %0 : tensor<64x32xf8E4M3FN> to tensor<64x32xf16>
    %2 = mirage_kernel.exp %1 : (tensor<64x32xf16>) -> tensor<64x32xf16>
    return %2 : tensor<64x32xf16>
  }
}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func private @embed(tensor<4xi64>) -> tensor<64x64xf16>
  func.func @schedule(%x: tensor<4xi64>, %w: tensor<64x64xf16>) -> tensor<64x64xf32> {
    %x0 = func.call @embed(%x) : (tensor<4xi64>) -> tensor<64x64xf16>
    // expected-error @+1 {{has a mirage.schedule with wgmma, which sm_80 does not have}}
    %0 = mirage_kernel.launch grid(x = 1) (%xa = %x0 : tensor<64x64xf16>, %wa = %w : tensor<64x64xf16>) -> tensor<64x64xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
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

func.func @element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'mirage_kernel.exp' op cannot become a kernel: it stands in 'linalg.generic'}}
    %1 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.extract %1[%i] : tensor<4xf32>
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
