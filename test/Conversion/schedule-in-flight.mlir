// As many tiles of loops are on their way as hide the latency of the memory
// from which they come, and stages that have no trip take no room.

// RUN: mirage-opt %s --mirage-schedule-launches=cluster-blocks=1 | FileCheck %s
// RUN: mirage-opt %s --mirage-schedule-launches=cluster-blocks=1 --convert-mirage-block-to-thread | FileCheck %s --check-prefix=ROOM
// RUN: mirage-run %s --entry=again --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=once --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=at_once --device=threads | FileCheck %s --check-prefix=RIGHT


// RIGHT: over_bound=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Eight blocks load each tile of x, and sixteen each of w: they come from L2 but
// for the first time, whose bandwidth wants more bytes on their way.
// CHECK-LABEL: func.func @again
// CHECK: stages = 5
func.func @again(%x: tensor<1024x1024xf16>, %w: tensor<1024x512xf16>) -> tensor<1024x512xf16> {
  %0 = mirage_kernel.launch grid(x = 16, y = 8) (%x0 = %x : tensor<1024x1024xf16>, %w0 = %w : tensor<1024x512xf16>) -> tensor<1024x512xf16> {
    %sum = mirage_block.for %i = 0 to 16 -> tensor<64x64xf32> {
      %xt = mirage_block.load %x0 imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1024x1024xf16> to tensor<64x64xf16>
      %wt = mirage_block.load %w0 imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<1024x512xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %s = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<1024x512xf16>
    mirage_block.yield %s : tensor<1024x512xf16>
  }
  return %0 : tensor<1024x512xf16>
}

// Half of what blocks load comes from device memory.
// CHECK-LABEL: func.func @once
// CHECK: stages = 4
func.func @once(%x: tensor<64x1024xf16>, %w: tensor<1024x4096xf16>) -> tensor<64x4096xf16> {
  %0 = mirage_kernel.launch grid(x = 64) (%x0 = %x : tensor<64x1024xf16>, %w0 = %w : tensor<1024x4096xf16>) -> tensor<64x4096xf16> {
    %sum = mirage_block.for %i = 0 to 16 -> tensor<64x64xf32> {
      %xt = mirage_block.load %x0 imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x64xf16>
      %wt = mirage_block.load %w0 imap(x -> 1) fmap(%i -> 0) : tensor<1024x4096xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %s = mirage_block.store %c omap(x -> 1) : tensor<64x64xf16> to tensor<64x4096xf16>
    mirage_block.yield %s : tensor<64x4096xf16>
  }
  return %0 : tensor<64x4096xf16>
}

// The tiles of six trips are on their way before the first one is multiplied,
// with seven stages, of which six have a place. One group of warps multiplies.
// CHECK-LABEL: func.func @at_once
// CHECK: loop_groups = 1, stages = 7
// ROOM-LABEL: gpu.func @at_once
// ROOM: mirage_thread.shared_buffer {{.*}} : memref<6x1x{{.*}}xf16
func.func @at_once(%x: tensor<64x768xf16>, %w: tensor<768x1024xf16>) -> tensor<64x1024xf16> {
  %0 = mirage_kernel.launch grid(x = 16) (%x0 = %x : tensor<64x768xf16>, %w0 = %w : tensor<768x1024xf16>) -> tensor<64x1024xf16> {
    %sum = mirage_block.for %i = 0 to 6 -> tensor<64x64xf32> {
      %xt = mirage_block.load %x0 imap(x -> phi) fmap(%i -> 1) : tensor<64x768xf16> to tensor<64x128xf16>
      %wt = mirage_block.load %w0 imap(x -> 1) fmap(%i -> 0) : tensor<768x1024xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %s = mirage_block.store %c omap(x -> 1) : tensor<64x64xf16> to tensor<64x1024xf16>
    mirage_block.yield %s : tensor<64x1024xf16>
  }
  return %0 : tensor<64x1024xf16>
}

}
