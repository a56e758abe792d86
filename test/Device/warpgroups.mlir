// Products of warpgroups: wgmma reads its right operand, and where it is not in registers its left one, from
// swizzled shared memory. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=gemm_nn | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_nt | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_tn | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_tt | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_128rows | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_8warps | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_cluster | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_narrow | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attn | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attn_128 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attn_groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_tt_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_columns_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_groups_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gemm_cluster_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attn_128_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=attn_groups_loader | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few_nn | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few_nt | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few_tn | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few_tt | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// PTX-DAG: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
// PTX-DAG: fence.proxy.async.shared::cta
// PTX-DAG: mbarrier.arrive.shared.b64
// PTX-DAG: mbarrier.try_wait.parity.shared.b64
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Both operands as they are stored, and either or both transposed.
func.func @gemm_nn(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @gemm_nt(%a: tensor<128x256xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<128x256xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @gemm_tn(%a: tensor<256x128xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<256x128xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @gemm_tt(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<256x128xf16>, %ba = %b : tensor<128x256xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Two parts of 64 rows for one warpgroup.
func.func @gemm_128rows(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<128x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %s : tensor<128x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<128x64xf32> to tensor<128x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<128x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Two warpgroups along the rows, bf16.
func.func @gemm_8warps(%a: tensor<128x256xbf16>, %b: tensor<128x256xbf16>) -> tensor<128x128xbf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 2) (%aa = %a : tensor<128x256xbf16>, %ba = %b : tensor<128x256xbf16>)
      -> tensor<128x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<128x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<128x64xbf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<64x64xbf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<128x64xbf16>, tensor<64x64xbf16>) -> tensor<128x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %s : tensor<128x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<128x64xf32> to tensor<128x64xbf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<128x64xbf16> to tensor<128x128xbf16>
    mirage_block.yield %d : tensor<128x128xbf16>
  }
  return %o : tensor<128x128xbf16>
}

// Two warpgroups along the columns.
func.func @gemm_columns(%a: tensor<128x256xbf16>, %b: tensor<256x128xbf16>) -> tensor<128x128xbf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%aa = %a : tensor<128x256xbf16>, %ba = %b : tensor<256x128xbf16>)
      -> tensor<128x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 2, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x128xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<64x64xbf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xbf16> to tensor<64x128xbf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xbf16>, tensor<64x128xbf16>) -> tensor<64x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %s : tensor<64x128xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x128xf32> to tensor<64x128xbf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x128xbf16> to tensor<128x128xbf16>
    mirage_block.yield %d : tensor<128x128xbf16>
  }
  return %o : tensor<128x128xbf16>
}

// Two warpgroups on other iterations.
func.func @gemm_groups(%a: tensor<128x256xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<128x256xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Two blocks of a cluster on other iterations: their addresses differ in upper bits.
func.func @gemm_cluster(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, cluster_blocks = 2, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

// Rows of 48 elements are swizzled in 32 bytes, those of 96 in 64 bytes.
func.func @gemm_narrow(%a: tensor<256x192xf16>, %b: tensor<192x192xf16>) -> tensor<256x192xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 2) (%aa = %a : tensor<256x192xf16>, %ba = %b : tensor<192x192xf16>)
      -> tensor<256x192xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<256x96xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x192xf16> to tensor<256x48xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<192x192xf16> to tensor<48x96xf16>
      %p = mirage_block.matmul %x, %y : (tensor<256x48xf16>, tensor<48x96xf16>) -> tensor<256x96xf32>
      %s = mirage_block.accumulate sum %p : (tensor<256x96xf32>) -> tensor<256x96xf32>
      mirage_block.yield %s : tensor<256x96xf32>
    }
    %c = mirage_block.cast %sum : tensor<256x96xf32> to tensor<256x96xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<256x96xf16> to tensor<256x192xf16>
    mirage_block.yield %d : tensor<256x192xf16>
  }
  return %o : tensor<256x192xf16>
}

// The exponentials are the left operand in registers.
func.func @attn(%q: tensor<2x64x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x64xf16>, %ka = %k : tensor<2x512x64xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %num, %den = mirage_block.for %i = 0 to 8 -> (tensor<1x64x64xf32>, tensor<1x64x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %s0 = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %s0 by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %c : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %h = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %b = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      mirage_block.yield %a, %b : tensor<1x64x64xf32>, tensor<1x64x1xf32>
    }
    %r = mirage_block.div %num, %den : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %r : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %d : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// Heads of 80.
func.func @attn_128(%q: tensor<2x128x80xf16>, %k: tensor<2x512x80xf16>, %v: tensor<2x512x80xf16>) -> tensor<2x128x80xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x128x80xf16>, %ka = %k : tensor<2x512x80xf16>, %va = %v : tensor<2x512x80xf16>) -> tensor<2x128x80xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true>} {
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x128x80xf16> to tensor<1x128x80xf16>
    %num, %den = mirage_block.for %i = 0 to 8 -> (tensor<1x128x80xf32>, tensor<1x128x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x80xf16> to tensor<1x64x80xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x80xf16> to tensor<1x64x80xf16>
      %s0 = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x80xf16>, tensor<1x64x80xf16>) -> tensor<1x128x64xf32>
      %s = mirage_block.scale %s0 by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %e = mirage_block.exp %c : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %h = mirage_block.cast %e : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<1x128x64xf16>, tensor<1x64x80xf16>) -> tensor<1x128x80xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x128x80xf32>, tensor<1x128x1xf32>) -> tensor<1x128x80xf32>
      %b = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      mirage_block.yield %a, %b : tensor<1x128x80xf32>, tensor<1x128x1xf32>
    }
    %r = mirage_block.div %num, %den : (tensor<1x128x80xf32>, tensor<1x128x1xf32>) -> tensor<1x128x80xf32>
    %c = mirage_block.cast %r : tensor<1x128x80xf32> to tensor<1x128x80xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x80xf16> to tensor<2x128x80xf16>
    mirage_block.yield %d : tensor<2x128x80xf16>
  }
  return %o : tensor<2x128x80xf16>
}

// Groups, clusters, and heads of 128.
func.func @attn_groups(%q: tensor<2x64x128xf16>, %k: tensor<2x512x128xf16>, %v: tensor<2x512x128xf16>) -> tensor<2x64x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x128xf16>, %ka = %k : tensor<2x512x128xf16>, %va = %v : tensor<2x512x128xf16>) -> tensor<2x64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 2, wgmma = true>} {
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x128xf16> to tensor<1x64x128xf16>
    %num, %den = mirage_block.for %i = 0 to 16 -> (tensor<1x64x128xf32>, tensor<1x64x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x128xf16> to tensor<1x32x128xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x128xf16> to tensor<1x32x128xf16>
      %s0 = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x128xf16>, tensor<1x32x128xf16>) -> tensor<1x64x32xf32>
      %s = mirage_block.scale %s0 by 0.125 : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
      %e = mirage_block.exp %c : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %h = mirage_block.cast %e : tensor<1x64x32xf32> to tensor<1x64x32xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<1x64x32xf16>, tensor<1x32x128xf16>) -> tensor<1x64x128xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      %b = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      mirage_block.yield %a, %b : tensor<1x64x128xf32>, tensor<1x64x1xf32>
    }
    %r = mirage_block.div %num, %den : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
    %c = mirage_block.cast %r : tensor<1x64x128xf32> to tensor<1x64x128xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x128xf16> to tensor<2x64x128xf16>
    mirage_block.yield %d : tensor<2x64x128xf16>
  }
  return %o : tensor<2x64x128xf16>
}

// The same where other warps load: one or four, for one or two groups, in clusters.
func.func @gemm_tt_loader(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<256x128xf16>, %ba = %b : tensor<128x256xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @gemm_columns_loader(%a: tensor<128x256xbf16>, %b: tensor<256x128xbf16>) -> tensor<128x128xbf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%aa = %a : tensor<128x256xbf16>, %ba = %b : tensor<256x128xbf16>)
      -> tensor<128x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 2, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x128xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<64x64xbf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xbf16> to tensor<64x128xbf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xbf16>, tensor<64x128xbf16>) -> tensor<64x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %s : tensor<64x128xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x128xf32> to tensor<64x128xbf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x128xbf16> to tensor<128x128xbf16>
    mirage_block.yield %d : tensor<128x128xbf16>
  }
  return %o : tensor<128x128xbf16>
}

func.func @gemm_groups_loader(%a: tensor<128x256xf16>, %b: tensor<128x256xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<128x256xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @gemm_cluster_loader(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%aa = %a : tensor<128x256xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, cluster_blocks = 2, wgmma = true, loader_warps = 4>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %x = mirage_block.load %aa imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<128x128xf16>
    mirage_block.yield %d : tensor<128x128xf16>
  }
  return %o : tensor<128x128xf16>
}

func.func @attn_128_loader(%q: tensor<2x128x80xf16>, %k: tensor<2x512x80xf16>, %v: tensor<2x512x80xf16>) -> tensor<2x128x80xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x128x80xf16>, %ka = %k : tensor<2x512x80xf16>, %va = %v : tensor<2x512x80xf16>) -> tensor<2x128x80xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4>} {
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x128x80xf16> to tensor<1x128x80xf16>
    %num, %den = mirage_block.for %i = 0 to 8 -> (tensor<1x128x80xf32>, tensor<1x128x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x80xf16> to tensor<1x64x80xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x80xf16> to tensor<1x64x80xf16>
      %s0 = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x80xf16>, tensor<1x64x80xf16>) -> tensor<1x128x64xf32>
      %s = mirage_block.scale %s0 by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %e = mirage_block.exp %c : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %h = mirage_block.cast %e : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<1x128x64xf16>, tensor<1x64x80xf16>) -> tensor<1x128x80xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x128x80xf32>, tensor<1x128x1xf32>) -> tensor<1x128x80xf32>
      %b = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      mirage_block.yield %a, %b : tensor<1x128x80xf32>, tensor<1x128x1xf32>
    }
    %r = mirage_block.div %num, %den : (tensor<1x128x80xf32>, tensor<1x128x1xf32>) -> tensor<1x128x80xf32>
    %c = mirage_block.cast %r : tensor<1x128x80xf32> to tensor<1x128x80xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x80xf16> to tensor<2x128x80xf16>
    mirage_block.yield %d : tensor<2x128x80xf16>
  }
  return %o : tensor<2x128x80xf16>
}

func.func @attn_groups_loader(%q: tensor<2x64x128xf16>, %k: tensor<2x512x128xf16>, %v: tensor<2x512x128xf16>) -> tensor<2x64x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x128xf16>, %ka = %k : tensor<2x512x128xf16>, %va = %v : tensor<2x512x128xf16>) -> tensor<2x64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 2, wgmma = true, loader_warps = 4>} {
    %qt = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x128xf16> to tensor<1x64x128xf16>
    %num, %den = mirage_block.for %i = 0 to 16 -> (tensor<1x64x128xf32>, tensor<1x64x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x128xf16> to tensor<1x32x128xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x128xf16> to tensor<1x32x128xf16>
      %s0 = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x128xf16>, tensor<1x32x128xf16>) -> tensor<1x64x32xf32>
      %s = mirage_block.scale %s0 by 0.125 : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %m = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
      %e = mirage_block.exp %c : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %h = mirage_block.cast %e : tensor<1x64x32xf32> to tensor<1x64x32xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<1x64x32xf16>, tensor<1x32x128xf16>) -> tensor<1x64x128xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      %b = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      mirage_block.yield %a, %b : tensor<1x64x128xf32>, tensor<1x64x1xf32>
    }
    %r = mirage_block.div %num, %den : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
    %c = mirage_block.cast %r : tensor<1x64x128xf32> to tensor<1x64x128xf16>
    %d = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x128xf16> to tensor<2x64x128xf16>
    mirage_block.yield %d : tensor<2x64x128xf16>
  }
  return %o : tensor<2x64x128xf16>
}

// Few rows: operands are exchanged, and the columns are the rows of the instruction.
func.func @few_nn(%a: tensor<16x256xf16>, %b: tensor<256x128xf16>) -> tensor<16x128xf16> {
  %o = mirage_kernel.launch grid(x = 2) (%aa = %a : tensor<16x256xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<16x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<16x64xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<16x256xf16> to tensor<16x64xf16>
      %y = mirage_block.load %ba imap(x -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<16x64xf16>, tensor<64x64xf16>) -> tensor<16x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<16x64xf32>) -> tensor<16x64xf32>
      mirage_block.yield %s : tensor<16x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<16x64xf32> to tensor<16x64xf16>
    %d = mirage_block.store %c omap(x -> 1) : tensor<16x64xf16> to tensor<16x128xf16>
    mirage_block.yield %d : tensor<16x128xf16>
  }
  return %o : tensor<16x128xf16>
}

func.func @few_nt(%a: tensor<8x256xbf16>, %b: tensor<128x256xbf16>) -> tensor<8x128xbf16> {
  %o = mirage_kernel.launch grid(x = 2) (%aa = %a : tensor<8x256xbf16>, %ba = %b : tensor<128x256xbf16>)
      -> tensor<8x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 2, stages = 3, wgmma = true>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<8x64xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<8x256xbf16> to tensor<8x64xbf16>
      %y = mirage_block.load %ba imap(x -> 0) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<64x64xbf16>
      %p = mirage_block.matmul %x, %y transpose_rhs : (tensor<8x64xbf16>, tensor<64x64xbf16>) -> tensor<8x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<8x64xf32>) -> tensor<8x64xf32>
      mirage_block.yield %s : tensor<8x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<8x64xf32> to tensor<8x64xbf16>
    %d = mirage_block.store %c omap(x -> 1) : tensor<8x64xbf16> to tensor<8x128xbf16>
    mirage_block.yield %d : tensor<8x128xbf16>
  }
  return %o : tensor<8x128xbf16>
}

func.func @few_tn(%a: tensor<256x32xf16>, %b: tensor<256x128xf16>) -> tensor<32x128xf16> {
  %o = mirage_kernel.launch grid(x = 2) (%aa = %a : tensor<256x32xf16>, %ba = %b : tensor<256x128xf16>)
      -> tensor<32x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<32x64xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 0) : tensor<256x32xf16> to tensor<64x32xf16>
      %y = mirage_block.load %ba imap(x -> 1) fmap(%i -> 0) : tensor<256x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y transpose_lhs : (tensor<64x32xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<32x64xf32>) -> tensor<32x64xf32>
      mirage_block.yield %s : tensor<32x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<32x64xf32> to tensor<32x64xf16>
    %d = mirage_block.store %c omap(x -> 1) : tensor<32x64xf16> to tensor<32x128xf16>
    mirage_block.yield %d : tensor<32x128xf16>
  }
  return %o : tensor<32x128xf16>
}

func.func @few_tt(%a: tensor<256x16xbf16>, %b: tensor<128x256xbf16>) -> tensor<16x128xbf16> {
  %o = mirage_kernel.launch grid(x = 2) (%aa = %a : tensor<256x16xbf16>, %ba = %b : tensor<128x256xbf16>)
      -> tensor<16x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 2, stages = 3, cluster_blocks = 2, wgmma = true, loader_warps = 1>} {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<16x64xf32> {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 0) : tensor<256x16xbf16> to tensor<64x16xbf16>
      %y = mirage_block.load %ba imap(x -> 0) fmap(%i -> 1) : tensor<128x256xbf16> to tensor<64x64xbf16>
      %p = mirage_block.matmul %x, %y transpose_lhs transpose_rhs : (tensor<64x16xbf16>, tensor<64x64xbf16>) -> tensor<16x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<16x64xf32>) -> tensor<16x64xf32>
      mirage_block.yield %s : tensor<16x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<16x64xf32> to tensor<16x64xbf16>
    %d = mirage_block.store %c omap(x -> 1) : tensor<16x64xbf16> to tensor<16x128xbf16>
    mirage_block.yield %d : tensor<16x128xbf16>
  }
  return %o : tensor<16x128xbf16>
}

}
