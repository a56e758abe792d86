// Layouts that attributes give operators. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=several | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=planned | FileCheck %s
// RUN: mirage-opt %s | mirage-opt | FileCheck %s --check-prefix=ROUND
// RUN: mirage-opt %s --emit-bytecode | mirage-opt | FileCheck %s --check-prefix=ROUND
// CHECK: bound 0: {{.*}} over_bound=0

// ROUND: mirage_thread.register_layout = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

#rows = #mirage_thread.layout<registers = [8 d2:1], lanes = [32 d2:8], warps = [4 d1:1]>
#columns = #mirage_thread.layout<registers = [4 d2:1, 2 d1:2], lanes = [32 d2:4], warps = [2 d2:128, 2 d1:1]>
#few = #mirage_thread.layout<registers = [], lanes = [4 d1:1, 8 phi], warps = [4 phi]>

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Each warp has a row, so that the sum meets in no shared memory.
// THREAD-LABEL: gpu.func @rows_0_launch
// THREAD-NOT: mirage_thread.shared_buffer
// THREAD: gpu.return
func.func @rows(%x: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %0 = mirage_kernel.launch grid(x = 16) (%a = %x : tensor<64x256xf16>) -> tensor<64x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x256xf16> to tensor<4x256xf16>
    %w = mirage_block.cast %t {mirage_thread.register_layout = #rows} : tensor<4x256xf16> to tensor<4x256xf32>
    %q = mirage_block.square %w : (tensor<4x256xf32>) -> tensor<4x256xf32>
    %r = mirage_block.reduce sum %q dim(1) keep : (tensor<4x256xf32>) -> tensor<4x1xf32>
    %e = mirage_block.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %b = mirage_block.add %r, %e : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
    %f = mirage_block.rsqrt %b : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %m = mirage_block.mul %w, %f : (tensor<4x256xf32>, tensor<4x1xf32>) -> tensor<4x256xf32>
    %h = mirage_block.cast %m : tensor<4x256xf32> to tensor<4x256xf16>
    %store = mirage_block.store %h omap(x -> 0) : tensor<4x256xf16> to tensor<64x256xf16>
    mirage_block.yield %store : tensor<64x256xf16>
  }
  return %0 : tensor<64x256xf16>
}

// Operators that follow each other have three layouts, so that what is between them passes shared memory.
// THREAD-LABEL: gpu.func @several_0_launch
// THREAD: mirage_thread.square {{.*}}warps = [4 d1:1]>>)
// THREAD: mirage_thread.store_fragment
// THREAD: mirage_thread.load_fragment
func.func @several(%x: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %0 = mirage_kernel.launch grid(x = 16) (%a = %x : tensor<64x256xf16>) -> tensor<64x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x256xf16> to tensor<4x256xf16>
    %w = mirage_block.cast %t {mirage_thread.register_layout = #rows} : tensor<4x256xf16> to tensor<4x256xf32>
    %q = mirage_block.square %w {mirage_thread.register_layout = #rows} : (tensor<4x256xf32>) -> tensor<4x256xf32>
    %r = mirage_block.reduce sum %q dim(1) keep {mirage_thread.register_layout = #columns} : (tensor<4x256xf32>) -> tensor<4x1xf32>
    %e = mirage_block.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %b = mirage_block.add %r, %e {mirage_thread.register_layout = #few} : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
    %f = mirage_block.rsqrt %b : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %m = mirage_block.mul %w, %f {mirage_thread.register_layout = #columns} : (tensor<4x256xf32>, tensor<4x1xf32>) -> tensor<4x256xf32>
    %h = mirage_block.cast %m {mirage_thread.register_layout = #rows} : tensor<4x256xf32> to tensor<4x256xf16>
    %store = mirage_block.store %h omap(x -> 0) : tensor<4x256xf16> to tensor<64x256xf16>
    mirage_block.yield %store : tensor<64x256xf16>
  }
  return %0 : tensor<64x256xf16>
}

// The integer program lets each warp have rows of its own.
func.func @planned(%x: tensor<256x1280xf16>, %y: tensor<256x1280xf16>) -> tensor<256x1xf32> {
  %0 = mirage_kernel.launch grid(x = 32) (%a = %x : tensor<256x1280xf16>, %b = %y : tensor<256x1280xf16>) -> tensor<256x1xf32> {
    %sum = mirage_block.for %i = 0 to 5 -> tensor<8x1xf32> {
      %s = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<256x1280xf16> to tensor<8x256xf16>
      %t = mirage_block.load %b imap(x -> 0) fmap(%i -> 1) : tensor<256x1280xf16> to tensor<8x256xf16>
      %v = mirage_block.cast %s : tensor<8x256xf16> to tensor<8x256xf32>
      %w = mirage_block.cast %t : tensor<8x256xf16> to tensor<8x256xf32>
      %p = mirage_block.mul %v, %w : (tensor<8x256xf32>, tensor<8x256xf32>) -> tensor<8x256xf32>
      %m = mirage_block.reduce max %p dim(1) keep : (tensor<8x256xf32>) -> tensor<8x1xf32>
      %d = mirage_block.sub %p, %m : (tensor<8x256xf32>, tensor<8x1xf32>) -> tensor<8x256xf32>
      %r = mirage_block.reduce sum %d dim(1) keep : (tensor<8x256xf32>) -> tensor<8x1xf32>
      %u = mirage_block.accumulate sum %r : (tensor<8x1xf32>) -> tensor<8x1xf32>
      mirage_block.yield %u : tensor<8x1xf32>
    }
    %store = mirage_block.store %sum omap(x -> 0) : tensor<8x1xf32> to tensor<256x1xf32>
    mirage_block.yield %store : tensor<256x1xf32>
  }
  return %0 : tensor<256x1xf32>
}
}
