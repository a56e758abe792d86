// What the interpreter of kernels reports: each fault is planted in a kernel that is right without it.

// RUN: split-file %s %t
// RUN: mirage-run %t/program.mlir --device=threads --kernels=%t/kernel.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run --device=threads --kernels=%t/kernel.mlir | FileCheck %s --check-prefix=ALONE
// RIGHT: over_bound=0
// ALONE: result 0: tensor<64x32xf16>
// ALONE-NOT: bound

// A wait, a commit or a barrier is missing, or the wait is for too little.
// RUN: sed '/WAIT/d' %t/kernel.mlir > %t/0.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/0.mlir 2>&1 | FileCheck %s --check-prefix=PENDING
// RUN: sed 's/async_wait 0/async_wait 1/' %t/kernel.mlir > %t/1.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/1.mlir 2>&1 | FileCheck %s --check-prefix=PENDING
// RUN: sed '/COMMIT/d' %t/kernel.mlir > %t/2.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/2.mlir 2>&1 | FileCheck %s --check-prefix=PENDING
// PENDING: {{[0-2]}}.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'mirage_thread.load_fragment' op reads byte 0 of shared memory, to which an asynchronous copy is on its way
// PENDING: note: in block (0, 0, 0) of @kernel
// PENDING: note: the other access is by 'mirage_thread.copy'
// RUN: sed '/ARRIVED/d' %t/kernel.mlir > %t/3.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/3.mlir 2>&1 | FileCheck %s --check-prefix=ARRIVED
// ARRIVED: error: 'mirage_thread.load_fragment' op reads byte 0 of shared memory, which other threads wrote, and there is no barrier between
// RUN: sed '/STORED/d' %t/kernel.mlir > %t/4.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/4.mlir 2>&1 | FileCheck %s --check-prefix=STORED
// STORED: error: 'mirage_thread.load_fragment' op reads byte 4096 of shared memory, which lane 0 of warp 0 wrote, and there is no barrier between

// Bytes are used again before they were read.
// RUN: sed 's/remui %%ahead, %%c2/remui %%ahead, %%c1/' %t/kernel.mlir > %t/5.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/5.mlir 2>&1 | FileCheck %s --check-prefix=REUSED
// REUSED: error: 'mirage_thread.load_fragment' op reads byte 0 of shared memory, to which an asynchronous copy is on its way
// RUN: sed 's/offset(4096)/offset(0)/' %t/kernel.mlir > %t/6.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/6.mlir 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: error: 'mirage_thread.store_fragment' op overwrites byte 0 of shared memory, which other threads read, and there is no barrier between

// What nobody wrote is read, and what should be written is not.
// RUN: sed '/SPILL/d' %t/kernel.mlir > %t/7.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/7.mlir 2>&1 | FileCheck %s --check-prefix=UNINITIALIZED
// UNINITIALIZED: error: 'mirage_thread.load_fragment' op reads byte 4096 of shared memory, which nobody wrote
// RUN: sed '/RESULT/d' %t/kernel.mlir > %t/8.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/8.mlir 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: error: @f leaves byte 0 of output 0 unwritten

// Addresses are beyond the end, or no multiples of what an access moves.
// RUN: sed 's/addi %%wanted, %%c0/addi %%wanted, %%c64/' %t/kernel.mlir > %t/9.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/9.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: 'mirage_thread.copy' op accesses 16 elements from index 80 on along dimension 0 of 'memref<64x40xf16>'
// RUN: sed 's/constant 8192 : i32/constant 5000 : i32/' %t/kernel.mlir > %t/10.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/10.mlir 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: 'mirage_thread.shared_buffer' op reaches to byte 5120 of shared memory; the kernel is launched with 5000
// RUN: sed 's/%%column = arith.constant 0/%%column = arith.constant 4/' %t/kernel.mlir > %t/11.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/11.mlir 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// MISALIGNED: error: 'mirage_thread.copy' op moves 16 bytes at a time from byte 8 on, which is no multiple of that

// A layout puts elements into other threads, or is one of another block; a wrong tile gives wrong numbers.
// RUN: sed '/^#loaded/s/4 d1:8, 8 d0:1/8 d0:1, 4 d1:8/' %t/kernel.mlir > %t/12.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/12.mlir 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: 'mirage_thread.mul' op needs an element in lane 1 of warp 0 that is in another thread's registers
// RUN: sed 's/(%%c64, %%c1, %%c1)/(%%c128, %%c1, %%c1)/' %t/kernel.mlir > %t/13.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/13.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: error: 'mirage_thread.constant' op has a layout of 2 warps in a block of 4
// RUN: sed 's/muli %%ahead, %%c16/muli %%i, %%c16/' %t/kernel.mlir > %t/14.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/14.mlir | FileCheck %s --check-prefix=WRONG
// WRONG: over_bound={{[1-9][0-9]+}}

// Blocks write the same elements, a kernel writes an input, threads wait for each other forever.
// RUN: sed 's/blocks in (%%c1,/blocks in (%%c2,/' %t/kernel.mlir > %t/15.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/15.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: 'mirage_thread.store_fragment' op overwrites byte 0 of device memory, which another block wrote, and blocks run in any order
// BLOCKS: note: in block (1, 0, 0) of @kernel
// RUN: sed 's/mirage.num_inputs = 1/mirage.num_inputs = 2/' %t/kernel.mlir > %t/16.mlir
// RUN: not mirage-run --device=threads --kernels=%t/16.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: 'mirage_thread.store_fragment' op writes byte 0 of device memory, which is an input
// RUN: sed 's/\/\/ DIVERGENT//' %t/kernel.mlir > %t/17.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/17.mlir 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// DIVERGENT: error: 'gpu.barrier' op is executed by a part of the block's threads only, which waits for the others forever
// DIVERGENT: note: the condition differs between threads

// Other operations, and what is no lowered program, are refused.
// RUN: sed 's/\/\/ UNKNOWN//' %t/kernel.mlir > %t/18.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/18.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: 'gpu.lane_id' op is not executed by the interpreter of kernels
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/program.mlir 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: error: 'func.func' op is no host function that launches kernels; convert-mirage-block-to-thread makes such
// RUN: sed 's/64x40xf16/64x48xf16/' %t/kernel.mlir > %t/19.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/19.mlir 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// SIGNATURE: 19.mlir:{{.*}} error: @f has other arguments or results than the program's
// RUN: sed 's/constant 8192 : i32/constant 800000000 : i32/' %t/kernel.mlir > %t/20.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/20.mlir 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: 'gpu.launch_func' op needs a constant size of shared memory of at most 1 MiB
// RUN: sed 's/64x32xf16/6400000000x32xf16/' %t/kernel.mlir > %t/21.mlir
// RUN: not mirage-run --device=threads --kernels=%t/21.mlir 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: error: 'func.func' op uses 'memref<6400000000x32xf16>', which does not have between 1 and 2147483648 elements
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: mirage-run: error: cannot read {{.*}}none.mlir: No such file or directory
// RUN: not mirage-run --device=threads --entry=g --kernels=%t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: mirage-run: error: {{.*}}kernel.mlir has 0 functions of the name g; choose one of them with --entry
// RUN: sed 's/\/\/ VIEW//' %t/kernel.mlir > %t/22.mlir
// RUN: not mirage-run %t/program.mlir --device=threads --kernels=%t/22.mlir 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: 'memref.reinterpret_cast' op is no buffer under another shape, or order of dimensions, of as many elements

//--- program.mlir
// The first 32 columns, squared.
func.func @f(%x: tensor<64x40xf16>) -> tensor<64x32xf16> {
  %s = mirage_kernel.slice %x[0, 0] [64, 32] [1, 1] : (tensor<64x40xf16>) -> tensor<64x32xf16>
  %y = mirage_kernel.mul %s, %s : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %y : tensor<64x32xf16>
}

//--- kernel.mlir
#shared = #gpu.address_space<workgroup>
#rows = #mirage_thread.layout<registers = [8 d1:1], lanes = [4 d1:8, 8 d0:1], warps = [2 d0:8]>
#loaded = #mirage_thread.layout<registers = [8 d1:1], lanes = [4 d1:8, 8 d0:1], warps = [2 d0:8]>

module attributes {gpu.container_module} {
  func.func @f(%x: memref<64x40xf16>, %o: memref<64x32xf16>) attributes {mirage.num_inputs = 1 : i64} {
  // VIEW %part = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<64x40xf16> to memref<64xf16>
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 8192 : i32
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<64x40xf16>, %o : memref<64x32xf16>)
    return
  }
  gpu.module @kernels {
    // Tiles of 16 rows go through a ring of two stages, and the squares through another buffer.
    gpu.func @kernel(%x: memref<64x40xf16>, %o: memref<64x32xf16>) kernel {
      %ring = mirage_thread.shared_buffer offset(0) : memref<2x16x32xf16, #shared>
      %buffer = mirage_thread.shared_buffer offset(4096) : memref<16x32xf16, #shared>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %column = arith.constant 0 : index
      %one = mirage_thread.constant dense<1.0> : tensor<16x32xf16, #rows>
      // UNKNOWN %lane = gpu.lane_id
      // DIVERGENT %thread = gpu.thread_id x
      // DIVERGENT %isFirst = arith.cmpi ult, %thread, %c16 : index
      // DIVERGENT scf.if %isFirst { gpu.barrier }
      mirage_thread.copy async %x[%c0, %column] to %ring[%c0, %c0, %c0] sizes [16, 32] : memref<64x40xf16> to memref<2x16x32xf16, #shared>
      mirage_thread.async_commit // COMMIT
      scf.for %i = %c0 to %c4 step %c1 {
        mirage_thread.async_wait 0 // WAIT
        gpu.barrier // ARRIVED
        %ahead = arith.addi %i, %c1 : index
        %exists = arith.cmpi ult, %ahead, %c4 : index
        scf.if %exists {
          %next = arith.remui %ahead, %c2 : index
          %wanted = arith.muli %ahead, %c16 : index
          %row = arith.addi %wanted, %c0 : index
          mirage_thread.copy async %x[%row, %c0] to %ring[%next, %c0, %c0] sizes [16, 32] : memref<64x40xf16> to memref<2x16x32xf16, #shared>
        }
        mirage_thread.async_commit
        %slot = arith.remui %i, %c2 : index
        %t = mirage_thread.load_fragment %ring[%slot, %c0, %c0] : memref<2x16x32xf16, #shared> to tensor<16x32xf16, #rows>
        mirage_thread.store_fragment %t to %buffer[%c0, %c0] : tensor<16x32xf16, #rows> to memref<16x32xf16, #shared> // SPILL
        gpu.barrier // STORED
        %u = mirage_thread.load_fragment %buffer[%c0, %c0] : memref<16x32xf16, #shared> to tensor<16x32xf16, #loaded>
        %y = mirage_thread.mul %t, %u : (tensor<16x32xf16, #rows>, tensor<16x32xf16, #loaded>) -> tensor<16x32xf16, #rows>
        %to = arith.muli %i, %c16 : index
        mirage_thread.store_fragment %y to %o[%to, %c0] : tensor<16x32xf16, #rows> to memref<64x32xf16> // RESULT
      }
      gpu.return
    }
  }
}
