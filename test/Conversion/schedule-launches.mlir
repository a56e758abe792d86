// Launches get schedules, and become kernels whose tiles lie in registers.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-schedule-launches --convert-mirage-block-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-schedule-launches --remark-policy=all --remarks-filter=mirage-schedule 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-schedule-launches=wgmma=false | FileCheck %s --check-prefix=WITHOUT
// RUN: mirage-opt %s --mirage-lower-to-nvvm=schedule=false | FileCheck %s --check-prefix=GENERAL
// Where nothing can launch clusters, the lowering makes none.
// RUN: mirage-opt %s --mirage-lower-to-thread=cluster-blocks=1 | FileCheck %s --check-prefix=ALONE
// RUN: not mirage-opt %s --mirage-lower-to-thread=cluster-blocks=9 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not mirage-opt %s --mirage-schedule-launches=warps=40 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: option warps of mirage-schedule-launches must be between 1 and 32
// BLOCKS: error: option cluster-blocks of mirage-tune-launches must be from 0 to 8
// GENERAL-NOT: nvvm.ldmatrix
// WITHOUT-NOT: wgmma
// ALONE-NOT: cluster
// ALONE: gpu.func @attention_0_launch
// ALONE-NOT: cluster

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Online softmax: four warps share 64 rows, and blocks of a cluster the keys; each loads 64 keys at a time.
// SCHEDULE-LABEL: func.func @attention
// SCHEDULE: attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = {{[12]}}, stages = {{[0-9]+}}, cluster_blocks = {{[248]}}, wgmma = true>}
// SCHEDULE: mirage_block.for %{{.*}} = 0 to 16 ->
// SCHEDULE: mirage_block.load %{{.*}} : tensor<1024x64xf16> to tensor<64x64xf16>

// CHECK-LABEL: gpu.func @attention_0_launch
// What other blocks push has a place of its own.
// CHECK: mirage_thread.inbox_open
// CHECK: mirage_thread.copy async
// CHECK: mirage_thread.async_commit
// CHECK: scf.for {{.*}} iter_args(%[[MAX:[a-z0-9]+]] = {{.*}}, %[[SUM:[a-z0-9]+]] = {{.*}}, %[[OUT:[a-z0-9]+]] = {{.*}})
// CHECK: mirage_thread.async_wait
// CHECK-NEXT: gpu.barrier
// The scores' maximum is the running one, so that terms need no factor of their own.
// CHECK: mirage_thread.warpgroup_mma
// CHECK: %[[ROWMAX:.*]] = mirage_thread.reduce max
// CHECK: %[[NEXT:.*]] = mirage_thread.max %[[MAX]], %[[ROWMAX]]
// CHECK: mirage_thread.sub %{{.*}}, %[[NEXT]]
// The exponentials are the left operand of the second product where they are.
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: mirage_thread.warpgroup_mma
// CHECK: scf.yield %[[NEXT]]
// After the loop the blocks of the cluster push to each other what each of them merges.
// CHECK: mirage_thread.inbox_meet
// CHECK: mirage_thread.push_fragment
// CHECK: mirage_thread.inbox_await
// CHECK: mirage_thread.reduce max {{.*}} dim(0) keep
// CHECK: mirage_thread.reduce sum {{.*}} dim(0) keep
// CHECK: mirage_thread.store_fragment {{.*}} to %arg3
func.func @attention(%q: tensor<256x64xf16>, %k: tensor<1024x64xf16>, %v: tensor<1024x64xf16>) -> tensor<256x64xf16> {
  %0 = mirage_kernel.launch grid(x = 4) (%qa = %q : tensor<256x64xf16>, %ka = %k : tensor<1024x64xf16>, %va = %v : tensor<1024x64xf16>) -> tensor<256x64xf16> {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<64x1xf32>, tensor<64x64xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
      %e = mirage_block.exp %d : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %h = mirage_block.cast %e : tensor<64x128xf32> to tensor<64x128xf16>
      %o = mirage_block.matmul %h, %vt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %la = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
      %oa = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
      mirage_block.yield %la, %oa : tensor<64x1xf32>, tensor<64x64xf32>
    }
    %r = mirage_block.div %f#1, %f#0 : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
    %c = mirage_block.cast %r : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> 0) : tensor<64x64xf16> to tensor<256x64xf16>
    mirage_block.yield %st : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// A loop that puts columns together, and one of one iteration, are no loops: a block has registers for
// what they make. Rows of eight warps meet in shared memory where they are reduced.
// SCHEDULE-LABEL: func.func @merged
// SCHEDULE: mirage.schedule
// SCHEDULE-NOT: mirage_block.for
// SCHEDULE: mirage_block.load %{{.*}} : tensor<64x256xf16> to tensor<64x256xf16>
// SCHEDULE: mirage_block.matmul {{.*}} -> tensor<16x256xf32>

// CHECK-LABEL: gpu.func @merged_0_launch
// CHECK: mirage_thread.reduce max {{.*}} dim(4) keep
// CHECK: mirage_thread.store_fragment
// CHECK-NEXT: gpu.barrier
// CHECK: mirage_thread.load_fragment
// CHECK: mirage_thread.reduce max
func.func @merged(%x: tensor<64x64xf16>, %w: tensor<64x256xf16>) -> tensor<64x256xf32> {
  %0 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<64x256xf16>) -> tensor<64x256xf32> {
    %f = mirage_block.for %i = 0 to 1 -> tensor<16x256xf32> {
      %xt = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) : tensor<64x64xf16> to tensor<16x64xf16>
      %g = mirage_block.for %j = 0 to 8 -> tensor<16x256xf32> {
        %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0, %j -> 1) : tensor<64x256xf16> to tensor<64x32xf16>
        %p = mirage_block.matmul %xt, %wt : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
        %a = mirage_block.accumulate concat %p dim(1) : (tensor<16x32xf32>) -> tensor<16x256xf32>
        mirage_block.yield %a : tensor<16x256xf32>
      }
      %s = mirage_block.accumulate sum %g : (tensor<16x256xf32>) -> tensor<16x256xf32>
      mirage_block.yield %s : tensor<16x256xf32>
    }
    %m = mirage_block.reduce max %f dim(1) keep : (tensor<16x256xf32>) -> tensor<16x1xf32>
    %d = mirage_block.sub %f, %m : (tensor<16x256xf32>, tensor<16x1xf32>) -> tensor<16x256xf32>
    %st = mirage_block.store %d omap(x -> 0) : tensor<16x256xf32> to tensor<64x256xf32>
    mirage_block.yield %st : tensor<64x256xf32>
  }
  return %0 : tensor<64x256xf32>
}

// A sum of squares is reduced in each iteration.
// SCHEDULE-LABEL: func.func @rms
// SCHEDULE: %[[SUM:.*]] = mirage_block.reduce sum %{{.*}} dim(1) keep
// SCHEDULE: mirage_block.accumulate sum %[[SUM]] : (tensor<16x1xf32>) -> tensor<16x1xf32>
func.func @rms(%x: tensor<16x4096xf16>) -> tensor<16x1xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x4096xf16>) -> tensor<16x1xf32> {
    %f = mirage_block.for %i = 0 to 64 -> tensor<16x64xf32> {
      %t = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<16x4096xf16> to tensor<16x64xf16>
      %c = mirage_block.cast %t : tensor<16x64xf16> to tensor<16x64xf32>
      %q = mirage_block.square %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %a = mirage_block.accumulate sum %q : (tensor<16x64xf32>) -> tensor<16x64xf32>
      mirage_block.yield %a : tensor<16x64xf32>
    }
    %s = mirage_block.reduce sum %f dim(1) keep : (tensor<16x64xf32>) -> tensor<16x1xf32>
    %st = mirage_block.store %s omap(x -> phi) : tensor<16x1xf32> to tensor<16x1xf32>
    mirage_block.yield %st : tensor<16x1xf32>
  }
  return %0 : tensor<16x1xf32>
}

// A sum of exponentials relative to each iteration's own maximum is no rescaled sum: the iterations stay.
// SCHEDULE-LABEL: func.func @own_maxima
// SCHEDULE: mirage_block.for %{{.*}} = 0 to 4
func.func @own_maxima(%x: tensor<16x64xf16>, %w: tensor<64x1024xf16>) -> tensor<16x1xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x64xf16>, %wa = %w : tensor<64x1024xf16>) -> tensor<16x1xf32> {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<16x64xf16> to tensor<16x64xf16>
    %f = mirage_block.for %i = 0 to 4 -> tensor<16x1xf32> {
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x256xf16>
      %s = mirage_block.matmul %xt, %wt : (tensor<16x64xf16>, tensor<64x256xf16>) -> tensor<16x256xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<16x256xf32>) -> tensor<16x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<16x256xf32>, tensor<16x1xf32>) -> tensor<16x256xf32>
      %e = mirage_block.exp %d : (tensor<16x256xf32>) -> tensor<16x256xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<16x256xf32>) -> tensor<16x1xf32>
      %a = mirage_block.accumulate sum %l : (tensor<16x1xf32>) -> tensor<16x1xf32>
      mirage_block.yield %a : tensor<16x1xf32>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<16x1xf32> to tensor<16x1xf32>
    mirage_block.yield %st : tensor<16x1xf32>
  }
  return %0 : tensor<16x1xf32>
}

// Products in f16 are summed in f32: all of them in one product could overflow.
// SCHEDULE-LABEL: func.func @narrow_terms
// SCHEDULE: mirage_block.for %{{.*}} = 0 to 6
func.func @narrow_terms(%x: tensor<16x96xf16>, %w: tensor<96x64xf16>) -> tensor<16x64xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x96xf16>, %wa = %w : tensor<96x64xf16>) -> tensor<16x64xf32> {
    %f = mirage_block.for %i = 0 to 6 -> tensor<16x64xf32> {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<16x96xf16> to tensor<16x16xf16>
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<96x64xf16> to tensor<16x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<16x16xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
      %a = mirage_block.accumulate sum %p : (tensor<16x64xf16>) -> tensor<16x64xf32>
      mirage_block.yield %a : tensor<16x64xf32>
    }
    %st = mirage_block.store %f omap(x -> phi) : tensor<16x64xf32> to tensor<16x64xf32>
    mirage_block.yield %st : tensor<16x64xf32>
  }
  return %0 : tensor<16x64xf32>
}

// What is not made of fragments goes by way of the general lowering, and a remark says why.
// SCHEDULE-LABEL: func.func @general
// SCHEDULE-NOT: mirage.schedule
// REMARK: remark: [Missed] general-lowering {{.*}} Remark="The launch goes by way of the general lowering: 'mirage_block.matmul' multiplies elements that are not of f16, bf16 or f32."
func.func @general(%x: tensor<64x64xf64>, %w: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<64x64xf64>, %wa = %w : tensor<64x64xf64>) -> tensor<64x64xf64> {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<64x64xf64> to tensor<16x64xf64>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x64xf64> to tensor<64x64xf64>
    %p = mirage_block.matmul %xt, %wt : (tensor<16x64xf64>, tensor<64x64xf64>) -> tensor<16x64xf64>
    %st = mirage_block.store %p omap(x -> 0) : tensor<16x64xf64> to tensor<64x64xf64>
    mirage_block.yield %st : tensor<64x64xf64>
  }
  return %0 : tensor<64x64xf64>
}

}
