// Each constraint of the operations of mirage_block, broken. A function is named
// after the constraint. Those of the compute operators are in
// ../Compute/invalid.mlir.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

func.func @load_c1_outside(%x: tensor<8x64xf32>) {
  // expected-error @+1 {{'mirage_block.load' op stands outside of a graph (load_c1)}}
  %t = mirage_block.load %x imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
  return
}

// -----

func.func @load_c1_no_argument(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %c = mirage_block.constant dense<1.0> : tensor<8x64xf32>
    // expected-error @+1 {{source is no argument of the surrounding mirage_kernel.launch (load_c1)}}
    %t = mirage_block.load %c imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c2_missing(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.load' op imap has no entry for grid dimension y (2 blocks); write 'y -> d' for a dimension d of the source, or phi (load_c2)}}
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c2_hole(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{imap has no entry for grid dimension x (4 blocks); write 'x -> d' for a dimension d of the source, or phi (load_c2)}}
    %t = mirage_block.load %a imap(y -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c2_too_many(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{imap has 2 entries, but there are 1 grid dimensions (load_c2)}}
    %t = mirage_block.load %a imap(x -> 0, y -> 1) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c2_four(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 1, z = 1) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{imap has 4 entries, but there are 3 grid dimensions (load_c2)}}
    %t = "mirage_block.load"(%a) <{imap = array<i64: 0, 1, -1, -1>, fmap = array<i64>}> : (tensor<8x64xf32>) -> tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c3_outside(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.load' op imap maps grid dimension x to 2, which is neither phi nor a dimension of 'tensor<8x64xf32>' (load_c3)}}
    %t = mirage_block.load %a imap(x -> 2) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c3_sum(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{imap maps grid dimension x to sum, which is neither phi nor a dimension of 'tensor<8x64xf32>' (load_c3)}}
    %t = mirage_block.load %a imap(x -> sum) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c3_fmap(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{fmap maps a loop to max, which is neither phi nor a dimension of 'tensor<8x64xf32>' (load_c3)}}
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> max) : tensor<8x64xf32> to tensor<2x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c4(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{imap maps grid dimensions x and y to tensor dimension 0 (load_c4)}}
    %t = mirage_block.load %a imap(x -> 0, y -> 0) : tensor<8x64xf32> to tensor<1x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c5_grid(%x: tensor<8x100xf32>) {
  mirage_kernel.launch grid(x = 8) (%a = %x : tensor<8x100xf32>) {
    // expected-error @+1 {{imap maps grid dimension x (8 blocks) to tensor dimension 1 of size 100, which 8 does not divide (load_c5)}}
    %t = mirage_block.load %a imap(x -> 1) : tensor<8x100xf32> to tensor<8x12xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c5_loop(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 3 {
      // expected-error @+1 {{fmap maps a loop of 3 iterations to tensor dimension 1, of which 64 elements are left and 3 does not divide them (load_c5)}}
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x64xf32> to tensor<2x21xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

// The grid divides first.
func.func @load_c5_grid_and_loop(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 4 {
      // expected-error @+1 {{fmap maps a loop of 4 iterations to tensor dimension 0, of which 2 elements are left and 4 does not divide them (load_c5)}}
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c6_missing(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{fmap needs one entry for each of the 1 loops around it, outermost first (load_c6)}}
      %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c6_order(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 2 {
      mirage_block.for %j = 0 to 2 {
        // expected-error @+1 {{fmap needs one entry for each of the 2 loops around it, outermost first (load_c6)}}
        %t = mirage_block.load %a imap(x -> 0) fmap(%j -> 0, %i -> 1) : tensor<8x64xf32> to tensor<1x32xf32>
        mirage_block.yield
      }
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c6_count(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{fmap needs one entry for each of the 1 loops around it, outermost first (load_c6)}}
      %t = "mirage_block.load"(%a, %i) <{imap = array<i64: 0>, fmap = array<i64: 0, 1>}> : (tensor<8x64xf32>, index) -> tensor<2x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c6_outside(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{fmap needs one entry for each of the 0 loops around it, outermost first (load_c6)}}
    %t = "mirage_block.load"(%a) <{imap = array<i64: 0>, fmap = array<i64: 0>}> : (tensor<8x64xf32>) -> tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c7_shape(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{result has type 'tensor<8x64xf32>', but each block's part has type 'tensor<2x64xf32>' (load_c7)}}
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<8x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_c7_element(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{result has type 'tensor<2x64xf16>', but each block's part has type 'tensor<2x64xf32>' (load_c7)}}
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf16>
    mirage_block.yield
  }
  return
}

// -----

func.func @load_op_c1(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.load' op tensor 'tensor<?x64xf32>' has a dynamic dimension 0; sizes must be static and positive (op_c1)}}
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<?x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c1_in_loop(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{'mirage_block.store' op does not stand directly in the body of a graph (store_c1)}}
      %s = mirage_block.store %t omap(x -> 0) : tensor<2x64xf32> to tensor<8x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c1_outside(%x: tensor<2x64xf32>) {
  // expected-error @+1 {{'mirage_block.store' op does not stand directly in the body of a graph (store_c1)}}
  %s = mirage_block.store %x omap(x -> 0) : tensor<2x64xf32> to tensor<8x64xf32>
  return
}

// -----

func.func @store_c2_missing(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0, y -> phi) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{'mirage_block.store' op omap has no entry for grid dimension y (2 blocks); write 'y -> d' for a dimension d of the result, sum or max (store_c2)}}
    %s = mirage_block.store %t omap(x -> 0) : tensor<2x64xf32> to tensor<8x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c2_too_many(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap has 2 entries, but there are 1 grid dimensions (store_c2)}}
    %s = mirage_block.store %t omap(x -> 0, y -> 1) : tensor<2x64xf32> to tensor<8x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c3_outside(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap maps grid dimension x to 2, which is no dimension of 'tensor<8x64xf32>' (store_c3)}}
    %s = mirage_block.store %t omap(x -> 2) : tensor<2x64xf32> to tensor<8x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c3_phi(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap maps grid dimension x to phi, so 4 blocks would write the same elements; map it to a dimension of the result, to sum or to max (store_c3)}}
    %s = mirage_block.store %t omap(x -> phi) : tensor<2x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c3_unknown(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap maps grid dimension x to -9, which is no dimension of 'tensor<2x64xf32>' (store_c3)}}
    %s = "mirage_block.store"(%t) <{omap = array<i64: -9>}> : (tensor<2x64xf32>) -> tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c4(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0, y -> phi) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap maps grid dimensions x and y to tensor dimension 0 (store_c4)}}
    %s = mirage_block.store %t omap(x -> 0, y -> 0) : tensor<2x64xf32> to tensor<16x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c5_shape(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{result has type 'tensor<2x64xf32>', but the blocks' values together have type 'tensor<8x64xf32>' (store_c5)}}
    %s = mirage_block.store %t omap(x -> 0) : tensor<2x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c5_element(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{result has type 'tensor<8x64xf16>', but the blocks' values together have type 'tensor<8x64xf32>' (store_c5)}}
    %s = mirage_block.store %t omap(x -> 0) : tensor<2x64xf32> to tensor<8x64xf16>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_c6(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0, y -> phi) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{omap holds both sum and max (store_c6)}}
    %s = mirage_block.store %t omap(x -> sum, y -> max) : tensor<2x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @store_op_c2(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 16) (%a = %x : tensor<8x64xf32>) {
    %c = mirage_block.constant dense<1.0> : tensor<1152921504606846976x1xf32>
    // expected-error @+1 {{'mirage_block.store' op result size exceeds 64 bits (op_c2)}}
    %s = mirage_block.store %c omap(x -> 0) : tensor<1152921504606846976x1xf32> to tensor<1x1xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c1(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.for' op runs 0 iterations; the extent must be positive (for_c1)}}
    mirage_block.for %i = 0 to 0 { mirage_block.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c1_negative(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{runs -3 iterations; the extent must be positive (for_c1)}}
    mirage_block.for %i = 0 to -3 { mirage_block.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c2_none(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.for' op body must have one argument, the loop variable of type index (for_c2)}}
    "mirage_block.for"() <{extent = 2 : i64}> ({ mirage_block.yield }) : () -> ()
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c2_type(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{body must have one argument, the loop variable of type index (for_c2)}}
    "mirage_block.for"() <{extent = 2 : i64}> ({
    ^bb0(%i: i64):
      mirage_block.yield
    }) : () -> ()
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c3_types(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<4x64xf32> {
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      // expected-error @+1 {{'mirage_block.yield' op yields ('tensor<2x64xf32>') where the loop returns ('tensor<4x64xf32>') (for_c3)}}
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c3_no_accumulator(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{yields a value that is no result of an accumulate of this loop (for_c3)}}
      mirage_block.yield %t : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

// The accumulator belongs to the outer loop.
func.func @for_c3_other_loop(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.for %i = 0 to 2 {
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      %g = mirage_block.for %j = 0 to 2 -> tensor<2x64xf32> {
        // expected-error @+1 {{yields a value that is no result of an accumulate of this loop (for_c3)}}
        mirage_block.yield %s : tensor<2x64xf32>
      }
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @for_c3_terminator() {
  // expected-error @+1 {{body does not end with a mirage_block.yield (for_c3)}}
  mirage_block.for %i = 0 to 2 { func.return }
  return
}

// -----

func.func @accumulate_c1(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{'mirage_block.accumulate' op does not stand in the body of a mirage_block.for (accumulate_c1)}}
    %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c2_dangling(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.for %i = 0 to 2 {
      // expected-error @+1 {{'mirage_block.accumulate' op is dangling: its result must be yielded by the loop, once, and not used otherwise (accumulate_c2)}}
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c2_used(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{is dangling: its result must be yielded by the loop, once, and not used otherwise (accumulate_c2)}}
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      %e = mirage_block.exp %s : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c2_twice(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f:2 = mirage_block.for %i = 0 to 2 -> (tensor<2x64xf32>, tensor<2x64xf32>) {
      // expected-error @+1 {{(accumulate_c2)}}
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s, %s : tensor<2x64xf32>, tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c3_missing(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{'mirage_block.accumulate' op rescaled_sum needs a shift (accumulate_c3)}}
      %s = mirage_block.accumulate rescaled_sum %t : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c3_superfluous(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{has a shift but is no rescaled_sum (accumulate_c3)}}
      %s = mirage_block.accumulate sum %t shift %t : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c3_shape(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %m = mirage_block.reduce max %t dim(0) : (tensor<2x64xf32>) -> tensor<64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{shift 'tensor<64xf32>' does not broadcast to 'tensor<2x64xf32>' or has a narrower element type (accumulate_c3)}}
      %s = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<2x64xf32>, tensor<64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c3_element(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %m = mirage_block.cast %t : tensor<2x64xf32> to tensor<2x64xf16>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{shift 'tensor<2x64xf16>' does not broadcast to 'tensor<2x64xf32>' or has a narrower element type (accumulate_c3)}}
      %s = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<2x64xf32>, tensor<2x64xf16>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c4_missing(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<4x64xf32> {
      // expected-error @+1 {{concat needs a dim (accumulate_c4)}}
      %s = mirage_block.accumulate concat %t : (tensor<2x64xf32>) -> tensor<4x64xf32>
      mirage_block.yield %s : tensor<4x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c4_superfluous(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{has a dim but is no concat (accumulate_c4)}}
      %s = mirage_block.accumulate max %t dim(0) : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c4_outside(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{dimension 2 is outside of 'tensor<2x64xf32>' (accumulate_c4)}}
      %s = mirage_block.accumulate concat %t dim(2) : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c5_shape(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf32> {
      // expected-error @+1 {{result has shape 2x64, not 4x64 (accumulate_c5)}}
      %s = mirage_block.accumulate concat %t dim(0) : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_block.yield %s : tensor<2x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c5_sum(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<4x64xf32> {
      // expected-error @+1 {{result has shape 4x64, not 2x64 (accumulate_c5)}}
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<4x64xf32>
      mirage_block.yield %s : tensor<4x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c5_narrow(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf16> {
      // expected-error @+1 {{result has element type 'f16' where the value has 'f32' (accumulate_c5)}}
      %s = mirage_block.accumulate sum %t : (tensor<2x64xf32>) -> tensor<2x64xf16>
      mirage_block.yield %s : tensor<2x64xf16>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_c5_max(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x64xf64> {
      // expected-error @+1 {{result has element type 'f64' where the value has 'f32' (accumulate_c5)}}
      %s = mirage_block.accumulate max %t : (tensor<2x64xf32>) -> tensor<2x64xf64>
      mirage_block.yield %s : tensor<2x64xf64>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @accumulate_op_c2(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %c = mirage_block.constant dense<1.0> : tensor<1152921504606846976xf32>
    %f = mirage_block.for %i = 0 to 16 -> tensor<1xf32> {
      // expected-error @+1 {{'mirage_block.accumulate' op result size exceeds 64 bits (op_c2)}}
      %s = mirage_block.accumulate concat %c dim(0) : (tensor<1152921504606846976xf32>) -> tensor<1xf32>
      mirage_block.yield %s : tensor<1xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c1_product(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'mirage_block.thread_graph' op threads (64, 32) must be one to three positive extents whose product is at most 1024 (thread_graph_c1)}}
    mirage_block.thread_graph threads(x = 64, y = 32) () { mirage_thread.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c1_overflow(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{(thread_graph_c1)}}
    mirage_block.thread_graph threads(x = 4294967296, y = 4294967296) () { mirage_thread.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c1_zero(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{threads (0) must be one to three positive extents whose product is at most 1024 (thread_graph_c1)}}
    mirage_block.thread_graph threads(x = 0) () { mirage_thread.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c1_negative(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{(thread_graph_c1)}}
    mirage_block.thread_graph threads(x = -2, y = -2) () { mirage_thread.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c1_none(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{threads () must be one to three positive extents}}
    mirage_block.thread_graph threads() () { mirage_thread.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c2(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    // expected-error @+1 {{'mirage_block.thread_graph' op body arguments have other types than the operands (thread_graph_c2)}}
    "mirage_block.thread_graph"(%t) <{threads = array<i64: 2>}> ({ mirage_thread.yield }) : (tensor<2x64xf32>) -> ()
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c3_types(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %u = mirage_block.thread_graph threads(x = 2) (%b = %t : tensor<2x64xf32>) -> tensor<2x64xf32> {
      // expected-error @+1 {{'mirage_thread.yield' op yields () where the mirage_block.thread_graph returns ('tensor<2x64xf32>') (thread_graph_c3)}}
      mirage_thread.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c3_no_store(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    %u = mirage_block.thread_graph threads(x = 2) (%b = %t : tensor<2x64xf32>) -> tensor<1x64xf32> {
      %f = mirage_thread.load %b imap(x -> 0) : tensor<2x64xf32> to tensor<1x64xf32>
      // expected-error @+1 {{yields a value that is no result of a store (thread_graph_c3)}}
      mirage_thread.yield %f : tensor<1x64xf32>
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c3_terminator(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{body does not end with a mirage_thread.yield (thread_graph_c3)}}
    mirage_block.thread_graph threads(x = 2) () { func.return }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c4_argument(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.thread_graph threads(x = 2) (%b = %t : tensor<2x64xf32>) {
      // expected-error @+1 {{'mirage_thread.exp' op uses argument 0 of the graph directly; take each thread's part of it with mirage_thread.load (thread_graph_c4)}}
      %e = mirage_thread.exp %b : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_thread.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c4_store(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.thread_graph threads(x = 2) (%b = %t : tensor<2x64xf32>) {
      %f = mirage_thread.load %b imap(x -> 0) : tensor<2x64xf32> to tensor<1x64xf32>
      %s = mirage_thread.store %f omap(x -> 0) : tensor<1x64xf32> to tensor<2x64xf32>
      // expected-error @+1 {{'mirage_thread.exp' op uses the result of a store, which exists after the graph has run (thread_graph_c4)}}
      %e = mirage_thread.exp %s : (tensor<2x64xf32>) -> tensor<2x64xf32>
      mirage_thread.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @thread_graph_c5_block(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.thread_graph threads(x = 2) (%b = %t : tensor<2x64xf32>) {
      %f = mirage_thread.load %b imap(x -> 0) : tensor<2x64xf32> to tensor<1x64xf32>
      // expected-error @+1 {{'mirage_block.exp' op stands in the body of a mirage_block.thread_graph, which holds the graph's operators of mirage_thread only (thread_graph_c5)}}
      %e = mirage_block.exp %f : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_thread.yield
    }
    mirage_block.yield
  }
  return
}

// -----

// The dialect's operations of code generation are part of no graph.
func.func @thread_graph_c5_code(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    mirage_block.thread_graph threads(x = 2) () {
      // expected-error @+1 {{'mirage_thread.async_commit' op stands in the body of a mirage_block.thread_graph, which holds the graph's operators of mirage_thread only (thread_graph_c5)}}
      mirage_thread.async_commit
      mirage_thread.yield
    }
    mirage_block.yield
  }
  return
}

// -----

func.func @yield() {
  // expected-error @+1 {{'mirage_block.yield' op expects parent op to be one of 'mirage_kernel.launch, mirage_block.for'}}
  mirage_block.yield
}

// -----

func.func @parse_begin(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{loops of block graphs begin at 0}}
    mirage_block.for %i = 1 to 4 { mirage_block.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @parse_extent_twice(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{'extent' is written behind 'to'}}
    mirage_block.for %i = 0 to 4 attributes {extent = 3} { mirage_block.yield }
    mirage_block.yield
  }
  return
}

// -----

func.func @parse_map_keyword(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{expected a tensor dimension, phi, sum or max}}
    %t = mirage_block.load %a imap(x -> all) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @parse_map_negative(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{expected a tensor dimension, which is not negative}}
    %t = mirage_block.load %a imap(x -> -1) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @parse_map_twice(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{second entry for grid dimension x}}
    %t = mirage_block.load %a imap(x -> 0, x -> 1) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}

// -----

func.func @parse_map_dimension(%x: tensor<8x64xf32>) {
  mirage_kernel.launch grid(x = 4) (%a = %x : tensor<8x64xf32>) {
    // expected-error @+1 {{expected x, y or z}}
    %t = mirage_block.load %a imap(w -> 0) : tensor<8x64xf32> to tensor<2x64xf32>
    mirage_block.yield
  }
  return
}
