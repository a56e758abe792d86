// The interpreter of kernels takes the buffer with a number, and reports a number of which there is none.

// RUN: mirage-run --device=threads --kernels=%s | FileCheck %s
// RUN: sed 's/constant 2 : index \/\/ BLOCKS/constant 3 : index/' %s > %t.mlir
// RUN: not mirage-run --device=threads --kernels=%t.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND

// CHECK: result 0: tensor<16x32xf16>
// CHECK: result 1: tensor<16x32xf16>
// BEYOND: error: 'mirage_thread.select_buffer' op selects number 2 of 2 buffers
// BEYOND: note: in block (2, 0, 0) of @kernel

#rows = #mirage_thread.layout<registers = [8 d1:1], lanes = [4 d1:8, 8 d0:1], warps = [2 d0:8]>

module attributes {gpu.container_module} {
  func.func @f(%x: memref<16x32xf16>, %a: memref<16x32xf16>, %b: memref<16x32xf16>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %blocks = arith.constant 2 : index // BLOCKS
    %bytes = arith.constant 0 : i32
    gpu.launch_func @kernels::@kernel blocks in (%blocks, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<16x32xf16>, %a : memref<16x32xf16>, %b : memref<16x32xf16>)
    return
  }
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<16x32xf16>, %a: memref<16x32xf16>, %b: memref<16x32xf16>) kernel {
      %c0 = arith.constant 0 : index
      %block = gpu.block_id x
      %t = mirage_thread.load_fragment %x[%c0, %c0] : memref<16x32xf16> to tensor<16x32xf16, #rows>
      %o = mirage_thread.select_buffer %block of %a, %b : memref<16x32xf16>, memref<16x32xf16> to memref<16x32xf16>
      mirage_thread.store_fragment %t to %o[%c0, %c0] : tensor<16x32xf16, #rows> to memref<16x32xf16>
      gpu.return
    }
  }
}
