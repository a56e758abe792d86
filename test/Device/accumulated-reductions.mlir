// What loops accumulate of reductions stays with the lanes and warps that have reduced it, and is exchanged once, behind the
// loop. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=largest_of_columns | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=rows | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=images | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=read_in_the_loop | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {
// The rows of a tile lie over registers, lanes and warps: an iteration reduces those of registers, and nothing passes shared
// memory before the loop has ended.
// CHECK-LABEL: gpu.func @columns_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.reduce sum
// CHECK-NOT: mirage_thread.reduce
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: scf.yield
// CHECK: mirage_thread.reduce sum
// CHECK: mirage_thread.store_fragment
func.func @columns(%x: tensor<4096x128xf16>) -> tensor<4x128xf32> {
  %0 = mirage_kernel.launch grid(x = 4, y = 2) (%p = %x : tensor<4096x128xf16>) -> tensor<4x128xf32> {
    %f = mirage_block.for %i = 0 to 16 -> tensor<1x64xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> 1) fmap(%i -> 0) : tensor<4096x128xf16> to tensor<64x64xf16>
      %c = mirage_block.cast %l : tensor<64x64xf16> to tensor<64x64xf32>
      %s = mirage_block.reduce sum %c dim(0) keep : (tensor<64x64xf32>) -> tensor<1x64xf32>
      %a = mirage_block.accumulate sum %s : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_block.yield %a : tensor<1x64xf32>
    }
    %o = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<1x64xf32> to tensor<4x128xf32>
    mirage_block.yield %o : tensor<4x128xf32>
  }
  return %0 : tensor<4x128xf32>
}

// CHECK-LABEL: gpu.func @largest_of_columns_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.reduce max
// CHECK-NOT: mirage_thread.reduce
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: scf.yield
// CHECK: mirage_thread.reduce max
func.func @largest_of_columns(%x: tensor<4096x128xf16>) -> tensor<4x128xf32> {
  %0 = mirage_kernel.launch grid(x = 4, y = 2) (%p = %x : tensor<4096x128xf16>) -> tensor<4x128xf32> {
    %f = mirage_block.for %i = 0 to 16 -> tensor<1x64xf32> {
      %l = mirage_block.load %p imap(x -> 0, y -> 1) fmap(%i -> 0) : tensor<4096x128xf16> to tensor<64x64xf16>
      %c = mirage_block.cast %l : tensor<64x64xf16> to tensor<64x64xf32>
      %s = mirage_block.reduce max %c dim(0) keep : (tensor<64x64xf32>) -> tensor<1x64xf32>
      %a = mirage_block.accumulate max %s : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_block.yield %a : tensor<1x64xf32>
    }
    %o = mirage_block.store %f omap(x -> 0, y -> 1) : tensor<1x64xf32> to tensor<4x128xf32>
    mirage_block.yield %o : tensor<4x128xf32>
  }
  return %0 : tensor<4x128xf32>
}

// A lane adds the neighbours of a row that it has, and all lanes and warps are added behind the loop.
// CHECK-LABEL: gpu.func @rows_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.reduce sum
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: scf.yield
// CHECK: mirage_thread.reduce sum
// CHECK: mirage_thread.store_fragment
func.func @rows(%x: tensor<8x131072xf16>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.launch grid(x = 8) (%p = %x : tensor<8x131072xf16>) -> tensor<8x1xf32> {
    %f = mirage_block.for %i = 0 to 32 -> tensor<1x1xf32> {
      %l = mirage_block.load %p imap(x -> 0) fmap(%i -> 1) : tensor<8x131072xf16> to tensor<1x4096xf16>
      %c = mirage_block.cast %l : tensor<1x4096xf16> to tensor<1x4096xf32>
      %q = mirage_block.square %c : (tensor<1x4096xf32>) -> tensor<1x4096xf32>
      %s = mirage_block.reduce sum %q dim(1) keep : (tensor<1x4096xf32>) -> tensor<1x1xf32>
      %a = mirage_block.accumulate sum %s : (tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %a : tensor<1x1xf32>
    }
    %o = mirage_block.store %f omap(x -> 0) : tensor<1x1xf32> to tensor<8x1xf32>
    mirage_block.yield %o : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}

// What an iteration reads again is reduced in it.
// CHECK-LABEL: gpu.func @read_in_the_loop_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.reduce sum
// CHECK: mirage_thread.store_fragment
// CHECK: mirage_thread.sub
// CHECK: scf.yield
func.func @read_in_the_loop(%x: tensor<4096x64xf16>) -> tensor<4x64xf32> {
  %0 = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<4096x64xf16>) -> tensor<4x64xf32> {
    %f = mirage_block.for %i = 0 to 16 -> tensor<1x64xf32> {
      %l = mirage_block.load %p imap(x -> 0) fmap(%i -> 0) : tensor<4096x64xf16> to tensor<64x64xf16>
      %c = mirage_block.cast %l : tensor<64x64xf16> to tensor<64x64xf32>
      %s = mirage_block.reduce sum %c dim(0) keep : (tensor<64x64xf32>) -> tensor<1x64xf32>
      %m = mirage_block.scale %s by 1.562500e-02 : (tensor<1x64xf32>) -> tensor<1x64xf32>
      %d = mirage_block.sub %c, %m : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
      %q = mirage_block.square %d : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %v = mirage_block.reduce sum %q dim(0) keep : (tensor<64x64xf32>) -> tensor<1x64xf32>
      %a = mirage_block.accumulate sum %v : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_block.yield %a : tensor<1x64xf32>
    }
    %o = mirage_block.store %f omap(x -> 0) : tensor<1x64xf32> to tensor<4x64xf32>
    mirage_block.yield %o : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// Two dimensions, one after the other: a row has 28 accesses of the 32 that lanes have, and those beyond its end add zeros.
// CHECK-LABEL: gpu.func @images_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.reduce sum
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: scf.yield
// CHECK: mirage_thread.reduce sum
// CHECK: mirage_thread.store_fragment
func.func @images(%x: tensor<4x448x224xf16>) -> tensor<4x1x1xf32> {
  %0 = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<4x448x224xf16>) -> tensor<4x1x1xf32> {
    %f = mirage_block.for %i = 0 to 56 -> tensor<1x1x1xf32> {
      %l = mirage_block.load %p imap(x -> 0) fmap(%i -> 1) : tensor<4x448x224xf16> to tensor<1x8x224xf16>
      %c = mirage_block.cast %l : tensor<1x8x224xf16> to tensor<1x8x224xf32>
      %q = mirage_block.square %c : (tensor<1x8x224xf32>) -> tensor<1x8x224xf32>
      %r = mirage_block.reduce sum %q dim(1) keep : (tensor<1x8x224xf32>) -> tensor<1x1x224xf32>
      %s = mirage_block.reduce sum %r dim(2) keep : (tensor<1x1x224xf32>) -> tensor<1x1x1xf32>
      %a = mirage_block.accumulate sum %s : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      mirage_block.yield %a : tensor<1x1x1xf32>
    }
    %o = mirage_block.store %f omap(x -> 0) : tensor<1x1x1xf32> to tensor<4x1x1xf32>
    mirage_block.yield %o : tensor<4x1x1xf32>
  }
  return %0 : tensor<4x1x1xf32>
}
}
