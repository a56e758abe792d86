// How each load of a scheduled launch comes to shared memory, and by which instruction each
// product is computed, can be written beside the schedule, and is obeyed.

// RUN: mirage-opt %s --mirage-schedule-launches=each -o %t.mlir
// RUN: FileCheck %s --check-prefix=EACH --input-file=%t.mlir
// What is written is what happens without it.
// RUN: mirage-opt %t.mlir --convert-mirage-block-to-thread -o %t.each.mlir
// RUN: mirage-opt %s --mirage-schedule-launches --convert-mirage-block-to-thread -o %t.plain.mlir
// RUN: diff %t.each.mlir %t.plain.mlir

// EACH: mirage_block.load %{{.*}} {mirage.copy_way = #mirage<copy_way bulk>}
// EACH: mirage_block.for
// EACH: mirage_block.load %{{.*}} {mirage.copy_way = #mirage<copy_way bulk>}
// EACH: mirage_block.load %{{.*}} {mirage.copy_way = #mirage<copy_way bulk>}
// EACH: mirage_block.matmul %{{.*}} {mirage.product_instruction = #mirage<product_instruction wgmma>}

// RUN: sed '/tensor<64x64xf16>/s/copy_way bulk/copy_way async/' %t.mlir | mirage-opt --convert-mirage-block-to-thread -o %t.copied.mlir
// RUN: FileCheck %s --check-prefix=COPIED --input-file=%t.copied.mlir
// COPIED: mirage_thread.loader
// COPIED-NOT: mirage_thread.ring {{.*}}stages = 1
// COPIED: mirage_thread.copy async %arg0
// RUN: mirage-run %s --kernels=%t.copied.mlir --device=threads --entry=attention | FileCheck %s --check-prefix=RIGHT

// Without deferred products, the second product may be one of mma.sync.
// RUN: sed -e 's/, deferred_products = true//' -e '/-> tensor<64x64xf32>$/s/product_instruction wgmma/product_instruction mma_sync/' %t.mlir | mirage-opt --convert-mirage-block-to-thread -o %t.mma.mlir
// RUN: FileCheck %s --check-prefix=MMA --input-file=%t.mma.mlir
// MMA: scf.for
// MMA: mirage_thread.warpgroup_mma
// MMA: mirage_thread.mma_fragment
// RUN: mirage-run %s --kernels=%t.mma.mlir --device=threads --entry=attention | FileCheck %s --check-prefix=RIGHT
// RIGHT: over_bound=0

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @attention(%q: tensor<64x64xf16>, %k: tensor<1024x64xf16>, %v: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<64x64xf16>, %ka = %k : tensor<1024x64xf16>, %va = %v : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<64x1xf32>, tensor<64x64xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
      %e = mirage_block.exp %d : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %r = mirage_block.reduce sum %e dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %c = mirage_block.cast %e : tensor<64x128xf32> to tensor<64x128xf16>
      %p = mirage_block.matmul %c, %vt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %ra = mirage_block.accumulate rescaled_sum %r shift %m : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
      %pa = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
      mirage_block.yield %ra, %pa : tensor<64x1xf32>, tensor<64x64xf32>
    }
    %g = mirage_block.div %f#1, %f#0 : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
    %h = mirage_block.cast %g : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
}
