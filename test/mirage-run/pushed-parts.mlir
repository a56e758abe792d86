// The blocks of a cluster push what they have accumulated to each other. A kernel without one
// of the operations that order this is reported.

// RUN: mirage-opt %s --mirage-lower-to-thread -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: mirage-run %s --device=threads --kernels=%t.mlir | FileCheck %s --check-prefix=RIGHT
// RIGHT: over_bound=0 unbounded=0

// Each block has half of the rows, of the sums and of the products.
// IR: %[[INBOX:.*]] = mirage_thread.inbox offset({{.*}}) : <bytes = 1056>
// What is pushed has a place of its own, so that the inbox is open from the beginning on.
// IR: mirage_thread.inbox_open %[[INBOX]]
// IR: scf.for
// IR: mirage_thread.inbox_meet %[[INBOX]]
// IR: mirage_thread.push_fragment {{.*}} tensor<2x1x1x8x1xf32, {{.*}}> to memref<2x2x1x8x1xf32
// IR: mirage_thread.push_fragment {{.*}} tensor<2x1x1x8x32xf32, {{.*}}> to memref<2x2x1x8x32xf32
// IR: mirage_thread.inbox_await %[[INBOX]]
// IR-NOT: cluster_barrier

// Nobody has waited for what was pushed.
// RUN: sed '/inbox_await/d' %t.mlir > %t.await.mlir
// RUN: not mirage-run %s --device=threads --kernels=%t.await.mlir 2>&1 | FileCheck %s --check-prefix=AWAIT
// AWAIT: error: 'mirage_thread.load_fragment' op reads byte {{[0-9]+}} of shared memory, which {{.*}} wrote
// AWAIT: the other access is by 'mirage_thread.push_fragment'

// The first block pushes before the second one has opened its inbox.
// RUN: sed '/inbox_meet/d' %t.mlir > %t.meet.mlir
// RUN: not mirage-run %s --device=threads --kernels=%t.meet.mlir 2>&1 | FileCheck %s --check-prefix=MEET
// MEET: error: 'mirage_thread.inbox_await' op waits for 1056 bytes, and 0 were pushed to the block

// RUN: sed '/inbox_open/d' %t.mlir > %t.open.mlir
// RUN: not mirage-run %s --device=threads --kernels=%t.open.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: 'mirage_thread.inbox_meet' op waits forever: the block has not opened the inbox

// RUN: sed 's/bytes = 1056/bytes = 1060/' %t.mlir > %t.bytes.mlir
// RUN: not mirage-run %s --device=threads --kernels=%t.bytes.mlir 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: 'mirage_thread.inbox_await' op waits for 1060 bytes, and 1056 were pushed to the block: it would wait forever, or not for all

// RUN: sed '/push_fragment .* to memref<2x2x1x8x32xf32/d' %t.mlir > %t.push.mlir
// RUN: not mirage-run %s --device=threads --kernels=%t.push.mlir 2>&1 | FileCheck %s --check-prefix=PUSH
// PUSH: waits for 1056 bytes, and 32 were pushed to the block

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @main(%x: tensor<16x128xf16>, %w: tensor<128x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x128xf16>, %wa = %w : tensor<128x32xf16>) -> tensor<16x32xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 1, stages = 3, cluster_blocks = 2>} {
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<16x1xf32>, tensor<16x32xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<16x128xf16> to tensor<16x32xf16>
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<128x32xf16> to tensor<32x32xf16>
      %c = mirage_block.cast %xt : tensor<16x32xf16> to tensor<16x32xf32>
      %e = mirage_block.abs %c : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %r = mirage_block.reduce sum %e dim(1) keep : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %p = mirage_block.matmul %xt, %wt : (tensor<16x32xf16>, tensor<32x32xf16>) -> tensor<16x32xf32>
      %ra = mirage_block.accumulate sum %r : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %pa = mirage_block.accumulate sum %p : (tensor<16x32xf32>) -> tensor<16x32xf32>
      mirage_block.yield %ra, %pa : tensor<16x1xf32>, tensor<16x32xf32>
    }
    %d = mirage_block.div %f#1, %f#0 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
    %h = mirage_block.cast %d : tensor<16x32xf32> to tensor<16x32xf16>
    %s = mirage_block.store %h omap(x -> phi) : tensor<16x32xf16> to tensor<16x32xf16>
    mirage_block.yield %s : tensor<16x32xf16>
  }
  return %0 : tensor<16x32xf16>
}
}
