// Blocks of products stay for several of the grid where their results leave without shared memory.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=WHY
// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD

module attributes {mirage.target = #mirage.target<sm_90a>} {

// 512 blocks, of which a multiprocessor has room for one: lanes exchange what they store.
// CHECK-LABEL: func.func @stays
// CHECK: row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 4, bulk_copies = true, persistent_blocks = 132, worker_registers = 232>
// WHY-LABEL: @stays on sm_90a
// WHY: persistent_blocks = 132: a multiprocessor has room for one of the 512 blocks at a time, and begins to load for the next one
// THREAD-LABEL: gpu.func @stays_0_launch
// THREAD: mirage_thread.thread_registers 232
// THREAD-NOT: mirage_thread.barrier
// THREAD: mirage_thread.exchange_lanes
// THREAD-NOT: mirage_thread.barrier
// THREAD: gpu.return
func.func @stays(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %o = mirage_kernel.launch grid(x = 32, y = 16) (%l = %a : tensor<4096x4096xf16>, %r = %b : tensor<4096x4096xf16>) -> tensor<4096x4096xf16>  {
    %s = mirage_block.for %i = 0 to 64 -> tensor<128x256xf32> {
      %x = mirage_block.load %l imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<128x64xf16>
      %y = mirage_block.load %r imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<4096x4096xf16> to tensor<64x256xf16>
      %p = mirage_block.matmul %x, %y : (tensor<128x64xf16>, tensor<64x256xf16>) -> tensor<128x256xf32>
      %t = mirage_block.accumulate sum %p : (tensor<128x256xf32>) -> tensor<128x256xf32>
      mirage_block.yield %t : tensor<128x256xf32>
    }
    %c = mirage_block.cast %s : tensor<128x256xf32> to tensor<128x256xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<128x256xf16> to tensor<4096x4096xf16>
    mirage_block.yield %w : tensor<4096x4096xf16>
  }
  return %o : tensor<4096x4096xf16>
}

// Numbers of 32 bits go through the memory of the stages to threads that have 16 bytes of them.
// CHECK-LABEL: func.func @through_shared_memory
// CHECK: loader_warps = 1, bulk_copies = true>
func.func @through_shared_memory(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf32> {
  %o = mirage_kernel.launch grid(x = 32, y = 16) (%l = %a : tensor<4096x4096xf16>, %r = %b : tensor<4096x4096xf16>) -> tensor<4096x4096xf32>  {
    %s = mirage_block.for %i = 0 to 64 -> tensor<128x256xf32> {
      %x = mirage_block.load %l imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<128x64xf16>
      %y = mirage_block.load %r imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<4096x4096xf16> to tensor<64x256xf16>
      %p = mirage_block.matmul %x, %y : (tensor<128x64xf16>, tensor<64x256xf16>) -> tensor<128x256xf32>
      %t = mirage_block.accumulate sum %p : (tensor<128x256xf32>) -> tensor<128x256xf32>
      mirage_block.yield %t : tensor<128x256xf32>
    }
    %w = mirage_block.store %s omap(x -> 0, y -> 1) : tensor<128x256xf32> to tensor<4096x4096xf32>
    mirage_block.yield %w : tensor<4096x4096xf32>
  }
  return %o : tensor<4096x4096xf32>
}

// One turn has nothing to bring meanwhile.
// CHECK-LABEL: func.func @one_turn
// CHECK: loader_warps = 1, bulk_copies = true>
func.func @one_turn(%a: tensor<1024x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<1024x4096xf16> {
  %o = mirage_kernel.launch grid(x = 8, y = 16) (%l = %a : tensor<1024x4096xf16>, %r = %b : tensor<4096x4096xf16>) -> tensor<1024x4096xf16>  {
    %s = mirage_block.for %i = 0 to 64 -> tensor<128x256xf32> {
      %x = mirage_block.load %l imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1024x4096xf16> to tensor<128x64xf16>
      %y = mirage_block.load %r imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<4096x4096xf16> to tensor<64x256xf16>
      %p = mirage_block.matmul %x, %y : (tensor<128x64xf16>, tensor<64x256xf16>) -> tensor<128x256xf32>
      %t = mirage_block.accumulate sum %p : (tensor<128x256xf32>) -> tensor<128x256xf32>
      mirage_block.yield %t : tensor<128x256xf32>
    }
    %c = mirage_block.cast %s : tensor<128x256xf32> to tensor<128x256xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<128x256xf16> to tensor<1024x4096xf16>
    mirage_block.yield %w : tensor<1024x4096xf16>
  }
  return %o : tensor<1024x4096xf16>
}

}
