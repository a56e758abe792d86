// Deferred products of groups that take turns, and masks of keys that are loaded: all groups meet at barriers in a trip. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=row_mask | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The mask is brought into the layout of the scores through shared memory. A group passes its turn on before it
// meets the other one, which would wait for its turn otherwise.
// THREAD-LABEL: gpu.func @row_mask_0_launch
// THREAD: scf.for
// THREAD: scf.for
// THREAD: sequence_await
// THREAD: warpgroup_mma
// THREAD: warpgroup_mma
// THREAD: warpgroup_wait
// THREAD: sequence_pass
// THREAD-NEXT: barrier
func.func @row_mask(%q: tensor<2x128x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>, %m: tensor<2x1x512xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>, %ml = %m : tensor<2x1x512xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, wgmma = true, loader_warps = 4, bulk_copies = true, worker_registers = 232, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> 0, y -> phi) fmap(%t -> 2) : tensor<2x1x512xf16> to tensor<1x1x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %wide = mirage_block.cast %mt : tensor<1x1x64xf16> to tensor<1x1x64xf32>
      %masked = mirage_block.add %scaled, %wide : (tensor<1x64x64xf32>, tensor<1x1x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %masked dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %y : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %w : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}
}
