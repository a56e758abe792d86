// Launches without products and loops load tiles into the registers that need them, where one operator's registers do
// and warps load whole sectors. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: mirage-opt %s --mirage-schedule-launches=each | FileCheck %s --check-prefix=EACH
// RUN: mirage-run %s --device=threads --entry=overlap | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=copied | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=normalized | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=edges | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=many | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=seen_twice | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Of two tiles, each is read by one operator: no shared memory, but for the sums that warps have.
// PTX-LABEL: .entry overlap
// PTX-NOT: cp.async
// PTX-COUNT-8: ld.global.v4
// PTX-NOT: cp.async
// EACH-LABEL: func.func @overlap
// EACH-COUNT-2: mirage_block.load {{.*}}copy_way direct
func.func @overlap(%x: tensor<8x4096xf32>, %y: tensor<8x4096xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.launch grid(x = 8) (%xa = %x : tensor<8x4096xf32>, %ya = %y : tensor<8x4096xf32>) -> tensor<8x1xf32> {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<8x4096xf32> to tensor<1x4096xf32>
    %yt = mirage_block.load %ya imap(x -> 0) : tensor<8x4096xf32> to tensor<1x4096xf32>
    %s = mirage_block.sigmoid %xt : (tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %p = mirage_block.mul %s, %yt : (tensor<1x4096xf32>, tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %r = mirage_block.reduce sum %p dim(1) keep : (tensor<1x4096xf32>) -> tensor<1x1xf32>
    %st = mirage_block.store %r omap(x -> 0) : tensor<1x1xf32> to tensor<8x1xf32>
    mirage_block.yield %st : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}

// What is written at a load is obeyed.
// PTX-LABEL: .entry copied
// PTX: cp.async
// EACH-LABEL: func.func @copied
// EACH: mirage_block.load {{.*}}copy_way async
// EACH: mirage_block.load {{.*}}copy_way direct
func.func @copied(%x: tensor<8x4096xf32>, %y: tensor<8x4096xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.launch grid(x = 8) (%xa = %x : tensor<8x4096xf32>, %ya = %y : tensor<8x4096xf32>) -> tensor<8x1xf32> {
    %xt = mirage_block.load %xa imap(x -> 0) {mirage.copy_way = #mirage<copy_way async>} : tensor<8x4096xf32> to tensor<1x4096xf32>
    %yt = mirage_block.load %ya imap(x -> 0) {mirage.copy_way = #mirage<copy_way direct>} : tensor<8x4096xf32> to tensor<1x4096xf32>
    %p = mirage_block.mul %xt, %yt : (tensor<1x4096xf32>, tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %r = mirage_block.reduce sum %p dim(1) keep : (tensor<1x4096xf32>) -> tensor<1x1xf32>
    %st = mirage_block.store %r omap(x -> 0) : tensor<1x1xf32> to tensor<8x1xf32>
    mirage_block.yield %st : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}

// Each warp has a row; the weights, which all of them need, are few.
func.func @normalized(%x: tensor<64x256xf16>, %w: tensor<1x256xf16>) -> tensor<64x256xf16> {
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-05) : (tensor<64x256xf16>) -> tensor<64x256xf16>
  %1 = mirage_kernel.mul %0, %w : (tensor<64x256xf16>, tensor<1x256xf16>) -> tensor<64x256xf16>
  return %1 : tensor<64x256xf16>
}

// Tiles that reach beyond the end of their tensors.
func.func @edges(%x: tensor<331x136xf32>, %y: tensor<331x136xf32>) -> tensor<331x136xf32> {
  %0 = mirage_kernel.mul %x, %y : (tensor<331x136xf32>, tensor<331x136xf32>) -> tensor<331x136xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<331x136xf32>) -> tensor<331x136xf32>
  return %1 : tensor<331x136xf32>
}

// Threads have registers for one of two tiles; the other one comes to shared memory.
// PTX-LABEL: .entry many
// PTX: cp.async
// EACH-LABEL: func.func @many
// EACH: mirage_block.load {{.*}}copy_way direct
// EACH: mirage_block.load {{.*}}copy_way async
func.func @many(%x: tensor<64x2048xf32>, %y: tensor<64x2048xf32>) -> tensor<64x2048xf32> {
  %0 = mirage_kernel.launch grid(x = 16) (%xa = %x : tensor<64x2048xf32>, %ya = %y : tensor<64x2048xf32>) -> tensor<64x2048xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2>} {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x2048xf32> to tensor<4x2048xf32>
    %yt = mirage_block.load %ya imap(x -> 0) : tensor<64x2048xf32> to tensor<4x2048xf32>
    %m = mirage_block.reduce max %xt dim(1) keep : (tensor<4x2048xf32>) -> tensor<4x1xf32>
    %d = mirage_block.sub %xt, %m : (tensor<4x2048xf32>, tensor<4x1xf32>) -> tensor<4x2048xf32>
    %p = mirage_block.mul %d, %yt : (tensor<4x2048xf32>, tensor<4x2048xf32>) -> tensor<4x2048xf32>
    %st = mirage_block.store %p omap(x -> 0) : tensor<4x2048xf32> to tensor<64x2048xf32>
    mirage_block.yield %st : tensor<64x2048xf32>
  }
  return %0 : tensor<64x2048xf32>
}

// The tile is read in another order besides, by way of shared memory.
// PTX-LABEL: .entry seen_twice
// PTX: cp.async
// EACH-LABEL: func.func @seen_twice
// EACH: mirage_block.load {{.*}}copy_way async
func.func @seen_twice(%x: tensor<8x48xf32>) -> (tensor<8x48xf32>, tensor<48x8xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8x48xf32>) -> (tensor<8x48xf32>, tensor<48x8xf32>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
    %t = mirage_block.load %a imap(x -> 1) : tensor<8x48xf32> to tensor<8x24xf32>
    %e = mirage_block.transpose %t [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
    %d = mirage_block.add %t, %t : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %st = mirage_block.store %d omap(x -> 1) : tensor<8x24xf32> to tensor<8x48xf32>
    %su = mirage_block.store %e omap(x -> 0) : tensor<24x8xf32> to tensor<48x8xf32>
    mirage_block.yield %st, %su : tensor<8x48xf32>, tensor<48x8xf32>
  }
  return %0#0, %0#1 : tensor<8x48xf32>, tensor<48x8xf32>
}
}
