// Warps that load also prepare: they compute the operands of products that depend on the tiles of one iteration
// alone. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=values | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=values_128 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=keys | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=transposed_keys | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=quantized | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gated | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=fragments | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// The loader's warps meet at a barrier of their own, and arrive after what they have stored.
// PTX-DAG: bar.sync 2, 128
// PTX-DAG: mbarrier.arrive.shared.b64
// PTX-DAG: fence.proxy.async.shared::cta
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Normalized values take the place of those that were loaded.
func.func @values(%q: tensor<2x64x64xf16>, %k: tensor<2x64x512xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<2x64x64xf16>, %ka = %k : tensor<2x64x512xf16>,
      %va = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %x = mirage_block.load %qa imap(x -> 0) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %y = mirage_block.load %ka imap(x -> 0) fmap(%i -> 2) : tensor<2x64x512xf16> to tensor<1x64x64xf16>
      %z = mirage_block.load %va imap(x -> 0) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %zw = mirage_block.cast %z : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %z2 = mirage_block.square %zw : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %zm = mirage_block.reduce mean %z2 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %zh = mirage_block.cast %zn : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %x, %y : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %d : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %zh : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %t shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %r = mirage_block.div %out, %sum : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h = mirage_block.cast %r : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %h omap(x -> 0) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %w : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// Rows of 128 elements are shared by lanes, and blocks of a cluster share the iterations.
func.func @values_128(%s: tensor<64x512xf16>, %v: tensor<512x128xf16>) -> tensor<64x128xf16> {
  %o = mirage_kernel.launch grid(x = 1) (%sa = %s : tensor<64x512xf16>, %va = %v : tensor<512x128xf16>) -> tensor<64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 2, wgmma = true, loader_warps = 2, loader_prepares = true>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<64x128xf32> {
      %x = mirage_block.load %sa imap(x -> phi) fmap(%i -> 1) : tensor<64x512xf16> to tensor<64x64xf16>
      %z = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<512x128xf16> to tensor<64x128xf16>
      %zw = mirage_block.cast %z : tensor<64x128xf16> to tensor<64x128xf32>
      %z2 = mirage_block.square %zw : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %zm = mirage_block.reduce mean %z2 dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<64x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<64x1xf32>) -> tensor<64x1xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
      %zh = mirage_block.cast %zn : tensor<64x128xf32> to tensor<64x128xf16>
      %p = mirage_block.matmul %x, %zh : (tensor<64x64xf16>, tensor<64x128xf16>) -> tensor<64x128xf32>
      %a = mirage_block.accumulate sum %p : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %a : tensor<64x128xf32>
    }
    %h = mirage_block.cast %sum : tensor<64x128xf32> to tensor<64x128xf16>
    %w = mirage_block.store %h omap(x -> phi) : tensor<64x128xf16> to tensor<64x128xf16>
    mirage_block.yield %w : tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}

// The normalized rows are the columns of the product.
func.func @keys(%q: tensor<64x64xf16>, %k: tensor<512x64xf16>) -> tensor<64x1xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<64x64xf16>, %ka = %k : tensor<512x64xf16>) -> tensor<64x1xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 4, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %x = mirage_block.load %qa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %best = mirage_block.for %i = 0 to 4 -> tensor<64x1xf32> {
      %z = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<512x64xf16> to tensor<128x64xf16>
      %zw = mirage_block.cast %z : tensor<128x64xf16> to tensor<128x64xf32>
      %z2 = mirage_block.abs %zw : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %zm = mirage_block.reduce max %z2 dim(1) keep : (tensor<128x64xf32>) -> tensor<128x1xf32>
      %eps = mirage_block.constant dense<1.0e-03> : tensor<1x1xf32>
      %ze = mirage_block.max %zm, %eps : (tensor<128x1xf32>, tensor<1x1xf32>) -> tensor<128x1xf32>
      %zn = mirage_block.div %zw, %ze : (tensor<128x64xf32>, tensor<128x1xf32>) -> tensor<128x64xf32>
      %zh = mirage_block.cast %zn : tensor<128x64xf32> to tensor<128x64xf16>
      %s = mirage_block.matmul %x, %zh transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %a = mirage_block.accumulate max %m : (tensor<64x1xf32>) -> tensor<64x1xf32>
      mirage_block.yield %a : tensor<64x1xf32>
    }
    %w = mirage_block.store %best omap(x -> phi) : tensor<64x1xf32> to tensor<64x1xf32>
    mirage_block.yield %w : tensor<64x1xf32>
  }
  return %o : tensor<64x1xf32>
}

// Sums over columns meet in shared memory, behind the loader's own barrier.
func.func @transposed_keys(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>) -> tensor<64x1xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<64x64xf16>, %ka = %k : tensor<64x512xf16>) -> tensor<64x1xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %x = mirage_block.load %qa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %best = mirage_block.for %i = 0 to 8 -> tensor<64x1xf32> {
      %z = mirage_block.load %ka imap(x -> phi) fmap(%i -> 1) : tensor<64x512xf16> to tensor<64x64xf16>
      %zw = mirage_block.cast %z : tensor<64x64xf16> to tensor<64x64xf32>
      %z2 = mirage_block.square %zw : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %zm = mirage_block.reduce mean %z2 dim(0) keep : (tensor<64x64xf32>) -> tensor<1x64xf32>
      %eps = mirage_block.constant dense<1.0e-05> : tensor<1x1xf32>
      %ze = mirage_block.add %zm, %eps : (tensor<1x64xf32>, tensor<1x1xf32>) -> tensor<1x64xf32>
      %zr = mirage_block.rsqrt %ze : (tensor<1x64xf32>) -> tensor<1x64xf32>
      %zn = mirage_block.mul %zw, %zr : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
      %zh = mirage_block.cast %zn : tensor<64x64xf32> to tensor<64x64xf16>
      %s = mirage_block.matmul %x, %zh : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<64x64xf32>) -> tensor<64x1xf32>
      %a = mirage_block.accumulate max %m : (tensor<64x1xf32>) -> tensor<64x1xf32>
      mirage_block.yield %a : tensor<64x1xf32>
    }
    %w = mirage_block.store %best omap(x -> phi) : tensor<64x1xf32> to tensor<64x1xf32>
    mirage_block.yield %w : tensor<64x1xf32>
  }
  return %o : tensor<64x1xf32>
}

// Weights of 8 bits get places of their own where they are widened.
func.func @quantized(%a: tensor<64x256xf16>, %b: tensor<256x128xf8E4M3FN>) -> tensor<64x128xf16> {
  %o = mirage_kernel.launch grid(x = 2) (%aa = %a : tensor<64x256xf16>, %ba = %b : tensor<256x128xf8E4M3FN>) -> tensor<64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> 1) fmap(%i -> 0) : tensor<256x128xf8E4M3FN> to tensor<64x64xf8E4M3FN>
      %yh = mirage_block.cast %y : tensor<64x64xf8E4M3FN> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %yh : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 1) : tensor<64x64xf16> to tensor<64x128xf16>
    mirage_block.yield %d : tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}

// Two loads make one operand, and one of them is read by a product as well.
func.func @gated(%a: tensor<64x256xf16>, %b: tensor<256x64xf16>, %g: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x256xf16>, %ba = %b : tensor<256x64xf16>, %ga = %g : tensor<256x64xf16>) -> tensor<64x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true>} {
    %sum, %plain = mirage_block.for %i = 0 to 4 -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %z = mirage_block.load %ga imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %yz = mirage_block.mul %y, %z : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %p = mirage_block.matmul %x, %yz : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %r = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %r : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s, %t : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %c = mirage_block.add %sum, %plain : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %d = mirage_block.store %c omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    mirage_block.yield %d : tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}

// Products by mma.sync read the prepared operand in fragments.
func.func @fragments(%a: tensor<32x256xbf16>, %b: tensor<256x32xbf16>) -> tensor<32x32xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<32x256xbf16>, %ba = %b : tensor<256x32xbf16>) -> tensor<32x32xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 2, stages = 2, loader_warps = 1, loader_prepares = true>} {
    %sum = mirage_block.for %i = 0 to 8 -> tensor<32x32xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<32x256xbf16> to tensor<32x32xbf16>
      %y = mirage_block.load %ba imap(x -> phi) fmap(%i -> 0) : tensor<256x32xbf16> to tensor<32x32xbf16>
      %z = mirage_block.silu %y : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
      %p = mirage_block.matmul %x, %z : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x32xf32>) -> tensor<32x32xf32>
      mirage_block.yield %s : tensor<32x32xf32>
    }
    %d = mirage_block.store %sum omap(x -> phi) : tensor<32x32xf32> to tensor<32x32xf32>
    mirage_block.yield %d : tensor<32x32xf32>
  }
  return %o : tensor<32x32xf32>
}

}
