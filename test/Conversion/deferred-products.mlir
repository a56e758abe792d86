// Products of values are deferred where a thread has registers for it, unless an option says otherwise.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=ON
// RUN: mirage-opt %s --mirage-schedule-launches=defer=false | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=PRINT
// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=LOADER

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The loader brings values a trip behind the keys, as their stages are released.
// LOADER-LABEL: gpu.func @attention_0_launch
// LOADER: mirage_thread.loader warps(4)
// LOADER: mirage_thread.ring_acquire %{{[a-z_0-9]+}}[
// LOADER: mirage_thread.ring_acquire %[[KEYS:[a-z_0-9]+]][%{{.*}}] group(0)
// LOADER: scf.for %[[TRIP:[a-z_0-9]+]] =
// LOADER: mirage_thread.ring_acquire %[[KEYS]][%[[TRIP]]] group(0)
// LOADER: mirage_thread.ring_publish %[[KEYS]][%[[TRIP]]]
// LOADER: %[[BEFORE:.*]] = arith.subi %[[TRIP]], %c1
// LOADER: mirage_thread.ring_acquire %[[VALUES:[a-z_0-9]+]][%[[BEFORE]]] group(0)
// LOADER: }
// LOADER: mirage_thread.ring_acquire %[[VALUES]][%{{.*}}] group(0)
// ON-LABEL: func.func @attention
// ON: persistent_blocks = 132, worker_registers = 232, deferred_products = true>
// OFF-LABEL: func.func @attention
// OFF: persistent_blocks = 132, worker_registers = 232>
// PRINT: deferred_products = true: a thread has registers for 200 numbers, with the operand that one trip leaves to the next
func.func @attention(%q: tensor<32x1024x128xf16>, %k: tensor<32x1024x128xf16>, %v: tensor<32x1024x128xf16>) -> tensor<32x1024x128xf16> {
  %o = mirage_kernel.launch grid(x = 32, y = 8) (%ql = %q : tensor<32x1024x128xf16>, %kl = %k : tensor<32x1024x128xf16>, %vl = %v : tensor<32x1024x128xf16>) -> tensor<32x1024x128xf16> {
    %lowest = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<32x1024x128xf16> to tensor<1x128x128xf16>
    %r:2 = mirage_block.for %i = 0 to 16 -> (tensor<1x128x1xf32>, tensor<1x128x128xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<32x1024x128xf16> to tensor<1x64x128xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<32x1024x128xf16> to tensor<1x64x128xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x128xf16>, tensor<1x64x128xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.0625 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %p = mirage_block.exp %less : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %ph = mirage_block.cast %p : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x64xf16>, tensor<1x64x128xf16>) -> tensor<1x128x128xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x128x128xf32>, tensor<1x128x1xf32>) -> tensor<1x128x128xf32>
      mirage_block.yield %a, %b : tensor<1x128x1xf32>, tensor<1x128x128xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x128x128xf32>, tensor<1x128x1xf32>) -> tensor<1x128x128xf32>
    %c = mirage_block.cast %y : tensor<1x128x128xf32> to tensor<1x128x128xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x128xf16> to tensor<32x1024x128xf16>
    mirage_block.yield %w : tensor<32x1024x128xf16>
  }
  return %o : tensor<32x1024x128xf16>
}

// Blocks of a cluster that share the keys have four wide iterations, which two groups of warps could share. One group
// has enough of them to defer products, and two have not. Without deferred products there are two groups.
// ON-LABEL: func.func @shared_keys
// ON: #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = {{[0-9]+}}, cluster_blocks = 8, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true, product_sums = true>
// ON: mirage_block.for {{.*}} = 0 to 32
// OFF-LABEL: func.func @shared_keys
// OFF: loop_groups = 2, stages = {{[0-9]+}}, cluster_blocks = 8, wgmma = true, loader_warps = 1, bulk_copies = true>
// PRINT: loop_groups = 1: one that defers products is faster than more with fewer iterations each
func.func @shared_keys(%arg0: tensor<2x256x64xf16>, %arg1: tensor<2x64x4096xf16>, %arg2: tensor<2x4096x64xf16>) -> tensor<2x256x64xf16> {
  %launch = mirage_kernel.launch grid(x = 2, y = 4, z = 1) (%arg3 = %arg1 : tensor<2x64x4096xf16>, %arg4 = %arg0 : tensor<2x256x64xf16>, %arg5 = %arg2 : tensor<2x4096x64xf16>) -> tensor<2x256x64xf16> {
    %load = mirage_block.load %arg4 imap(x -> 0, y -> 1, z -> phi) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
    %for:2 = mirage_block.for %i = 0 to 32 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %load_0 = mirage_block.load %arg3 imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 2) : tensor<2x64x4096xf16> to tensor<1x64x128xf16>
      %load_1 = mirage_block.load %arg5 imap(x -> 0, y -> phi, z -> 2) fmap(%i -> 1) : tensor<2x4096x64xf16> to tensor<1x128x64xf16>
      %matmul = mirage_block.matmul %load, %load_0 : (tensor<1x64x64xf16>, tensor<1x64x128xf16>) -> tensor<1x64x128xf32>
      %reduce = mirage_block.reduce max %matmul dim(2) keep : (tensor<1x64x128xf32>) -> tensor<1x64x1xf32>
      %constant = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
      %max = mirage_block.max %reduce, %constant : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %sub = mirage_block.sub %matmul, %max : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      %exp = mirage_block.exp %sub : (tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
      %reduce_2 = mirage_block.reduce sum %exp dim(2) keep : (tensor<1x64x128xf32>) -> tensor<1x64x1xf32>
      %cast_3 = mirage_block.cast %exp : tensor<1x64x128xf32> to tensor<1x64x128xf16>
      %matmul_4 = mirage_block.matmul %cast_3, %load_1 : (tensor<1x64x128xf16>, tensor<1x128x64xf16>) -> tensor<1x64x64xf32>
      %accumulate = mirage_block.accumulate rescaled_sum %reduce_2 shift %max : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %accumulate_5 = mirage_block.accumulate rescaled_sum %matmul_4 shift %max : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %accumulate, %accumulate_5 : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %div = mirage_block.div %for#1, %for#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %cast = mirage_block.cast %div : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %store = mirage_block.store %cast omap(x -> 0, y -> 1, z -> 2) : tensor<1x64x64xf16> to tensor<2x256x64xf16>
    mirage_block.yield %store : tensor<2x256x64xf16>
  }
  return %launch : tensor<2x256x64xf16>
}

// A loop that has no such product would have fewer stages for nothing; no trial of a schedule is reported as an error.
// ON-LABEL: func.func @another_loop
// ON: mirage.schedule = #mirage.schedule<{{.*}}bulk_copies = true
// ON-NOT: deferred_products
func.func @another_loop(%x: tensor<2048x1024xf16>, %w: tensor<1024x64xf16>, %q: tensor<2048x64xf16>, %k: tensor<1024x64xf16>, %v: tensor<1024x64xf16>) -> tensor<2048x64xf16> {
  %o = mirage_kernel.launch grid(x = 32) (%xl = %x : tensor<2048x1024xf16>, %wl = %w : tensor<1024x64xf16>, %ql = %q : tensor<2048x64xf16>, %kl = %k : tensor<1024x64xf16>, %vl = %v : tensor<1024x64xf16>) -> tensor<2048x64xf16> {
    %qt = mirage_block.load %ql imap(x -> 0) : tensor<2048x64xf16> to tensor<64x64xf16>
    %plain = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %xt = mirage_block.load %xl imap(x -> 0) fmap(%i -> 1) : tensor<2048x1024xf16> to tensor<64x128xf16>
      %wt = mirage_block.load %wl imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %chained = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %h = mirage_block.cast %s : tensor<64x128xf32> to tensor<64x128xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %both = mirage_block.add %plain, %chained : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = mirage_block.cast %both : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> 0) : tensor<64x64xf16> to tensor<2048x64xf16>
    mirage_block.yield %st : tensor<2048x64xf16>
  }
  return %o : tensor<2048x64xf16>
}

}
