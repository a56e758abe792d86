// Results that a loop puts together and that are stored alone have no place in shared memory: each iteration stores its tile. So rows
// may be longer than shared memory. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-print-cost -o /dev/null | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=wide_softmax | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=three_passes | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=shared_by_blocks | FileCheck %s
// The general lowering stores tiles in the same way.
// RUN: mirage-opt %s --mirage-lower-to-thread=schedule=false -o %t.general.mlir
// RUN: mirage-run %s --kernels=%t.general.mlir --device=threads --entry=wide_softmax | FileCheck %s
// RUN: mirage-run %s --kernels=%t.general.mlir --device=threads --entry=three_passes | FileCheck %s
// RUN: mirage-run %s --kernels=%t.general.mlir --device=threads --entry=columns | FileCheck %s

// CHECK: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// A row has 256 KiB.
// THREAD-LABEL: gpu.func @wide_softmax
// THREAD-COUNT-2: scf.for
// THREAD: mirage_thread.store_fragment %{{.*}} to %arg1[{{.*}}] : tensor<1x{{[0-9]+}}xf16
// THREAD: gpu.return
// COST-LABEL: @wide_softmax
// COST: launch
// COST-SAME: 3x1x1 24 {{.*}} 32768
func.func @wide_softmax(%x: tensor<3x131072xf16>) -> tensor<3x131072xf16> {
  %launch = mirage_kernel.launch grid(x = 3) (%a = %x : tensor<3x131072xf16>) -> tensor<3x131072xf16> {
    %row:2 = mirage_block.for %i = 0 to 64 -> (tensor<1x1xf32>, tensor<1x1xf32>) {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<3x131072xf16> to tensor<1x2048xf16>
      %c = mirage_block.cast %t : tensor<1x2048xf16> to tensor<1x2048xf32>
      %m = mirage_block.reduce max %c dim(1) keep : (tensor<1x2048xf32>) -> tensor<1x1xf32>
      %d = mirage_block.sub %c, %m : (tensor<1x2048xf32>, tensor<1x1xf32>) -> tensor<1x2048xf32>
      %e = mirage_block.exp %d : (tensor<1x2048xf32>) -> tensor<1x2048xf32>
      %s = mirage_block.reduce sum %e dim(1) keep : (tensor<1x2048xf32>) -> tensor<1x1xf32>
      %am = mirage_block.accumulate max %m : (tensor<1x1xf32>) -> tensor<1x1xf32>
      %as = mirage_block.accumulate rescaled_sum %s shift %m : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %am, %as : tensor<1x1xf32>, tensor<1x1xf32>
    }
    %out = mirage_block.for %i = 0 to 64 -> tensor<1x131072xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<3x131072xf16> to tensor<1x2048xf16>
      %c = mirage_block.cast %t : tensor<1x2048xf16> to tensor<1x2048xf32>
      %d = mirage_block.sub %c, %row#0 : (tensor<1x2048xf32>, tensor<1x1xf32>) -> tensor<1x2048xf32>
      %e = mirage_block.exp %d : (tensor<1x2048xf32>) -> tensor<1x2048xf32>
      %q = mirage_block.div %e, %row#1 : (tensor<1x2048xf32>, tensor<1x1xf32>) -> tensor<1x2048xf32>
      %f = mirage_block.cast %q : tensor<1x2048xf32> to tensor<1x2048xf16>
      %j = mirage_block.accumulate concat %f dim(1) : (tensor<1x2048xf16>) -> tensor<1x131072xf16>
      mirage_block.yield %j : tensor<1x131072xf16>
    }
    %store = mirage_block.store %out omap(x -> 0) : tensor<1x131072xf16> to tensor<3x131072xf16>
    mirage_block.yield %store : tensor<3x131072xf16>
  }
  return %launch : tensor<3x131072xf16>
}

// A mean, a variance, and what they shift and scale. The result and the deviation are both stored, in two types.
// THREAD-LABEL: gpu.func @three_passes
// THREAD-COUNT-3: scf.for
// THREAD: gpu.return
func.func @three_passes(%x: tensor<2x3x65536xf32>) -> (tensor<2x3x65536xf16>, tensor<2x3x65536xf32>) {
  %launch:2 = mirage_kernel.launch grid(x = 2, y = 3) (%a = %x : tensor<2x3x65536xf32>) -> (tensor<2x3x65536xf16>, tensor<2x3x65536xf32>) {
    %sum = mirage_block.for %i = 0 to 64 -> tensor<1x1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<2x3x65536xf32> to tensor<1x1x1024xf32>
      %s = mirage_block.reduce sum %t dim(2) keep : (tensor<1x1x1024xf32>) -> tensor<1x1x1xf32>
      %as = mirage_block.accumulate sum %s : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      mirage_block.yield %as : tensor<1x1x1xf32>
    }
    %mean = mirage_block.scale %sum by 1.52587890625e-05 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %squares = mirage_block.for %i = 0 to 64 -> tensor<1x1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<2x3x65536xf32> to tensor<1x1x1024xf32>
      %d = mirage_block.sub %t, %mean : (tensor<1x1x1024xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1024xf32>
      %q = mirage_block.mul %d, %d : (tensor<1x1x1024xf32>, tensor<1x1x1024xf32>) -> tensor<1x1x1024xf32>
      %s = mirage_block.reduce sum %q dim(2) keep : (tensor<1x1x1024xf32>) -> tensor<1x1x1xf32>
      %as = mirage_block.accumulate sum %s : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      mirage_block.yield %as : tensor<1x1x1xf32>
    }
    %variance = mirage_block.scale %squares by 1.52587890625e-05 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %root = mirage_block.sqrt %variance : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %out:2 = mirage_block.for %i = 0 to 64 -> (tensor<1x1x65536xf16>, tensor<1x1x65536xf32>) {
      %t = mirage_block.load %a imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<2x3x65536xf32> to tensor<1x1x1024xf32>
      %d = mirage_block.sub %t, %mean : (tensor<1x1x1024xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1024xf32>
      %q = mirage_block.div %d, %root : (tensor<1x1x1024xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1024xf32>
      %f = mirage_block.cast %q : tensor<1x1x1024xf32> to tensor<1x1x1024xf16>
      %j = mirage_block.accumulate concat %f dim(2) : (tensor<1x1x1024xf16>) -> tensor<1x1x65536xf16>
      %k = mirage_block.accumulate concat %d dim(2) : (tensor<1x1x1024xf32>) -> tensor<1x1x65536xf32>
      mirage_block.yield %j, %k : tensor<1x1x65536xf16>, tensor<1x1x65536xf32>
    }
    %r = mirage_block.store %out#0 omap(x -> 0, y -> 1) : tensor<1x1x65536xf16> to tensor<2x3x65536xf16>
    %s = mirage_block.store %out#1 omap(x -> 0, y -> 1) : tensor<1x1x65536xf32> to tensor<2x3x65536xf32>
    mirage_block.yield %r, %s : tensor<2x3x65536xf16>, tensor<2x3x65536xf32>
  }
  return %launch#0, %launch#1 : tensor<2x3x65536xf16>, tensor<2x3x65536xf32>
}

// Iterations store rows, and the grid divides columns. What is put together in the second loop is read by the block, and stays in
// shared memory.
// THREAD-LABEL: gpu.func @columns
// THREAD: mirage_thread.shared_buffer {{.*}} : memref<1x64x32xf16
// THREAD: gpu.return
func.func @columns(%x: tensor<4096x64xf16>, %y: tensor<64x64xf16>) -> (tensor<4096x64xf16>, tensor<64x64xf16>) {
  %launch:2 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<4096x64xf16>, %b = %y : tensor<64x64xf16>) -> (tensor<4096x64xf16>, tensor<64x64xf16>) {
    %out = mirage_block.for %i = 0 to 64 -> tensor<4096x32xf16> {
      %t = mirage_block.load %a imap(x -> 1) fmap(%i -> 0) : tensor<4096x64xf16> to tensor<64x32xf16>
      %e = mirage_block.exp %t : (tensor<64x32xf16>) -> tensor<64x32xf16>
      %j = mirage_block.accumulate concat %e dim(0) : (tensor<64x32xf16>) -> tensor<4096x32xf16>
      mirage_block.yield %j : tensor<4096x32xf16>
    }
    %small = mirage_block.for %i = 0 to 4 -> tensor<64x32xf16> {
      %t = mirage_block.load %b imap(x -> 1) fmap(%i -> 0) : tensor<64x64xf16> to tensor<16x32xf16>
      %e = mirage_block.exp %t : (tensor<16x32xf16>) -> tensor<16x32xf16>
      %j = mirage_block.accumulate concat %e dim(0) : (tensor<16x32xf16>) -> tensor<64x32xf16>
      mirage_block.yield %j : tensor<64x32xf16>
    }
    %twice = mirage_block.scale %small by 2.0 : (tensor<64x32xf16>) -> tensor<64x32xf16>
    %r = mirage_block.store %out omap(x -> 1) : tensor<4096x32xf16> to tensor<4096x64xf16>
    %s = mirage_block.store %twice omap(x -> 1) : tensor<64x32xf16> to tensor<64x64xf16>
    mirage_block.yield %r, %s : tensor<4096x64xf16>, tensor<64x64xf16>
  }
  return %launch#0, %launch#1 : tensor<4096x64xf16>, tensor<64x64xf16>
}

// Blocks of a cluster and groups of warps share the iterations of both loops, and merge the sum between them.
// THREAD-LABEL: gpu.func @shared_by_blocks
// THREAD: scf.for
// THREAD: scf.for
// THREAD: gpu.return
func.func @shared_by_blocks(%x: tensor<2x65536xf16>) -> tensor<2x65536xf16> {
  %launch = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<2x65536xf16>) -> tensor<2x65536xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 2, stages = 4, cluster_blocks = 2>} {
    %sum = mirage_block.for %i = 0 to 64 -> tensor<1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<2x65536xf16> to tensor<1x1024xf16>
      %c = mirage_block.cast %t : tensor<1x1024xf16> to tensor<1x1024xf32>
      %q = mirage_block.square %c : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
      %s = mirage_block.reduce sum %q dim(1) keep : (tensor<1x1024xf32>) -> tensor<1x1xf32>
      %as = mirage_block.accumulate sum %s : (tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %as : tensor<1x1xf32>
    }
    %root = mirage_block.sqrt %sum : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %out = mirage_block.for %i = 0 to 64 -> tensor<1x65536xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<2x65536xf16> to tensor<1x1024xf16>
      %c = mirage_block.cast %t : tensor<1x1024xf16> to tensor<1x1024xf32>
      %q = mirage_block.div %c, %root : (tensor<1x1024xf32>, tensor<1x1xf32>) -> tensor<1x1024xf32>
      %f = mirage_block.cast %q : tensor<1x1024xf32> to tensor<1x1024xf16>
      %j = mirage_block.accumulate concat %f dim(1) : (tensor<1x1024xf16>) -> tensor<1x65536xf16>
      mirage_block.yield %j : tensor<1x65536xf16>
    }
    %store = mirage_block.store %out omap(x -> 0) : tensor<1x65536xf16> to tensor<2x65536xf16>
    mirage_block.yield %store : tensor<2x65536xf16>
  }
  return %launch : tensor<2x65536xf16>
}
}
