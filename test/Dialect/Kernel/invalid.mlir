// Each constraint of mirage_kernel.launch, broken. Those of the compute
// operators are in ../Compute/invalid.mlir.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

func.func @launch_c1_extent() {
  // expected-error @+1 {{'mirage_kernel.launch' op grid dimension y has extent 0, which is not between 1 and 65535 (launch_c1)}}
  mirage_kernel.launch grid(x = 2, y = 0) () { mirage_block.yield }
  return
}

// -----

func.func @launch_c1_negative() {
  // expected-error @+1 {{grid dimension x has extent -4, which is not between 1 and 2147483647 (launch_c1)}}
  mirage_kernel.launch grid(x = -4) () { mirage_block.yield }
  return
}

// -----

func.func @launch_c1_large() {
  // expected-error @+1 {{grid dimension z has extent 65536, which is not between 1 and 65535 (launch_c1)}}
  mirage_kernel.launch grid(x = 1, y = 1, z = 65536) () { mirage_block.yield }
  return
}

// -----

func.func @launch_c1_none() {
  // expected-error @+1 {{grid has 0 dimensions, not one to three (launch_c1)}}
  mirage_kernel.launch grid() () { mirage_block.yield }
  return
}

// -----

func.func @launch_c1_four() {
  // expected-error @+1 {{grid has 4 dimensions, not one to three (launch_c1)}}
  "mirage_kernel.launch"() <{grid = array<i64: 1, 1, 1, 1>}> ({ mirage_block.yield }) : () -> ()
  return
}

// -----

func.func @launch_c2_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mirage_kernel.launch' op body arguments have other types than the operands (launch_c2)}}
  "mirage_kernel.launch"(%x) <{grid = array<i64: 2>}> ({
  ^bb0(%a: tensor<4xf32>):
    mirage_block.yield
  }) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @launch_c2_count(%x: tensor<8xf32>) {
  // expected-error @+1 {{body arguments have other types than the operands (launch_c2)}}
  "mirage_kernel.launch"(%x) <{grid = array<i64: 2>}> ({ mirage_block.yield }) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @launch_c3_types(%x: tensor<8xf32>) {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) -> tensor<4xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    %s = mirage_block.store %t omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    // expected-error @+1 {{'mirage_block.yield' op yields ('tensor<8xf32>') where the mirage_kernel.launch returns ('tensor<4xf32>') (launch_c3)}}
    mirage_block.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_c3_count(%x: tensor<8xf32>) {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{yields () where the mirage_kernel.launch returns ('tensor<8xf32>') (launch_c3)}}
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c3_no_store(%x: tensor<8xf32>) {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) -> tensor<4xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    // expected-error @+1 {{yields a value that is no result of a store (launch_c3)}}
    mirage_block.yield %t : tensor<4xf32>
  }
  return
}

// -----

func.func @launch_c3_argument(%x: tensor<8xf32>) {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{yields a value that is no result of a store (launch_c3)}}
    mirage_block.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_c3_terminator() {
  // expected-error @+1 {{body does not end with a mirage_block.yield (launch_c3)}}
  mirage_kernel.launch grid(x = 2) () { func.return }
  return
}

// -----

func.func @launch_c4_argument(%x: tensor<8xf32>) {
  mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) {
    // expected-error @+1 {{'mirage_block.exp' op uses argument 0 of the graph directly; take each block's part of it with mirage_block.load (launch_c4)}}
    %e = mirage_block.exp %a : (tensor<8xf32>) -> tensor<8xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c4_argument_in_loop(%x: tensor<8xf32>) {
  mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) {
    %sum = mirage_block.for %i = 0 to 2 -> tensor<8xf32> {
      // expected-error @+1 {{'mirage_block.accumulate' op uses argument 0 of the graph directly; take each block's part of it with mirage_block.load (launch_c4)}}
      %s = mirage_block.accumulate sum %a : (tensor<8xf32>) -> tensor<8xf32>
      mirage_block.yield %s : tensor<8xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c4_store(%x: tensor<8xf32>) {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    %s = mirage_block.store %t omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    // expected-error @+1 {{'mirage_block.exp' op uses the result of a store, which exists after the graph has run (launch_c4)}}
    %e = mirage_block.exp %s : (tensor<8xf32>) -> tensor<8xf32>
    mirage_block.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_c5_dialect() {
  mirage_kernel.launch grid(x = 2) () {
    // expected-error @+1 {{'arith.constant' op stands in the body of a mirage_kernel.launch, which holds the graph's operators of mirage_block only (launch_c5)}}
    %c = arith.constant 1.0 : f32
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c5_kernel_operator(%x: tensor<8xf32>) {
  mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    // expected-error @+1 {{'mirage_kernel.exp' op stands in the body of a mirage_kernel.launch, which holds the graph's operators of mirage_block only (launch_c5)}}
    %e = mirage_kernel.exp %t : (tensor<4xf32>) -> tensor<4xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c5_nested_launch() {
  mirage_kernel.launch grid(x = 2) () {
    // expected-error @+1 {{'mirage_kernel.launch' op stands in the body of a mirage_kernel.launch}}
    mirage_kernel.launch grid(x = 2) () { mirage_block.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @launch_c5_in_loop(%x: tensor<8xf32>) {
  mirage_kernel.launch grid(x = 2) () {
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{'arith.addi' op stands in the body of a mirage_kernel.launch, which holds the graph's operators of mirage_block only (launch_c5)}}
      %j = arith.addi %i, %i : index
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @launch_c6(%x: tensor<512x256xf16>) {
    // expected-error @+1 {{'mirage_kernel.launch' op needs 262144 bytes of shared memory per block, but the target sm_90a has 232448 (launch_c6, target_c2)}}
    mirage_kernel.launch grid(x = 1) (%a = %x : tensor<512x256xf16>) {
      %t = mirage_block.load %a imap(x -> phi) : tensor<512x256xf16> to tensor<512x256xf16>
      mirage_block.yield
    }
    return
  }
}

// -----

// What a loop puts together has no bytes if it is stored alone, and has them if the block reads it. The exponentials take its
// place.
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @launch_c6_joined(%x: tensor<1x131072xf16>) -> (tensor<1x131072xf16>, tensor<1x131072xf16>) {
    %r = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<1x131072xf16>) -> tensor<1x131072xf16> {
      %j = mirage_block.for %i = 0 to 64 -> tensor<1x131072xf16> {
        %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<1x131072xf16> to tensor<1x2048xf16>
        %c = mirage_block.accumulate concat %t dim(1) : (tensor<1x2048xf16>) -> tensor<1x131072xf16>
        mirage_block.yield %c : tensor<1x131072xf16>
      }
      %o = mirage_block.store %j omap(x -> phi) : tensor<1x131072xf16> to tensor<1x131072xf16>
      mirage_block.yield %o : tensor<1x131072xf16>
    }
    // expected-error @+1 {{needs 266240 bytes of shared memory per block, but the target sm_90a has 232448 (launch_c6, target_c2)}}
    %s = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<1x131072xf16>) -> tensor<1x131072xf16> {
      %j = mirage_block.for %i = 0 to 64 -> tensor<1x131072xf16> {
        %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<1x131072xf16> to tensor<1x2048xf16>
        %c = mirage_block.accumulate concat %t dim(1) : (tensor<1x2048xf16>) -> tensor<1x131072xf16>
        mirage_block.yield %c : tensor<1x131072xf16>
      }
      %e = mirage_block.exp %j : (tensor<1x131072xf16>) -> tensor<1x131072xf16>
      %o = mirage_block.store %e omap(x -> phi) : tensor<1x131072xf16> to tensor<1x131072xf16>
      mirage_block.yield %o : tensor<1x131072xf16>
    }
    return %r, %s : tensor<1x131072xf16>, tensor<1x131072xf16>
  }
}

// -----

// The same fits without a target, and with one that has enough.
module attributes {mirage.target = #mirage.target<sm_90a, shared_memory_per_block = 262144>} {
  func.func @launch_c6_enough(%x: tensor<512x256xf16>) {
    mirage_kernel.launch grid(x = 1) (%a = %x : tensor<512x256xf16>) {
      %t = mirage_block.load %a imap(x -> phi) : tensor<512x256xf16> to tensor<512x256xf16>
      mirage_block.yield
    }
    return
  }
}

// -----

// The innermost module that names a target counts; a tensor that is dead frees
// its bytes, one that a loop uses is alive to the loop's end.
module attributes {mirage.target = #mirage.target<sm_80>} {
  module attributes {mirage.target = #mirage.target<sm_90a, shared_memory_per_block = 4096>} {
    func.func @launch_c6_alive(%x: tensor<2048xf16>, %y: tensor<4x1024xf16>) {
      %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<2048xf16>) -> tensor<2048xf16> {
        %t = mirage_block.load %a imap(x -> phi) : tensor<2048xf16> to tensor<2048xf16>
        %s = mirage_block.store %t omap(x -> phi) : tensor<2048xf16> to tensor<2048xf16>
        %u = mirage_block.load %a imap(x -> phi) : tensor<2048xf16> to tensor<2048xf16>
        mirage_block.yield %s : tensor<2048xf16>
      }
      // expected-error @+1 {{needs 10240 bytes of shared memory per block, but the target sm_90a has 4096 (launch_c6, target_c2)}}
      %1 = mirage_kernel.launch grid(x = 1) (%a = %y : tensor<4x1024xf16>) -> tensor<1x1024xf32> {
        %t = mirage_block.for %i = 0 to 4 -> tensor<1x1024xf32> {
          %u = mirage_block.load %a imap(x -> phi) fmap(%i -> 0) : tensor<4x1024xf16> to tensor<1x1024xf16>
          %e = mirage_block.cast %u : tensor<1x1024xf16> to tensor<1x1024xf32>
          %m = mirage_block.accumulate max %e : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
          mirage_block.yield %m : tensor<1x1024xf32>
        }
        %s = mirage_block.store %t omap(x -> phi) : tensor<1x1024xf32> to tensor<1x1024xf32>
        mirage_block.yield %s : tensor<1x1024xf32>
      }
      return
    }
  }
}

// -----

// A chain of elementwise operators is computed as a whole, and its result takes the bytes of what it reads last: of the sums, the
// residual and four results, a block has the sums and the residual. Where another operator reads the sums later, the last result
// has bytes of its own.
module attributes {mirage.target = #mirage.target<sm_90a, shared_memory_per_block = 6144>} {
  func.func @launch_c6_chain(%x: tensor<1x1024xf32>, %y: tensor<1x1024xf16>) -> (tensor<1x1024xf32>, tensor<1x1024xf32>) {
    %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<1x1024xf32>, %b = %y : tensor<1x1024xf16>) -> tensor<1x1024xf32> {
      %t = mirage_block.load %a imap(x -> phi) : tensor<1x1024xf32> to tensor<1x1024xf32>
      %r = mirage_block.load %b imap(x -> phi) : tensor<1x1024xf16> to tensor<1x1024xf16>
      %c = mirage_block.cast %r : tensor<1x1024xf16> to tensor<1x1024xf32>
      %e = mirage_block.exp %c : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %f = mirage_block.add %t, %e : (tensor<1x1024xf32>, tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %g = mirage_block.sqrt %f : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %s = mirage_block.store %g omap(x -> phi) : tensor<1x1024xf32> to tensor<1x1024xf32>
      mirage_block.yield %s : tensor<1x1024xf32>
    }
    // expected-error @+1 {{needs 10368 bytes of shared memory per block, but the target sm_90a has 6144 (launch_c6, target_c2)}}
    %1 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<1x1024xf32>, %b = %y : tensor<1x1024xf16>) -> tensor<1x1024xf32> {
      %t = mirage_block.load %a imap(x -> phi) : tensor<1x1024xf32> to tensor<1x1024xf32>
      %r = mirage_block.load %b imap(x -> phi) : tensor<1x1024xf16> to tensor<1x1024xf16>
      %c = mirage_block.cast %r : tensor<1x1024xf16> to tensor<1x1024xf32>
      %f = mirage_block.add %t, %c : (tensor<1x1024xf32>, tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<1x1024xf32>) -> tensor<1x1xf32>
      %g = mirage_block.sub %f, %m : (tensor<1x1024xf32>, tensor<1x1xf32>) -> tensor<1x1024xf32>
      %h = mirage_block.mul %g, %t : (tensor<1x1024xf32>, tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %n = mirage_block.reduce max %h dim(1) keep : (tensor<1x1024xf32>) -> tensor<1x1xf32>
      %i = mirage_block.mul %t, %n : (tensor<1x1024xf32>, tensor<1x1xf32>) -> tensor<1x1024xf32>
      %s = mirage_block.store %i omap(x -> phi) : tensor<1x1024xf32> to tensor<1x1024xf32>
      mirage_block.yield %s : tensor<1x1024xf32>
    }
    return %0, %1 : tensor<1x1024xf32>, tensor<1x1024xf32>
  }
}

// -----

// Sizes near 2^63 don't wrap around.
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @launch_c6_huge(%x: tensor<2305843009213693952xf16>) {
    // expected-error @+1 {{needs 9223372036854775680 bytes of shared memory per block}}
    mirage_kernel.launch grid(x = 1) (%a = %x : tensor<2305843009213693952xf16>) {
      %t = mirage_block.load %a imap(x -> phi) : tensor<2305843009213693952xf16> to tensor<2305843009213693952xf16>
      %u = mirage_block.exp %t : (tensor<2305843009213693952xf16>) -> tensor<2305843009213693952xf16>
      %w = mirage_block.mul %u, %u : (tensor<2305843009213693952xf16>, tensor<2305843009213693952xf16>) -> tensor<2305843009213693952xf16>
      %v = mirage_block.add %t, %w : (tensor<2305843009213693952xf16>, tensor<2305843009213693952xf16>) -> tensor<2305843009213693952xf16>
      mirage_block.yield
    }
    return
  }
}

// -----

func.func @op_c1(%x: tensor<?xf32>) {
  // expected-error @+1 {{'mirage_kernel.launch' op operand 0 'tensor<?xf32>' has a dynamic dimension 0; sizes must be static and positive (op_c1)}}
  mirage_kernel.launch grid(x = 2) (%a = %x : tensor<?xf32>) { mirage_block.yield }
  return
}

// -----

// What the parser refuses.
func.func @order(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected the extents of x, y and z in this order}}
  mirage_kernel.launch grid(y = 2) () { mirage_block.yield }
}

// -----

func.func @unknown_dimension() {
  // expected-error @+1 {{expected x, y or z}}
  mirage_kernel.launch grid(w = 2) () { mirage_block.yield }
}

// -----

func.func @grid_twice() {
  // expected-error @+1 {{'grid' is written as grid(…)}}
  mirage_kernel.launch grid(x = 2) () attributes {grid = array<i64: 3>} { mirage_block.yield }
}

// -----

// A launch is isolated from above: its body does not see the function's names, and may use them
// for its own values.
func.func @isolated(%x: tensor<8xf32>) {
  mirage_kernel.launch grid(x = 2) () {
    // expected-error @+1 {{use of undeclared SSA value name}}
    %t = mirage_block.load %x imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    mirage_block.yield
  }
  return
}
