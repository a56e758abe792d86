// How attributes let tiles lie in shared memory. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=products | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=through | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=stored | FileCheck %s
// RUN: mirage-opt %s | mirage-opt | FileCheck %s --check-prefix=ROUND
// RUN: mirage-opt %s --emit-bytecode | mirage-opt | FileCheck %s --check-prefix=ROUND
// CHECK: bound 0: {{.*}} over_bound=0

// ROUND: mirage_thread.memory_layout = "chunks of 32"
// ROUND: mirage_thread.memory_layout = "dense"
// ROUND: mirage_thread.memory_layout = "gaps of 2"

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// ldmatrix reads the operands of products by mma.sync in chunks and dense.
// THREAD-LABEL: gpu.func @products_0_launch
// THREAD: mirage_thread.shared_buffer {{.*}}memref<2x1x32x64xf16, {{.*}}chunk = 32{{.*}}>
func.func @products(%x: tensor<64x512xf16>, %w: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<64x512xf16>, %wa = %w : tensor<512x64xf16>) -> tensor<64x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 2, loop_groups = 1, stages = 2>} {
    %f = mirage_block.for %i = 0 to 8 -> tensor<32x64xf32> {
      %xt = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) {mirage_thread.memory_layout = "chunks of 32"} : tensor<64x512xf16> to tensor<32x64xf16>
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) {mirage_thread.memory_layout = "dense"} : tensor<512x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<32x64xf32>) -> tensor<32x64xf32>
      mirage_block.yield %pa : tensor<32x64xf32>
    }
    %st = mirage_block.store %f omap(x -> 0) : tensor<32x64xf32> to tensor<64x64xf32>
    mirage_block.yield %st : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// Copies of four bytes bring rows with gaps of four bytes.
// THREAD-LABEL: gpu.func @columns_0_launch
// THREAD: mirage_thread.shared_buffer {{.*}}memref<1x32x64xf16, strided<[2112, 66, 1]>
func.func @columns(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<64x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> 0) {mirage_thread.memory_layout = "gaps of 2"} : tensor<64x64xf16> to tensor<32x64xf16>
    %u = mirage_block.transpose %t [1, 0] : (tensor<32x64xf16>) -> tensor<64x32xf16>
    %e = mirage_block.exp %u : (tensor<64x32xf16>) -> tensor<64x32xf16>
    %store = mirage_block.store %e omap(x -> 1) : tensor<64x32xf16> to tensor<64x64xf16>
    mirage_block.yield %store : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// A tile that would come directly into registers passes shared memory.
// THREAD-LABEL: gpu.func @through_0_launch
// THREAD: mirage_thread.shared_buffer
func.func @through(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) {mirage_thread.memory_layout = "chunks of 64"} : tensor<4x256xf16> to tensor<4x256xf16>
    %e = mirage_block.exp %t : (tensor<4x256xf16>) -> tensor<4x256xf16>
    %store = mirage_block.store %e omap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}

// What an operator stores on its way to another layout lies as its attribute says.
// THREAD-LABEL: gpu.func @stored_0_launch
// THREAD: mirage_thread.shared_buffer {{.*}}memref<1x4x256xf32, strided<[1028, 257, 1]>
// THREAD: mirage_thread.store_fragment
func.func @stored(%x: tensor<4x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x256xf16>) -> tensor<4x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    %w = mirage_block.cast %t : tensor<4x256xf16> to tensor<4x256xf32>
    %q = mirage_block.exp %w {mirage_thread.memory_layout = "gaps of 1", mirage_thread.register_layout = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>} : (tensor<4x256xf32>) -> tensor<4x256xf32>
    %r = mirage_block.reduce sum %q dim(0) keep {mirage_thread.register_layout = #mirage_thread.layout<registers = [4 d1:1, 2 d2:1], lanes = [32 d2:2], warps = [4 d2:64]>} : (tensor<4x256xf32>) -> tensor<1x256xf32>
    %m = mirage_block.div %q, %r : (tensor<4x256xf32>, tensor<1x256xf32>) -> tensor<4x256xf32>
    %h = mirage_block.cast %m : tensor<4x256xf32> to tensor<4x256xf16>
    %store = mirage_block.store %h omap(x -> phi) : tensor<4x256xf16> to tensor<4x256xf16>
    mirage_block.yield %store : tensor<4x256xf16>
  }
  return %0 : tensor<4x256xf16>
}
}
