// Tiles whose rows are no whole chunks, brought by the copy engine. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=heads | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Rows of 80 elements have two chunks of 64, of which the second one has 16. Half of the columns of the values are
// 40, in a chunk of which the rest belongs to the other block or lies beyond the end.
// THREAD-LABEL: gpu.func @heads_0_launch
// THREAD-DAG: bulk_copy {{.*}} sizes [1, 64, 128] {{.*}} : <memref<2x512x80xf16>, box = [1, 64, 64]> to memref<2x2x1x64x80xf16
// THREAD-DAG: bulk_copy {{.*}} sizes [1, 64, 64] {{.*}} : <memref<2x512x80xf16>, box = [1, 64, 64]> to memref<2x2x1x64x48xf16
func.func @heads(%q: tensor<2x128x80xf16>, %k: tensor<2x512x80xf16>, %v: tensor<2x512x80xf16>) -> tensor<2x128x80xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2, z = 2) (%ql = %q : tensor<2x128x80xf16>, %kl = %k : tensor<2x512x80xf16>, %vl = %v : tensor<2x512x80xf16>) -> tensor<2x128x80xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, wgmma = true, loader_warps = 4, bulk_copies = true, worker_registers = 232, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1, z -> phi) : tensor<2x128x80xf16> to tensor<1x64x80xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x40xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi, z -> phi) fmap(%t -> 1) : tensor<2x512x80xf16> to tensor<1x64x80xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi, z -> 2) fmap(%t -> 1) : tensor<2x512x80xf16> to tensor<1x64x40xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x80xf16>, tensor<1x64x80xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xf16>, tensor<1x64x40xf16>) -> tensor<1x64x40xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x40xf32>, tensor<1x64x1xf32>) -> tensor<1x64x40xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x40xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x40xf32>, tensor<1x64x1xf32>) -> tensor<1x64x40xf32>
    %c = mirage_block.cast %y : tensor<1x64x40xf32> to tensor<1x64x40xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1, z -> 2) : tensor<1x64x40xf16> to tensor<2x128x80xf16>
    mirage_block.yield %w : tensor<2x128x80xf16>
  }
  return %o : tensor<2x128x80xf16>
}
}
