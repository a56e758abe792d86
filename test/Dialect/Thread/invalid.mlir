// Each constraint of the operations of mirage_thread, broken. A function is
// named after the constraint. Those of the compute operators are in
// ../Compute/invalid.mlir, those of thread graphs in ../Block/invalid.mlir.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

func.func @load_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mirage_thread.load' op stands outside of a graph (load_c1)}}
  %t = mirage_thread.load %x imap(x -> 0) : tensor<8xf32> to tensor<2xf32>
  return
}

// -----

func.func @load_c2(%x: memref<8x8xf32>) {
  mirage_thread.compute threads [4, 2] ins(%x : memref<8x8xf32>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    // expected-error @+1 {{'mirage_thread.load' op imap has no entry for thread dimension y (2 threads); write 'y -> d' for a dimension d of the source, or phi (load_c2)}}
    %t = mirage_thread.load %a imap(x -> 0) : tensor<8x8xf32> to tensor<2x8xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @load_c3(%x: memref<8x8xf32>) {
  mirage_thread.compute threads [4] ins(%x : memref<8x8xf32>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    // expected-error @+1 {{imap maps thread dimension x to 5, which is neither phi nor a dimension of 'tensor<8x8xf32>' (load_c3)}}
    %t = mirage_thread.load %a imap(x -> 5) : tensor<8x8xf32> to tensor<2x8xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @load_c4(%x: memref<8x8xf32>) {
  mirage_thread.compute threads [4, 2] ins(%x : memref<8x8xf32>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    // expected-error @+1 {{imap maps thread dimensions x and y to tensor dimension 0 (load_c4)}}
    %t = mirage_thread.load %a imap(x -> 0, y -> 0) : tensor<8x8xf32> to tensor<1x8xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @load_c5(%x: memref<8x8xf32>) {
  mirage_thread.compute threads [3] ins(%x : memref<8x8xf32>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    // expected-error @+1 {{imap maps thread dimension x (3 threads) to tensor dimension 1 of size 8, which 3 does not divide (load_c5)}}
    %t = mirage_thread.load %a imap(x -> 1) : tensor<8x8xf32> to tensor<8x2xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @load_c7(%x: memref<8x8xf32>) {
  mirage_thread.compute threads [4] ins(%x : memref<8x8xf32>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    // expected-error @+1 {{result has type 'tensor<8x8xf32>', but each thread's part has type 'tensor<8x2xf32>' (load_c7)}}
    %t = mirage_thread.load %a imap(x -> 1) : tensor<8x8xf32> to tensor<8x8xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @store_c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{'mirage_thread.store' op does not stand directly in the body of a graph (store_c1)}}
  %t = mirage_thread.store %x omap(x -> 0) : tensor<2xf32> to tensor<8xf32>
  return
}

// -----

func.func @store_c2(%x: memref<8xf32>) {
  mirage_thread.compute threads [4] ins() outs(%x : memref<8xf32>) {
    %c = mirage_thread.constant dense<1.0> : tensor<2xf32>
    // expected-error @+1 {{omap has no entry for thread dimension x (4 threads); write 'x -> d' for a dimension d of the result (store_c2)}}
    %s = mirage_thread.store %c omap() : tensor<2xf32> to tensor<8xf32>
    mirage_thread.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @store_c3(%x: memref<8xf32>) {
  mirage_thread.compute threads [4] ins() outs(%x : memref<8xf32>) {
    %c = mirage_thread.constant dense<1.0> : tensor<8xf32>
    // expected-error @+1 {{omap maps thread dimension x to phi, so 4 threads would write the same elements; map it to a dimension of the result (store_c3)}}
    %s = mirage_thread.store %c omap(x -> phi) : tensor<8xf32> to tensor<8xf32>
    mirage_thread.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @store_c5(%x: memref<8xf32>) {
  mirage_thread.compute threads [4] ins() outs(%x : memref<8xf32>) {
    %c = mirage_thread.constant dense<1.0> : tensor<4xf32>
    // expected-error @+1 {{result has type 'tensor<8xf32>', but the threads' values together have type 'tensor<16xf32>' (store_c5)}}
    %s = mirage_thread.store %c omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    mirage_thread.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @store_c7(%x: memref<8xf32>) {
  mirage_thread.compute threads [4] ins() outs(%x : memref<8xf32>) {
    %c = mirage_thread.constant dense<1.0> : tensor<8xf32>
    // expected-error @+1 {{'mirage_thread.store' op fragments are not reduced over threads; reduce them with a block operator (store_c7)}}
    %s = mirage_thread.store %c omap(x -> sum) : tensor<8xf32> to tensor<8xf32>
    mirage_thread.yield %s : tensor<8xf32>
  }
  return
}

// -----

func.func @yield() {
  // expected-error @+1 {{'mirage_thread.yield' op expects parent op to be one of 'mirage_block.thread_graph, mirage_thread.compute'}}
  mirage_thread.yield
}

// -----

func.func @shared_buffer_c1_alignment() {
  // expected-error @+1 {{'mirage_thread.shared_buffer' op offset 8 is negative or no multiple of 16 (shared_buffer_c1)}}
  %a = mirage_thread.shared_buffer offset(8) : memref<4xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_buffer_c1_negative() {
  // expected-error @+1 {{offset -16 is negative or no multiple of 16 (shared_buffer_c1)}}
  %a = mirage_thread.shared_buffer offset(-16) : memref<4xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_buffer_c2_space() {
  // expected-error @+1 {{result 'memref<4xf32>' is not strided in #gpu.address_space<workgroup> (shared_buffer_c2)}}
  %a = mirage_thread.shared_buffer offset(0) : memref<4xf32>
  return
}

// -----

func.func @shared_buffer_c2_layout() {
  // expected-error @+1 {{is not strided in #gpu.address_space<workgroup> (shared_buffer_c2)}}
  %a = mirage_thread.shared_buffer offset(0) : memref<4x4xf32, affine_map<(i, j) -> (i * 4 + j mod 3)>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_buffer_c2_dynamic() {
  // expected-error @+1 {{must be statically shaped memref of any type values}}
  %a = mirage_thread.shared_buffer offset(0) : memref<?xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @copy_c1(%x: memref<8xf32>, %y: memref<8xf16>, %i: index) {
  // expected-error @+1 {{'mirage_thread.copy' op copies 'f32' to 'f16' (copy_c1)}}
  mirage_thread.copy %x[%i] to %y[%i] sizes [8] : memref<8xf32> to memref<8xf16>
  return
}

// -----

func.func @copy_c2_offsets(%x: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{source and target do not have an offset for each dimension, or fewer dimensions than sizes (copy_c2)}}
  mirage_thread.copy %x[%i] to %x[%i, %i] sizes [8, 8] : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

func.func @copy_c2_ranks(%x: memref<8x8xf32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{source and target do not have an offset for each dimension, or fewer dimensions than sizes (copy_c2)}}
  mirage_thread.copy %x[%i, %i] to %y[%i] sizes [1, 8] : memref<8x8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c3_large(%x: memref<8x8xf32>, %y: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{size 8 of dimension 0 is not between 1 and the buffers' sizes (copy_c3)}}
  mirage_thread.copy %x[%i, %i] to %y[%i, %i] sizes [8, 8] : memref<8x8xf32> to memref<4x8xf32>
  return
}

// -----

func.func @copy_c3_zero(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{size 0 of dimension 0 is not between 1 and the buffers' sizes (copy_c3)}}
  mirage_thread.copy %x[%i] to %x[%i] sizes [0] : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c5_exist(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its box (copy_c5)}}
  mirage_thread.copy %x[%i] to %x[%i] sizes [4] exist [5] : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c5_rank(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its box (copy_c5)}}
  mirage_thread.copy %x[%i] to %x[%i] sizes [4] exist [4, 4] : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c5_clipped(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its box (copy_c5)}}
  mirage_thread.copy %x[%i] to %x[%i] sizes [4] clipped [1] : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c3_exist(%x: memref<4xf32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{size 8 of dimension 0 is not between 1 and the buffers' sizes (copy_c3)}}
  mirage_thread.copy %x[%i] to %y[%i] sizes [8] exist [5] : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c4_target(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{asynchronous copies go from device memory to shared memory (copy_c4)}}
  mirage_thread.copy async %x[%i] to %x[%i] sizes [8] : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @copy_c4_source(%x: memref<8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{asynchronous copies go from device memory to shared memory (copy_c4)}}
  mirage_thread.copy async %x[%i] to %x[%i] sizes [8] : memref<8xf32, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @async_wait_c1() {
  // expected-error @+1 {{'mirage_thread.async_wait' op waits for all but -1 groups; the number must not be negative (async_wait_c1)}}
  mirage_thread.async_wait -1
  return
}

// -----

func.func @compute_c1_argument(%x: memref<8xf32>) {
  // expected-error @+1 {{'mirage_thread.compute' op value of type 'tensor<4xf32>' for buffer 'memref<8xf32>' (compute_c1)}}
  mirage_thread.compute ins(%x : memref<8xf32>) outs() {
  ^bb0(%a: tensor<4xf32>):
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c1_element(%x: memref<8xi32>) {
  // expected-error @+1 {{value of type 'tensor<8xf32>' for buffer 'memref<8xi32>' (compute_c1)}}
  mirage_thread.compute ins(%x : memref<8xi32>) outs() {
  ^bb0(%a: tensor<8xf32>):
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c1_arguments(%x: memref<8xf32>) {
  // expected-error @+1 {{has 1 ins and 0 values for them (compute_c1)}}
  mirage_thread.compute ins(%x : memref<8xf32>) outs() {
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c1_yield(%x: memref<8xf32>) {
  // expected-error @+1 {{has 1 outs and 0 values for them (compute_c1)}}
  mirage_thread.compute ins() outs(%x : memref<8xf32>) {
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c1_terminator() {
  // expected-error @+1 {{body does not end with a mirage_thread.yield (compute_c1)}}
  mirage_thread.compute ins() outs() {
    func.return
  }
  return
}

// -----

func.func @compute_c2(%x: memref<8x8xf32, strided<[16, 1]>>) {
  // expected-error @+1 {{buffer 'memref<8x8xf32, strided<[16, 1]>>' is not row-major (compute_c2)}}
  mirage_thread.compute ins(%x : memref<8x8xf32, strided<[16, 1]>>) outs() {
  ^bb0(%a: tensor<8x8xf32>):
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c3_zero() {
  // expected-error @+1 {{'mirage_thread.compute' op threads (0) must be one to three positive extents whose product is at most 1024 (compute_c3)}}
  mirage_thread.compute threads [0] ins() outs() {
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c3_four() {
  // expected-error @+1 {{threads (1, 1, 1, 1) must be one to three positive extents}}
  mirage_thread.compute threads [1, 1, 1, 1] ins() outs() {
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c4_dialect() {
  mirage_thread.compute ins() outs() {
    // expected-error @+1 {{'arith.constant' op stands in the body of a mirage_thread.compute, which holds the graph's operators of mirage_thread only (compute_c4)}}
    %c = arith.constant dense<1.0> : tensor<4xf32>
    mirage_thread.yield
  }
  return
}

// -----

func.func @compute_c4_code() {
  mirage_thread.compute ins() outs() {
    // expected-error @+1 {{'mirage_thread.shared_buffer' op stands in the body of a mirage_thread.compute, which holds the graph's operators of mirage_thread only (compute_c4)}}
    %a = mirage_thread.shared_buffer offset(0) : memref<4xf32, #gpu.address_space<workgroup>>
    mirage_thread.yield
  }
  return
}

// -----

func.func @mma_c1_contracted(%a: memref<16x8xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  // expected-error @+1 {{'mirage_thread.mma' op lhs contracts 8 elements, rhs 16 (mma_c1)}}
  mirage_thread.mma %a, %b into %c : memref<16x8xf16>, memref<16x8xf16>, memref<16x8xf32>
  return
}

// -----

func.func @mma_c1_target(%a: memref<16x8xf16>, %b: memref<8x8xf16>, %c: memref<8x16xf32>) {
  // expected-error @+1 {{target has shape 8x16, but the product has 16x8 (mma_c1)}}
  mirage_thread.mma %a, %b into %c : memref<16x8xf16>, memref<8x8xf16>, memref<8x16xf32>
  return
}

// -----

func.func @mma_c1_rank(%a: memref<16xf16>, %b: memref<8x8xf16>, %c: memref<16x8xf32>) {
  // expected-error @+1 {{operands of ranks 1 and 2; both must have the same rank of at least two (mma_c1)}}
  mirage_thread.mma %a, %b into %c : memref<16xf16>, memref<8x8xf16>, memref<16x8xf32>
  return
}

// -----

func.func @mma_c2_operands(%a: memref<16x8xf16>, %b: memref<8x8xbf16>, %c: memref<16x8xf32>) {
  // expected-error @+1 {{no matrix instruction multiplies 'f16' by 'bf16' into 'f32'; operands are both of f16, bf16 or f32, the target of f32 or of their type (mma_c2)}}
  mirage_thread.mma %a, %b into %c : memref<16x8xf16>, memref<8x8xbf16>, memref<16x8xf32>
  return
}

// -----

func.func @mma_c2_target(%a: memref<16x8xf16>, %b: memref<8x8xf16>, %c: memref<16x8xbf16>) {
  // expected-error @+1 {{no matrix instruction multiplies 'f16' by 'f16' into 'bf16'}}
  mirage_thread.mma %a, %b into %c : memref<16x8xf16>, memref<8x8xf16>, memref<16x8xbf16>
  return
}

// -----

func.func @thread_accumulate_c1(%x: memref<8xf32>) {
  // expected-error @+1 {{'mirage_thread.accumulate' op concat is a copy, not an accumulation (thread_accumulate_c1)}}
  mirage_thread.accumulate concat %x into %x : memref<8xf32> into memref<8xf32>
  return
}

// -----

func.func @thread_accumulate_c2(%x: memref<8xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{value 'memref<8xf32>' and target 'memref<4xf32>' have different shapes (thread_accumulate_c2)}}
  mirage_thread.accumulate sum %x into %y : memref<8xf32> into memref<4xf32>
  return
}

// -----

func.func @thread_accumulate_c3_missing(%x: memref<8xf32>) {
  // expected-error @+1 {{shift and running go with rescaled_sum, both (thread_accumulate_c3)}}
  mirage_thread.accumulate rescaled_sum %x into %x : memref<8xf32> into memref<8xf32>
  return
}

// -----

func.func @thread_accumulate_c3_shape(%x: memref<8x4xf32>, %m: memref<4xf32>) {
  // expected-error @+1 {{shift 'memref<4xf32>' is not shaped as running or does not broadcast to the value (thread_accumulate_c3)}}
  mirage_thread.accumulate rescaled_sum %x shift %m running %m into %x : memref<8x4xf32>, memref<4xf32>, memref<4xf32> into memref<8x4xf32>
  return
}

// -----

// expected-error @+1 {{it has 16 lanes, and a warp has 32 (layout_c1)}}
func.func private @layout_c1() -> tensor<4x16xf32, #mirage_thread.layout<registers = [4 d0:1], lanes = [16 d1:1], warps = []>>

// -----

// expected-error @+1 {{along dimension 0 a mode has stride 2 where 1 would give each element one place (layout_c2)}}
func.func private @layout_c2_gap() -> tensor<8x32xf32, #mirage_thread.layout<registers = [4 d0:2], lanes = [32 d1:1], warps = []>>

// -----

// expected-error @+1 {{along dimension 0 it has places for 4 of 8 elements (layout_c2)}}
func.func private @layout_c2_small() -> tensor<8x32xf32, #mirage_thread.layout<registers = [4 d0:1], lanes = [32 d1:1], warps = []>>

// -----

// expected-error @+1 {{expected a dimension such as d0, or phi}}
func.func private @layout_dimension() -> tensor<8x32xf32, #mirage_thread.layout<registers = [4 row:1], lanes = [32 d1:1], warps = []>>

// -----

// expected-error @+1 {{a digit has at least one value}}
func.func private @layout_size() -> tensor<8x32xf32, #mirage_thread.layout<registers = [0 d0:1], lanes = [32 d1:1], warps = []>>

// -----

// expected-error @+1 {{a stride is positive}}
func.func private @layout_stride() -> tensor<8x32xf32, #mirage_thread.layout<registers = [8 d0:0], lanes = [32 d1:1], warps = []>>

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c1(%x: memref<8x32xf32>, %i: index) {
  // expected-error @+1 {{has 1 offsets for 2 dimensions (load_fragment_c1)}}
  %t = mirage_thread.load_fragment %x[%i] : memref<8x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c2_size(%x: memref<4x32xf32>, %i: index) {
  // expected-error @+1 {{which is no tile in registers of 'memref<4x32xf32>' (load_fragment_c2)}}
  %t = mirage_thread.load_fragment %x[%i, %i] : memref<4x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

func.func @load_fragment_c2_layout(%x: memref<8x32xf32>, %i: index) {
  // expected-error @+1 {{moves 'tensor<8x32xf32>', which is no tile in registers of 'memref<8x32xf32>' (load_fragment_c2)}}
  %t = mirage_thread.load_fragment %x[%i, %i] : memref<8x32xf32> to tensor<8x32xf32>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c2_exist(%x: memref<4x32xf32>, %i: index) {
  // expected-error @+1 {{which is no tile in registers of 'memref<4x32xf32>' (load_fragment_c2)}}
  %t = mirage_thread.load_fragment %x[%i, %i] exist [5, 32] : memref<4x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c3_exist(%x: memref<8x64xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its tile (load_fragment_c3)}}
  %t = mirage_thread.load_fragment %x[%i, %i] exist [8, 33] : memref<8x64xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c3_none(%x: memref<8x32xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its tile (load_fragment_c3)}}
  %t = mirage_thread.load_fragment %x[%i, %i] exist [0, 32] : memref<8x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c3_rank(%x: memref<8x32xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its tile (load_fragment_c3)}}
  %t = mirage_thread.load_fragment %x[%i, %i] exist [8] : memref<8x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c3_clipped(%x: memref<8x32xf32>, %i: index) {
  // expected-error @+1 {{has elements that exist, or clipped dimensions, outside of its tile (load_fragment_c3)}}
  %t = mirage_thread.load_fragment %x[%i, %i] clipped [2] : memref<8x32xf32> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @load_fragment_c4(%x: memref<8x32xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{reads a tile of which a part may be missing from other memory than the device's (load_fragment_c4)}}
  %t = mirage_thread.load_fragment %x[%i, %i] clipped [0] : memref<8x32xf32, #gpu.address_space<workgroup>> to tensor<8x32xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @store_fragment_c1(%x: memref<8x32xf32>, %t: tensor<8x32xf32, #l>, %i: index) {
  // expected-error @+1 {{has 3 offsets for 2 dimensions (store_fragment_c1)}}
  mirage_thread.store_fragment %t to %x[%i, %i, %i] : tensor<8x32xf32, #l> to memref<8x32xf32>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @store_fragment_c2(%x: memref<8x32xf16>, %t: tensor<8x32xf32, #l>, %i: index) {
  // expected-error @+1 {{which is no tile in registers of 'memref<8x32xf16>' (store_fragment_c2)}}
  mirage_thread.store_fragment %t to %x[%i, %i] : tensor<8x32xf32, #l> to memref<8x32xf16>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @store_fragment_c2_clipped(%x: memref<7x31xf32>, %t: tensor<8x32xf32, #l>, %i: index) {
  // expected-error @+1 {{which is no tile in registers of 'memref<7x31xf32>' (store_fragment_c2)}}
  mirage_thread.store_fragment %t to %x[%i, %i] clipped [0] : tensor<8x32xf32, #l> to memref<7x31xf32>
  return
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
func.func @store_fragment_c3(%x: memref<8x32xf32>, %t: tensor<8x32xf32, #l>, %i: index) {
  // expected-error @+1 {{clips dimensions that its tile does not have (store_fragment_c3)}}
  mirage_thread.store_fragment %t to %x[%i, %i] clipped [2] : tensor<8x32xf32, #l> to memref<8x32xf32>
  return
}

// -----

#a = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [2 d0:1, 2 d0:8], lanes = [4 d0:2, 8 d1:1], warps = []>
#c = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @mma_fragment_c1(%a: tensor<16x16xf32, #a>, %b: tensor<16x8xf32, #b>, %c: tensor<16x8xf32, #c>) {
  // expected-error @+1 {{multiplies 'f32' by 'f32' into 'f32' (mma_fragment_c1)}}
  %0 = mirage_thread.mma_fragment %a, %b, %c : tensor<16x16xf32, #a>, tensor<16x8xf32, #b>, tensor<16x8xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [2 d0:1, 4 d0:8], lanes = [4 d0:2, 8 d1:1], warps = []>
#c = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @mma_fragment_c2(%a: tensor<16x16xf16, #a>, %b: tensor<32x8xf16, #b>, %c: tensor<16x8xf32, #c>) {
  // expected-error @+1 {{has operands of shapes 16x16 and 32x8 for an accumulator of 16x8 (mma_fragment_c2)}}
  %0 = mirage_thread.mma_fragment %a, %b, %c : tensor<16x16xf16, #a>, tensor<32x8xf16, #b>, tensor<16x8xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [2 d0:1], lanes = [4 d0:2, 8 d1:1], warps = []>
#c = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @mma_fragment_c3(%a: tensor<16x8xf16, #a>, %b: tensor<8x8xf16, #b>, %c: tensor<16x8xf32, #c>) {
  // expected-error @+1 {{contracts 8 elements, no multiple of 16 (mma_fragment_c3)}}
  %0 = mirage_thread.mma_fragment %a, %b, %c : tensor<16x8xf16, #a>, tensor<8x8xf16, #b>, tensor<16x8xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [8 d0:1], lanes = [16 d1:1, 2 d0:8], warps = []>
#b = #mirage_thread.layout<registers = [2 d0:1, 2 d0:8], lanes = [4 d0:2, 8 d1:1], warps = []>
#c = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @mma_fragment_c4_lanes(%a: tensor<16x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<16x8xf32, #c>) {
  // expected-error @+1 {{has lanes that are not those of m16n8k16 (mma_fragment_c4)}}
  %0 = mirage_thread.mma_fragment %a, %b, %c : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [2 phi]>
#b = #mirage_thread.layout<registers = [2 d0:1, 2 d0:8], lanes = [4 d0:2, 8 d1:1], warps = [2 phi]>
#c = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = [2 d1:8]>
func.func @mma_fragment_c4_columns(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #mirage_thread.layout<registers = [2 d0:1, 2 d0:8, 2 d1:8], lanes = [4 d0:2, 8 d1:1], warps = [2 phi]>>, %c: tensor<16x16xf32, #c>) {
  // expected-error @+1 {{has rows or columns in other warps than the accumulators (mma_fragment_c4)}}
  %0 = mirage_thread.mma_fragment %a, %b, %c : tensor<16x16xf16, #a>, tensor<16x16xf16, #mirage_thread.layout<registers = [2 d0:1, 2 d0:8, 2 d1:8], lanes = [4 d0:2, 8 d1:1], warps = [2 phi]>>, tensor<16x16xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 phi, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [4 d1:1, 4 d0:1], lanes = [4 d1:4, 8 phi], warps = []>
#c = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 d1:4, 8 d0:1], warps = []>
func.func @fma_fragment_c1(%a: tensor<16x4xf16, #a>, %b: tensor<4x16xf16, #b>, %c: tensor<16x16xf32, #c>) {
  // expected-error @+1 {{computes with 'f16' (fma_fragment_c1)}}
  %0 = mirage_thread.fma_fragment %a, %b, %c : tensor<16x4xf16, #a>, tensor<4x16xf16, #b>, tensor<16x16xf32, #c>
  return
}

// -----

#a = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 phi, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [4 d1:1, 8 d0:1], lanes = [4 d1:4, 8 phi], warps = []>
#c = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 d1:4, 8 d0:1], warps = []>
func.func @fma_fragment_c2(%a: tensor<16x4xf32, #a>, %b: tensor<8x16xf32, #b>, %c: tensor<16x16xf32, #c>) {
  // expected-error @+1 {{has operands of shapes 16x4 and 8x16 for an accumulator of 16x16 (fma_fragment_c2)}}
  %0 = mirage_thread.fma_fragment %a, %b, %c : tensor<16x4xf32, #a>, tensor<8x16xf32, #b>, tensor<16x16xf32, #c>
  return
}

// -----

// The lanes of a group have other columns of the left operand, and none has a whole row.
#a = #mirage_thread.layout<registers = [2 d0:8], lanes = [4 d1:1, 8 d0:1], warps = []>
#b = #mirage_thread.layout<registers = [4 d1:1, 4 d0:1], lanes = [4 d1:4, 8 phi], warps = []>
#c = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 d1:4, 8 d0:1], warps = []>
func.func @fma_fragment_c3(%a: tensor<16x4xf32, #a>, %b: tensor<4x16xf32, #b>, %c: tensor<16x16xf32, #c>) {
  // expected-error @+1 {{has operands in other lanes than the sums that need them (fma_fragment_c3)}}
  %0 = mirage_thread.fma_fragment %a, %b, %c : tensor<16x4xf32, #a>, tensor<4x16xf32, #b>, tensor<16x16xf32, #c>
  return
}

// -----

func.func @fma_fragment_c3_layout(%a: tensor<16x4xf32>, %b: tensor<4x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{has operands in other lanes than the sums that need them (fma_fragment_c3)}}
  %0 = mirage_thread.fma_fragment %a, %b, %c : tensor<16x4xf32>, tensor<4x16xf32>, tensor<16x16xf32>
  return
}

// -----

func.func @select_buffer_c1(%i: index, %x: memref<16x64xf32>) {
  // expected-error @+1 {{selects from 1 buffers (select_buffer_c1)}}
  %s = mirage_thread.select_buffer %i of %x : memref<16x64xf32> to memref<16x64xf32>
  return
}

// -----

func.func @select_buffer_c2_type(%i: index, %x: memref<16x64xf32>, %y: memref<16x64xf16>) {
  // expected-error @+1 {{gives 'memref<16x64xf32>' and takes 'memref<16x64xf16>' (select_buffer_c2)}}
  %s = mirage_thread.select_buffer %i of %x, %y : memref<16x64xf32>, memref<16x64xf16> to memref<16x64xf32>
  return
}

// -----

func.func @select_buffer_c2_shared(%i: index) {
  %a = mirage_thread.shared_buffer offset(0) : memref<16x64xf32, #gpu.address_space<workgroup>>
  // expected-error @+1 {{which is not in device memory (select_buffer_c2)}}
  %s = mirage_thread.select_buffer %i of %a, %a : memref<16x64xf32, #gpu.address_space<workgroup>>, memref<16x64xf32, #gpu.address_space<workgroup>> to memref<16x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @cluster_buffer_c1(%x: memref<16x64xf32>) {
  // expected-error @+1 {{which are not in the shared memory of a block and of a cluster (cluster_buffer_c1)}}
  %c = mirage_thread.cluster_buffer %x : memref<16x64xf32> to memref<4x16x64xf32, #mirage_thread.cluster_memory>
  return
}

// -----

func.func @cluster_buffer_c2() {
  %a = mirage_thread.shared_buffer offset(0) : memref<16x64xf32, #gpu.address_space<workgroup>>
  // expected-error @+1 {{of each of 2 to 8 blocks (cluster_buffer_c2)}}
  %c = mirage_thread.cluster_buffer %a : memref<16x64xf32, #gpu.address_space<workgroup>> to memref<4x64x16xf32, #mirage_thread.cluster_memory>
  return
}

// -----

func.func @cluster_buffer_c3(%i: index, %x: memref<16x64xf32>) {
  %a = mirage_thread.shared_buffer offset(0) : memref<16x64xf32, #gpu.address_space<workgroup>>
  // expected-error @+1 {{is used by something else than load_fragment and push_fragment (cluster_buffer_c3)}}
  %c = mirage_thread.cluster_buffer %a : memref<16x64xf32, #gpu.address_space<workgroup>> to memref<4x16x64xf32, #mirage_thread.cluster_memory>
  // expected-note @+1 {{it is used here}}
  mirage_thread.copy %c[%i, %i, %i] to %x[%i, %i] sizes [16, 64] : memref<4x16x64xf32, #mirage_thread.cluster_memory> to memref<16x64xf32>
  return
}

// -----

func.func @cluster_barrier_c1() {
  // expected-error @+1 {{does not stand in the body of a kernel, where all threads of the cluster meet (cluster_barrier_c1)}}
  mirage_thread.cluster_barrier
  return
}

// -----

// expected-error @+1 {{is not positive, or elements of a chunk that are no neighbours (chunked_c1)}}
func.func private @chunked_c1(memref<64x64xf16, #mirage_thread.chunked<[64, 2], chunk = 64, chunk_stride = 4096>>)

// -----

// expected-error @+1 {{has chunks of 48 and 2 strides, which do not divide a shape of 64x64 (chunked_c2)}}
func.func private @chunked_c2(memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 48, chunk_stride = 4096>>)

// -----

// expected-error @+1 {{has chunks of 64 and 2 strides, which do not divide a shape of 64x72 (chunked_c2)}}
func.func private @chunked_c2_swizzled(memref<64x72xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>>)

// -----

// expected-error @+1 {{swizzles chunks of 8 elements, or has strides that are no multiples of these, or a distance of chunks that is no multiple of eight (chunked_c3)}}
func.func private @chunked_c3_chunk(memref<64x64xf16, #mirage_thread.chunked<[8, 1], chunk = 8, chunk_stride = 512, swizzled>>)

// -----

// expected-error @+1 {{a distance of chunks that is no multiple of eight (chunked_c3)}}
func.func private @chunked_c3_distance(memref<64x128xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4160, swizzled>>)

// -----

// expected-error @+1 {{has strides that are no multiples of these}}
func.func private @chunked_c3_stride(memref<64x128xf16, #mirage_thread.chunked<[72, 1], chunk = 64, chunk_stride = 4608, swizzled>>)

// -----

// expected-error @+1 {{is swizzled, and a dimension of 2 before that of rows has a stride of 4160, which is no multiple of eight chunks of 64 (chunked_c4)}}
func.func private @chunked_c4(memref<2x64x1x64xf16, #mirage_thread.chunked<[4160, 64, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>>)

// -----

func.func @shared_buffer_c3() {
  // expected-error @+1 {{and warpgroup_mma (shared_buffer_c3)}}
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
  // expected-note @+1 {{it is used here}}
  mirage_thread.fill %a with 0.0 : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_buffer_c4_offset() {
  // expected-error @+1 {{is swizzled, and the offset no multiple of 1024 or an element not of 16 bits (shared_buffer_c4)}}
  %a = mirage_thread.shared_buffer offset(128) : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_buffer_c4_type() {
  // expected-error @+1 {{or an element not of 16 bits (shared_buffer_c4)}}
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf32, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @warpgroup_mma_c1(%i: index, %l: memref<64x64xbf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{multiplies 'bf16' by 'f16' into 'f32' (warpgroup_mma_c1)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s : memref<64x64xbf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c2_shapes(%i: index, %l: memref<48x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 3072, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{with an accumulator of 64x64 (warpgroup_mma_c2)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s : memref<48x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 3072, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c2_offsets(%i: index, %l: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{or offsets, that do not go with an accumulator of 64x64 (warpgroup_mma_c2)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i], %s : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c3(%i: index, %l: tensor<64x8xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{contracts 8 elements, no multiple of 16 (warpgroup_mma_c3)}}
  %0 = mirage_thread.warpgroup_mma %l, %r[%i, %i], %s : tensor<64x8xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c4_rows(%i: index, %l: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d0:16, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [2 d0:32]>>) {
  // expected-error @+1 {{has an accumulator that lies otherwise than that of m64nNk16 (warpgroup_mma_c4)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d0:16, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [2 d0:32]>>
  return
}

// -----

func.func @warpgroup_mma_c4_lhs(%i: index, %l: tensor<64x64xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d0:16, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d1:16]>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{has a left operand in other registers than the rows of the accumulators need (warpgroup_mma_c4)}}
  %0 = mirage_thread.warpgroup_mma %l, %r[%i, %i], %s : tensor<64x64xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d0:16, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d1:16]>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c5(%i: index, %l: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, strided<[72, 1]>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
  // expected-error @+1 {{does not lie in chunks as wgmma reads them (warpgroup_mma_c5)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, strided<[72, 1]>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  return
}

// -----

func.func @warpgroup_mma_c6(%i: index, %l: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16, 2 d1:32]>>) {
  // expected-error @+1 {{has warpgroups whose columns are no whole chunks of the right operand (warpgroup_mma_c6)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16, 2 d1:32]>>
  return
}

// -----

// The ones have eight rows.
#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#o = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 512, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 9 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_mma_c7(%i: index, %l: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %r: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %o: memref<8x64xf16, #o, #gpu.address_space<workgroup>>, %s: tensor<64x72xf32, #s>) {
  // expected-error @+1 {{has ones that cannot stand behind its right operand's columns (warpgroup_mma_c7)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s row_sums %o : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x72xf32, #s>, memref<8x64xf16, #o, #gpu.address_space<workgroup>>
  return
}

// -----

// The ones lie before the right operand, to which a descriptor has no distance.
#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#o = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 1024, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 9 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_mma_c7_before(%i: index, %l: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %s: tensor<64x72xf32, #s>) {
  %o = mirage_thread.shared_buffer offset(0) : memref<16x64xf16, #o, #gpu.address_space<workgroup>>
  %r = mirage_thread.shared_buffer offset(2048) : memref<64x64xf16, #m, #gpu.address_space<workgroup>>
  // expected-error @+1 {{has ones that cannot stand behind its right operand's columns (warpgroup_mma_c7)}}
  %0 = mirage_thread.warpgroup_mma %l[%i, %i], %r[%i, %i], %s row_sums %o : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x72xf32, #s>, memref<16x64xf16, #o, #gpu.address_space<workgroup>>
  return
}

// -----

#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_wait_c1_product(%s: tensor<64x64xf32, #s>) {
  // expected-error @+1 {{waits for what is no warpgroup_mma of its block, or is used elsewhere (warpgroup_wait_c1)}}
  %0 = mirage_thread.warpgroup_wait %s : tensor<64x64xf32, #s>
  return
}

// -----

#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_wait_c1_uses(%i: index, %a: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #s>) -> tensor<64x64xf32, #s> {
  %0 = mirage_thread.warpgroup_mma %a[%i, %i], %a[%i, %i], %s : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x64xf32, #s>
  // expected-error @+1 {{or is used elsewhere (warpgroup_wait_c1)}}
  %1 = mirage_thread.warpgroup_wait %0 : tensor<64x64xf32, #s>
  return %0 : tensor<64x64xf32, #s>
}

// -----

#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_wait_c1_block(%c: i1, %i: index, %a: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #s>) {
  %0 = mirage_thread.warpgroup_mma %a[%i, %i], %a[%i, %i], %s : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x64xf32, #s>
  scf.if %c {
    // expected-error @+1 {{is no warpgroup_mma of its block}}
    %1 = mirage_thread.warpgroup_wait %0 : tensor<64x64xf32, #s>
  }
  return
}

// -----

#m = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#s = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
func.func @warpgroup_wait_c2(%c: i1, %i: index, %a: memref<64x64xf16, #m, #gpu.address_space<workgroup>>, %s: tensor<64x64xf32, #s>) {
  %0 = mirage_thread.warpgroup_mma %a[%i, %i], %a[%i, %i], %s : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x64xf32, #s>
  scf.if %c {
    %1 = mirage_thread.warpgroup_mma %a[%i, %i], %a[%i, %i], %s : memref<64x64xf16, #m, #gpu.address_space<workgroup>>, memref<64x64xf16, #m, #gpu.address_space<workgroup>>, tensor<64x64xf32, #s>
    %2 = mirage_thread.warpgroup_wait %1 : tensor<64x64xf32, #s>
  }
  // expected-error @+1 {{waits for a product behind which an operation with regions begins others (warpgroup_wait_c2)}}
  %3 = mirage_thread.warpgroup_wait %0 : tensor<64x64xf32, #s>
  return
}

// -----

func.func @exchange_lanes_c1(%x: tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>>) {
  // expected-error @+1 {{takes a tile and gives one of another shape or type, or one of them has no layout (exchange_lanes_c1)}}
  %0 = mirage_thread.exchange_lanes %x : tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>> to tensor<16x32xf32, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>>
  return
}

// -----

func.func @exchange_lanes_c1_layout(%x: tensor<16x32xf16>) {
  // expected-error @+1 {{or one of them has no layout (exchange_lanes_c1)}}
  %0 = mirage_thread.exchange_lanes %x : tensor<16x32xf16> to tensor<16x32xf16, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>>
  return
}

// -----

func.func @exchange_lanes_c2(%x: tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>>) {
  // expected-error @+1 {{has layouts that differ otherwise than by an exchange of lanes and registers (exchange_lanes_c2)}}
  %0 = mirage_thread.exchange_lanes %x : tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>> to tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>>
  return
}

// -----

#l = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @index_mask_c1(%i: index) {
  // expected-error @+1 {{has 1 coefficients for a tile of 2 dimensions (index_mask_c1)}}
  %0 = mirage_thread.index_mask %i coefficients [1] below 1 inside 0.0 outside 1.0 : tensor<16x8xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @index_mask_c2(%i: index) {
  // expected-error @+1 {{has no bound (index_mask_c2)}}
  %0 = mirage_thread.index_mask %i coefficients [-1, 1] inside 0.0 outside 1.0 : tensor<16x8xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @index_mask_c2_empty(%i: index) {
  // expected-error @+1 {{has a range from 3 below 3, which is empty (index_mask_c2)}}
  %0 = mirage_thread.index_mask %i coefficients [-1, 1] from 3 below 3 inside 0.0 outside 1.0 : tensor<16x8xf32, #l>
  return
}

// -----

#l = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
func.func @index_mask_c2_large(%i: index) {
  // expected-error @+1 {{has a bound of 2147483648, beyond 2^30 (index_mask_c2)}}
  %0 = mirage_thread.index_mask %i coefficients [-1, 1] below 2147483648 inside 0.0 outside 1.0 : tensor<16x8xf32, #l>
  return
}

// -----

func.func @index_mask_c3(%i: index) {
  // expected-error @+1 {{has a result without a layout (index_mask_c3)}}
  %0 = mirage_thread.index_mask %i coefficients [-1, 1] below 1 inside 0.0 outside 1.0 : tensor<16x8xf32>
  return
}
