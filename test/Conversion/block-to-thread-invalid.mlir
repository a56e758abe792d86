// RUN: mirage-opt %s --convert-mirage-block-to-thread -split-input-file -verify-diagnostics

func.func @mixed(%x: tensor<4xf32>) -> tensor<4xf32> {
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

// expected-error @+1 {{has an argument or result of type 'index'; a kernel graph takes and returns ranked tensors}}
func.func @argument(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
