// Products whose rows or columns no threads share evenly: what groups of warps have summed up is merged by lanes and warps
// that lie beyond the end of the tile, not by all of them. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=odd_rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=prime_rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=four_of_eight | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// THREAD-LABEL: gpu.func @odd_rows_0_launch
// THREAD: load_fragment {{.*}} to tensor<8x1x77x1xf32, #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d2:1], warps = [3 d2:32]>>
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {
// Five parts of rows, of which the last is not whole.
func.func @odd_rows(%x: tensor<154x512xf16>, %w: tensor<16x512xf16>) -> tensor<154x16xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<154x512xf16>, %b = %w : tensor<16x512xf16>) -> tensor<154x16xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<77x8xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<154x512xf16> to tensor<77x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<16x512xf16> to tensor<8x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<77x64xf16>, tensor<8x64xf16>) -> tensor<77x8xf32>
      %a = mirage_block.accumulate sum %m : (tensor<77x8xf32>) -> tensor<77x8xf32>
      mirage_block.yield %a : tensor<77x8xf32>
    }
    %c = mirage_block.cast %f : tensor<77x8xf32> to tensor<77x8xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<77x8xf16> to tensor<154x16xf16>
    mirage_block.yield %o : tensor<154x16xf16>
  }
  return %0 : tensor<154x16xf16>
}

// Thirteen parts, and columns that are no multiple of an instruction's.
func.func @prime_rows(%x: tensor<197x512xf16>, %w: tensor<24x512xf16>) -> tensor<197x24xf16> {
  %0 = mirage_kernel.launch grid(x = 1, y = 2) (%p = %x : tensor<197x512xf16>, %b = %w : tensor<24x512xf16>) -> tensor<197x24xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<197x12xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<197x512xf16> to tensor<197x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<24x512xf16> to tensor<12x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<197x64xf16>, tensor<12x64xf16>) -> tensor<197x12xf32>
      %a = mirage_block.accumulate sum %m : (tensor<197x12xf32>) -> tensor<197x12xf32>
      mirage_block.yield %a : tensor<197x12xf32>
    }
    %c = mirage_block.cast %f : tensor<197x12xf32> to tensor<197x12xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<197x12xf16> to tensor<197x24xf16>
    mirage_block.yield %o : tensor<197x24xf16>
  }
  return %0 : tensor<197x24xf16>
}

// The last columns of an instruction are beyond the end.
func.func @four_of_eight(%x: tensor<100x512xf16>, %w: tensor<72x512xf16>) -> tensor<100x72xf16> {
  %0 = mirage_kernel.launch grid(x = 1, y = 2) (%p = %x : tensor<100x512xf16>, %b = %w : tensor<72x512xf16>) -> tensor<100x72xf16> {
    %f = mirage_block.for %i = 0 to 8 -> tensor<100x36xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<100x512xf16> to tensor<100x64xf16>
      %k = mirage_block.load %b imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<72x512xf16> to tensor<36x64xf16>
      %m = mirage_block.matmul %l, %k transpose_rhs : (tensor<100x64xf16>, tensor<36x64xf16>) -> tensor<100x36xf32>
      %a = mirage_block.accumulate sum %m : (tensor<100x36xf32>) -> tensor<100x36xf32>
      mirage_block.yield %a : tensor<100x36xf32>
    }
    %c = mirage_block.cast %f : tensor<100x36xf32> to tensor<100x36xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<100x36xf16> to tensor<100x72xf16>
    mirage_block.yield %o : tensor<100x72xf16>
  }
  return %0 : tensor<100x72xf16>
}
}
