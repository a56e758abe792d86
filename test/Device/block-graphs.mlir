// Block graphs that use every kind of operation, lowered. With a GPU,
// scripts/test-device.sh runs each function and compares it with the interpreter.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

// The general lowering rounds to tf32 where that is allowed; schedules multiply f32 as it is.
// RUN: mirage-opt %s --mirage-lower-to-nvvm=schedule=false | mirage-translate --mirage-to-ptx -o %t.general
// RUN: FileCheck %s --check-prefix=GENERAL < %t.general/kernels.ptx
// GENERAL: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// CHECK-NOT: .extern .func
// CHECK-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-DAG: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-DAG: cp.async.ca.shared.global
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Matrix instructions: rows that fill no whole part, batches, a transposed rhs.
func.func @mma_f16(%a: tensor<4x5x32xf16>, %b: tensor<4x24x32xf16>) -> tensor<4x5x24xf32> {
  %o = mirage_kernel.launch grid(x = 2)
      (%aa = %a : tensor<4x5x32xf16>, %ba = %b : tensor<4x24x32xf16>) -> tensor<4x5x24xf32> {
    %at = mirage_block.load %aa imap(x -> 0) : tensor<4x5x32xf16> to tensor<2x5x32xf16>
    %bt = mirage_block.load %ba imap(x -> 0) : tensor<4x24x32xf16> to tensor<2x24x32xf16>
    %c = mirage_block.matmul %at, %bt transpose_rhs
        : (tensor<2x5x32xf16>, tensor<2x24x32xf16>) -> tensor<2x5x24xf32>
    %s = mirage_block.store %c omap(x -> 0) : tensor<2x5x24xf32> to tensor<4x5x24xf32>
    mirage_block.yield %s : tensor<4x5x24xf32>
  }
  return %o : tensor<4x5x24xf32>
}

// A transposed lhs, a broadcast batch, bf16 in and out.
func.func @mma_bf16(%a: tensor<1x48x40xbf16>, %b: tensor<3x48x16xbf16>) -> tensor<3x40x16xbf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 2)
      (%aa = %a : tensor<1x48x40xbf16>, %ba = %b : tensor<3x48x16xbf16>)
      -> tensor<3x40x16xbf16> {
    %at = mirage_block.load %aa imap(x -> phi, y -> phi)
        : tensor<1x48x40xbf16> to tensor<1x48x40xbf16>
    %bt = mirage_block.load %ba imap(x -> phi, y -> 2)
        : tensor<3x48x16xbf16> to tensor<3x48x8xbf16>
    %c = mirage_block.matmul %at, %bt transpose_lhs
        : (tensor<1x48x40xbf16>, tensor<3x48x8xbf16>) -> tensor<3x40x8xbf16>
    %s = mirage_block.store %c omap(x -> phi, y -> 2)
        : tensor<3x40x8xbf16> to tensor<3x40x16xbf16>
    mirage_block.yield %s : tensor<3x40x16xbf16>
  }
  return %o : tensor<3x40x16xbf16>
}

func.func @mma_tf32(%a: tensor<20x16xf32>, %b: tensor<16x8xf32>) -> tensor<20x8xf32> {
  %o = mirage_kernel.launch grid(x = 1)
      (%aa = %a : tensor<20x16xf32>, %ba = %b : tensor<16x8xf32>) -> tensor<20x8xf32> {
    %at = mirage_block.load %aa imap(x -> phi) : tensor<20x16xf32> to tensor<20x16xf32>
    %bt = mirage_block.load %ba imap(x -> phi) : tensor<16x8xf32> to tensor<16x8xf32>
    %c = mirage_block.matmul %at, %bt compute tf32
        : (tensor<20x16xf32>, tensor<16x8xf32>) -> tensor<20x8xf32>
    %s = mirage_block.store %c omap(x -> 0) : tensor<20x8xf32> to tensor<20x8xf32>
    mirage_block.yield %s : tensor<20x8xf32>
  }
  return %o : tensor<20x8xf32>
}

// Products by fused multiply-adds: 12 contracted elements, f32, f64 and f8.
func.func @fma(%a: tensor<8x12xf16>, %b: tensor<12x10xf16>, %c: tensor<8x12xf64>,
               %d: tensor<12x10xf64>, %e: tensor<8x16xf8E5M2>, %f: tensor<16x8xf8E5M2>)
    -> (tensor<8x10xf16>, tensor<8x10xf64>, tensor<8x8xf32>) {
  %o:3 = mirage_kernel.launch grid(x = 2)
      (%aa = %a : tensor<8x12xf16>, %ba = %b : tensor<12x10xf16>, %ca = %c : tensor<8x12xf64>,
       %da = %d : tensor<12x10xf64>, %ea = %e : tensor<8x16xf8E5M2>,
       %fa = %f : tensor<16x8xf8E5M2>)
      -> (tensor<8x10xf16>, tensor<8x10xf64>, tensor<8x8xf32>) {
    %at = mirage_block.load %aa imap(x -> 0) : tensor<8x12xf16> to tensor<4x12xf16>
    %bt = mirage_block.load %ba imap(x -> phi) : tensor<12x10xf16> to tensor<12x10xf16>
    %ct = mirage_block.load %ca imap(x -> 0) : tensor<8x12xf64> to tensor<4x12xf64>
    %dt = mirage_block.load %da imap(x -> phi) : tensor<12x10xf64> to tensor<12x10xf64>
    %et = mirage_block.load %ea imap(x -> 0) : tensor<8x16xf8E5M2> to tensor<4x16xf8E5M2>
    %ft = mirage_block.load %fa imap(x -> phi) : tensor<16x8xf8E5M2> to tensor<16x8xf8E5M2>
    %p = mirage_block.matmul %at, %bt
        : (tensor<4x12xf16>, tensor<12x10xf16>) -> tensor<4x10xf16>
    %q = mirage_block.matmul %ct, %dt
        : (tensor<4x12xf64>, tensor<12x10xf64>) -> tensor<4x10xf64>
    %r = mirage_block.matmul %et, %ft
        : (tensor<4x16xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<4x8xf32>
    %sp = mirage_block.store %p omap(x -> 0) : tensor<4x10xf16> to tensor<8x10xf16>
    %sq = mirage_block.store %q omap(x -> 0) : tensor<4x10xf64> to tensor<8x10xf64>
    %sr = mirage_block.store %r omap(x -> 0) : tensor<4x8xf32> to tensor<8x8xf32>
    mirage_block.yield %sp, %sq, %sr : tensor<8x10xf16>, tensor<8x10xf64>, tensor<8x8xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<8x10xf16>, tensor<8x10xf64>, tensor<8x8xf32>
}

// Nested loops, then another one; a sum in a wider type, a concatenation, a maximum.
func.func @loops(%x: tensor<8x96xf16>, %w: tensor<96x64xf16>)
    -> (tensor<8x64xf32>, tensor<8x96xf16>, tensor<8x1xf16>) {
  %o:3 = mirage_kernel.launch grid(x = 2, y = 2)
      (%xa = %x : tensor<8x96xf16>, %wa = %w : tensor<96x64xf16>)
      -> (tensor<8x64xf32>, tensor<8x96xf16>, tensor<8x1xf16>) {
    %sum, %max0 = mirage_block.for %i = 0 to 2 -> (tensor<4x32xf32>, tensor<4x1xf16>) {
      %part, %max1 = mirage_block.for %j = 0 to 3 -> (tensor<4x32xf32>, tensor<4x1xf16>) {
        %xt = mirage_block.load %xa imap(x -> 0, y -> phi) fmap(%i -> 1, %j -> 1)
            : tensor<8x96xf16> to tensor<4x16xf16>
        %wt = mirage_block.load %wa imap(x -> phi, y -> 1) fmap(%i -> 0, %j -> 0)
            : tensor<96x64xf16> to tensor<16x32xf16>
        %p = mirage_block.matmul %xt, %wt
            : (tensor<4x16xf16>, tensor<16x32xf16>) -> tensor<4x32xf16>
        %m = mirage_block.reduce max %xt dim(1) keep : (tensor<4x16xf16>) -> tensor<4x1xf16>
        %a = mirage_block.accumulate sum %p : (tensor<4x32xf16>) -> tensor<4x32xf32>
        %b = mirage_block.accumulate max %m : (tensor<4x1xf16>) -> tensor<4x1xf16>
        mirage_block.yield %a, %b : tensor<4x32xf32>, tensor<4x1xf16>
      }
      %a = mirage_block.accumulate sum %part : (tensor<4x32xf32>) -> tensor<4x32xf32>
      %b = mirage_block.accumulate max %max1 : (tensor<4x1xf16>) -> tensor<4x1xf16>
      mirage_block.yield %a, %b : tensor<4x32xf32>, tensor<4x1xf16>
    }
    // Blocks of one y see half of the columns each; every loop iteration a sixth.
    %cat = mirage_block.for %k = 0 to 6 -> tensor<4x48xf16> {
      %xt = mirage_block.load %xa imap(x -> 0, y -> 1) fmap(%k -> 1)
          : tensor<8x96xf16> to tensor<4x8xf16>
      %r = mirage_block.sub %xt, %max0
          : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %a = mirage_block.accumulate concat %r dim(1) : (tensor<4x8xf16>) -> tensor<4x48xf16>
      mirage_block.yield %a : tensor<4x48xf16>
    }
    %s0 = mirage_block.store %sum omap(x -> 0, y -> 1) : tensor<4x32xf32> to tensor<8x64xf32>
    %s1 = mirage_block.store %cat omap(x -> 0, y -> 1) : tensor<4x48xf16> to tensor<8x96xf16>
    %s2 = mirage_block.store %max0 omap(x -> 0, y -> max) : tensor<4x1xf16> to tensor<8x1xf16>
    mirage_block.yield %s0, %s1, %s2 : tensor<8x64xf32>, tensor<8x96xf16>, tensor<8x1xf16>
  }
  return %o#0, %o#1, %o#2 : tensor<8x64xf32>, tensor<8x96xf16>, tensor<8x1xf16>
}

// Partial sums over two grid dimensions, combined by a second kernel.
func.func @reduced_grid(%x: tensor<16x32x6xf32>) -> tensor<32x6xf32> {
  %o = mirage_kernel.launch grid(x = 4, y = 2, z = 2)
      (%xa = %x : tensor<16x32x6xf32>) -> tensor<32x6xf32> {
    %t = mirage_block.load %xa imap(x -> 0, y -> 1, z -> phi)
        : tensor<16x32x6xf32> to tensor<4x16x6xf32>
    %h = mirage_block.scale %t by 0.5 : (tensor<4x16x6xf32>) -> tensor<4x16x6xf32>
    %r = mirage_block.reduce sum %h dim(0) : (tensor<4x16x6xf32>) -> tensor<16x6xf32>
    %s = mirage_block.store %r omap(x -> sum, y -> 0, z -> sum)
        : tensor<16x6xf32> to tensor<32x6xf32>
    mirage_block.yield %s : tensor<32x6xf32>
  }
  return %o : tensor<32x6xf32>
}

// Online softmax in a loop over keys.
func.func @online_softmax(%q: tensor<32x16xf16>, %k: tensor<64x16xf16>, %v: tensor<64x8xf16>)
    -> tensor<32x8xf16> {
  %o = mirage_kernel.launch grid(x = 2)
      (%qa = %q : tensor<32x16xf16>, %ka = %k : tensor<64x16xf16>, %va = %v : tensor<64x8xf16>)
      -> tensor<32x8xf16> {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<32x16xf16> to tensor<16x16xf16>
    %n, %d = mirage_block.for %i = 0 to 4 -> (tensor<16x8xf32>, tensor<16x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0)
          : tensor<64x16xf16> to tensor<16x16xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0)
          : tensor<64x8xf16> to tensor<16x8xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs
          : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<16x16xf32>) -> tensor<16x1xf32>
      %c = mirage_block.sub %s, %m : (tensor<16x16xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>
      %e = mirage_block.exp %c : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<16x16xf32>) -> tensor<16x1xf32>
      %h = mirage_block.cast %e : tensor<16x16xf32> to tensor<16x16xf16>
      %p = mirage_block.matmul %h, %vt
          : (tensor<16x16xf16>, tensor<16x8xf16>) -> tensor<16x8xf32>
      %an = mirage_block.accumulate rescaled_sum %p shift %m
          : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
      %ad = mirage_block.accumulate rescaled_sum %l shift %m
          : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      mirage_block.yield %an, %ad : tensor<16x8xf32>, tensor<16x1xf32>
    }
    %r = mirage_block.div %n, %d : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
    %h = mirage_block.cast %r : tensor<16x8xf32> to tensor<16x8xf16>
    %st = mirage_block.store %h omap(x -> 0) : tensor<16x8xf16> to tensor<32x8xf16>
    mirage_block.yield %st : tensor<32x8xf16>
  }
  return %o : tensor<32x8xf16>
}

// Composite, layout and grouped operators, constants, and concat_matmul by mma.
func.func @operators(%x: tensor<16x64xf16>, %w: tensor<64xf16>, %l: tensor<64x16xf16>,
                     %y: tensor<64x8xf16>, %z: tensor<16x8xf16>)
    -> (tensor<16x64xf16>, tensor<16x8xf32>, tensor<64x16xf16>, tensor<16x8xf16>) {
  %o:4 = mirage_kernel.launch grid(x = 1)
      (%xa = %x : tensor<16x64xf16>, %wa = %w : tensor<64xf16>, %la = %l : tensor<64x16xf16>,
       %ya = %y : tensor<64x8xf16>, %za = %z : tensor<16x8xf16>)
      -> (tensor<16x64xf16>, tensor<16x8xf32>, tensor<64x16xf16>, tensor<16x8xf16>) {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<16x64xf16> to tensor<16x64xf16>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<64xf16> to tensor<64xf16>
    %lt = mirage_block.load %la imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %yt = mirage_block.load %ya imap(x -> phi) : tensor<64x8xf16> to tensor<64x8xf16>
    %zt = mirage_block.load %za imap(x -> phi) : tensor<16x8xf16> to tensor<16x8xf16>
    %n = mirage_block.rms_norm %xt weight %wt epsilon(1.0e-5)
        : (tensor<16x64xf16>, tensor<64xf16>) -> tensor<16x64xf16>
    %m = mirage_block.softmax %n dim(1) : (tensor<16x64xf16>) -> tensor<16x64xf16>
    %a = mirage_block.matmul %xt, %lt
        : (tensor<16x64xf16>, tensor<64x16xf16>) -> tensor<16x16xf16>
    %cm = mirage_block.concat_matmul (%xt, %a), (%yt, %zt)
        : (tensor<16x64xf16>, tensor<16x16xf16>, tensor<64x8xf16>, tensor<16x8xf16>)
        -> tensor<16x8xf32>
    %c = mirage_block.constant dense<2.0> : tensor<1x1xf16>
    %t = mirage_block.transpose %xt [1, 0] : (tensor<16x64xf16>) -> tensor<64x16xf16>
    %u = mirage_block.mul %t, %c : (tensor<64x16xf16>, tensor<1x1xf16>) -> tensor<64x16xf16>
    %g = mirage_block.reduce sum %xt dim(1) group(8) : (tensor<16x64xf16>) -> tensor<16x8xf16>
    %s0 = mirage_block.store %m omap(x -> 0) : tensor<16x64xf16> to tensor<16x64xf16>
    %s1 = mirage_block.store %cm omap(x -> 0) : tensor<16x8xf32> to tensor<16x8xf32>
    %s2 = mirage_block.store %u omap(x -> 0) : tensor<64x16xf16> to tensor<64x16xf16>
    %s3 = mirage_block.store %g omap(x -> 0) : tensor<16x8xf16> to tensor<16x8xf16>
    mirage_block.yield %s0, %s1, %s2, %s3
        : tensor<16x64xf16>, tensor<16x8xf32>, tensor<64x16xf16>, tensor<16x8xf16>
  }
  return %o#0, %o#1, %o#2, %o#3
      : tensor<16x64xf16>, tensor<16x8xf32>, tensor<64x16xf16>, tensor<16x8xf16>
}

// A thread graph with fragments that are reduced and multiplied in registers.
func.func @threads(%x: tensor<8x24xf32>, %w: tensor<6x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x16xf32>) {
  %o:2 = mirage_kernel.launch grid(x = 1)
      (%xa = %x : tensor<8x24xf32>, %wa = %w : tensor<6x4xf32>)
      -> (tensor<8x4xf32>, tensor<8x16xf32>) {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<8x24xf32> to tensor<8x24xf32>
    %wt = mirage_block.load %wa imap(x -> phi) : tensor<6x4xf32> to tensor<6x4xf32>
    %r:2 = mirage_block.thread_graph threads(x = 4, y = 8)
        (%xs = %xt : tensor<8x24xf32>, %ws = %wt : tensor<6x4xf32>)
        -> (tensor<8x4xf32>, tensor<8x16xf32>) {
      %f = mirage_thread.load %xs imap(x -> 1, y -> 0) : tensor<8x24xf32> to tensor<1x6xf32>
      %g = mirage_thread.load %ws imap(x -> phi, y -> phi) : tensor<6x4xf32> to tensor<6x4xf32>
      %q = mirage_thread.square %f : (tensor<1x6xf32>) -> tensor<1x6xf32>
      %s = mirage_thread.reduce sum %q dim(1) keep : (tensor<1x6xf32>) -> tensor<1x1xf32>
      %m = mirage_thread.matmul %f, %g : (tensor<1x6xf32>, tensor<6x4xf32>) -> tensor<1x4xf32>
      %o0 = mirage_thread.store %s omap(x -> 1, y -> 0) : tensor<1x1xf32> to tensor<8x4xf32>
      %o1 = mirage_thread.store %m omap(x -> 1, y -> 0) : tensor<1x4xf32> to tensor<8x16xf32>
      mirage_thread.yield %o0, %o1 : tensor<8x4xf32>, tensor<8x16xf32>
    }
    %s0 = mirage_block.store %r#0 omap(x -> 0) : tensor<8x4xf32> to tensor<8x4xf32>
    %s1 = mirage_block.store %r#1 omap(x -> 0) : tensor<8x16xf32> to tensor<8x16xf32>
    mirage_block.yield %s0, %s1 : tensor<8x4xf32>, tensor<8x16xf32>
  }
  return %o#0, %o#1 : tensor<8x4xf32>, tensor<8x16xf32>
}

// Values of a thread graph that are used several times, in fragments of 8.
func.func @thread_norms(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %o = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<16x32xf32>) -> tensor<16x32xf32> {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<16x32xf32> to tensor<8x32xf32>
    %n = mirage_block.thread_graph threads(x = 4, y = 8)
        (%xs = %xt : tensor<8x32xf32>) -> tensor<8x32xf32> {
      %f = mirage_thread.load %xs imap(x -> 1, y -> 0) : tensor<8x32xf32> to tensor<1x8xf32>
      %a = mirage_thread.layer_norm %f epsilon(1.0e-3) : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %b = mirage_thread.softmax %a dim(1) : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %c = mirage_thread.mul %a, %b : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %d = mirage_thread.add %c, %c : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %r = mirage_thread.store %d omap(x -> 1, y -> 0) : tensor<1x8xf32> to tensor<8x32xf32>
      mirage_thread.yield %r : tensor<8x32xf32>
    }
    %s = mirage_block.store %n omap(x -> 0) : tensor<8x32xf32> to tensor<16x32xf32>
    mirage_block.yield %s : tensor<16x32xf32>
  }
  return %o : tensor<16x32xf32>
}

// A maximum in a type without infinity.
func.func @f8_maximum(%x: tensor<8x64xf8E4M3FN>) -> tensor<8x16xf8E4M3FN> {
  %o = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<8x64xf8E4M3FN>)
      -> tensor<8x16xf8E4M3FN> {
    %m = mirage_block.for %i = 0 to 4 -> tensor<4x16xf8E4M3FN> {
      %xt = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1)
          : tensor<8x64xf8E4M3FN> to tensor<4x16xf8E4M3FN>
      %a = mirage_block.accumulate max %xt : (tensor<4x16xf8E4M3FN>) -> tensor<4x16xf8E4M3FN>
      mirage_block.yield %a : tensor<4x16xf8E4M3FN>
    }
    %s = mirage_block.store %m omap(x -> 0) : tensor<4x16xf8E4M3FN> to tensor<8x16xf8E4M3FN>
    mirage_block.yield %s : tensor<8x16xf8E4M3FN>
  }
  return %o : tensor<8x16xf8E4M3FN>
}

}
