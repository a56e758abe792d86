// Attention with heads whose rows wide chunks do not divide, which threads copy: the last chunk of a row has a part of its
// elements, and results leave in accesses of 16 bytes, for which pairs of lanes exchange what they have in two steps. With a
// GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=heads_of_48 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=heads_of_80 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=heads_of_112 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=halves_of_40 | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// THREAD-LABEL: gpu.func @heads_of_48_0_launch
// THREAD: shared_buffer {{.*}}x48xf16, #mirage_thread.chunked<{{.*}}chunk = 64
// THREAD: mirage_thread.exchange_lanes
// THREAD: mirage_thread.exchange_lanes
// THREAD-LABEL: gpu.func @heads_of_80_0_launch
// THREAD: shared_buffer {{.*}}x80xf16, #mirage_thread.chunked<{{.*}}chunk = 32
// THREAD-LABEL: gpu.func @heads_of_112_0_launch
// THREAD: shared_buffer {{.*}}x112xf16, #mirage_thread.chunked<{{.*}}chunk = 64
// PTX-LABEL: .visible .entry heads_of_80_0_launch(
// PTX: wgmma.mma_async.sync.aligned.m64n80k16
// PTX-NOT: st.global.b32
// PTX: st.global.v4.b32
// PTX-LABEL: .visible .entry heads_of_112_0_launch(
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @heads_of_48(%q: tensor<2x64x48xf16>, %k: tensor<2x256x48xf16>, %v: tensor<2x256x48xf16>) -> tensor<2x64x48xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x48xf16>, %ka = %k : tensor<2x256x48xf16>, %va = %v : tensor<2x256x48xf16>) -> tensor<2x64x48xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x48xf16> to tensor<1x64x48xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x48xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x48xf16> to tensor<1x64x48xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x48xf16> to tensor<1x64x48xf16>
      %sc = mirage_block.matmul %x, %kt transpose_rhs : (tensor<1x64x48xf16>, tensor<1x64x48xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %t : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x64x64xf16>, tensor<1x64x48xf16>) -> tensor<1x64x48xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %t : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %t : (tensor<1x64x48xf32>, tensor<1x64x1xf32>) -> tensor<1x64x48xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x48xf32>
    }
    %d = mirage_block.div %f#1, %f#0 : (tensor<1x64x48xf32>, tensor<1x64x1xf32>) -> tensor<1x64x48xf32>
    %h = mirage_block.cast %d : tensor<1x64x48xf32> to tensor<1x64x48xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x64x48xf16> to tensor<2x64x48xf16>
    mirage_block.yield %w : tensor<2x64x48xf16>
  }
  return %o : tensor<2x64x48xf16>
}

func.func @heads_of_80(%q: tensor<2x64x80xf16>, %k: tensor<2x256x80xf16>, %v: tensor<2x256x80xf16>) -> tensor<2x64x80xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x80xf16>, %ka = %k : tensor<2x256x80xf16>, %va = %v : tensor<2x256x80xf16>) -> tensor<2x64x80xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x80xf16> to tensor<1x64x80xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x80xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x80xf16> to tensor<1x64x80xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x80xf16> to tensor<1x64x80xf16>
      %sc = mirage_block.matmul %x, %kt transpose_rhs : (tensor<1x64x80xf16>, tensor<1x64x80xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %t : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x64x64xf16>, tensor<1x64x80xf16>) -> tensor<1x64x80xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %t : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %t : (tensor<1x64x80xf32>, tensor<1x64x1xf32>) -> tensor<1x64x80xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x80xf32>
    }
    %d = mirage_block.div %f#1, %f#0 : (tensor<1x64x80xf32>, tensor<1x64x1xf32>) -> tensor<1x64x80xf32>
    %h = mirage_block.cast %d : tensor<1x64x80xf32> to tensor<1x64x80xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x64x80xf16> to tensor<2x64x80xf16>
    mirage_block.yield %w : tensor<2x64x80xf16>
  }
  return %o : tensor<2x64x80xf16>
}

func.func @heads_of_112(%q: tensor<2x64x112xf16>, %k: tensor<2x256x112xf16>, %v: tensor<2x256x112xf16>) -> tensor<2x64x112xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x112xf16>, %ka = %k : tensor<2x256x112xf16>, %va = %v : tensor<2x256x112xf16>) -> tensor<2x64x112xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x112xf16> to tensor<1x64x112xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x112xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x112xf16> to tensor<1x64x112xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x256x112xf16> to tensor<1x64x112xf16>
      %sc = mirage_block.matmul %x, %kt transpose_rhs : (tensor<1x64x112xf16>, tensor<1x64x112xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %t : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x64x64xf16>, tensor<1x64x112xf16>) -> tensor<1x64x112xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %t : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %t : (tensor<1x64x112xf32>, tensor<1x64x1xf32>) -> tensor<1x64x112xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x112xf32>
    }
    %d = mirage_block.div %f#1, %f#0 : (tensor<1x64x112xf32>, tensor<1x64x1xf32>) -> tensor<1x64x112xf32>
    %h = mirage_block.cast %d : tensor<1x64x112xf32> to tensor<1x64x112xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x64x112xf16> to tensor<2x64x112xf16>
    mirage_block.yield %w : tensor<2x64x112xf16>
  }
  return %o : tensor<2x64x112xf16>
}

// Forty columns are half of a row, and two and a half chunks of sixteen.
func.func @halves_of_40(%q: tensor<2x64x80xf16>, %k: tensor<2x256x80xf16>, %v: tensor<2x256x80xf16>) -> tensor<2x64x80xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1, z = 2) (%qa = %q : tensor<2x64x80xf16>, %ka = %k : tensor<2x256x80xf16>, %va = %v : tensor<2x256x80xf16>) -> tensor<2x64x80xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    %x = mirage_block.load %qa imap(x -> 0, y -> 1, z -> phi) : tensor<2x64x80xf16> to tensor<1x64x80xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x40xf32>) {
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 1) : tensor<2x256x80xf16> to tensor<1x64x80xf16>
      %vt = mirage_block.load %va imap(x -> 0, y -> phi, z -> 2) fmap(%i -> 1) : tensor<2x256x80xf16> to tensor<1x64x40xf16>
      %sc = mirage_block.matmul %x, %kt transpose_rhs : (tensor<1x64x80xf16>, tensor<1x64x80xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %t : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x64x64xf16>, tensor<1x64x40xf16>) -> tensor<1x64x40xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %t : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %t : (tensor<1x64x40xf32>, tensor<1x64x1xf32>) -> tensor<1x64x40xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x40xf32>
    }
    %d = mirage_block.div %f#1, %f#0 : (tensor<1x64x40xf32>, tensor<1x64x1xf32>) -> tensor<1x64x40xf32>
    %h = mirage_block.cast %d : tensor<1x64x40xf32> to tensor<1x64x40xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1, z -> 2) : tensor<1x64x40xf16> to tensor<2x64x80xf16>
    mirage_block.yield %w : tensor<2x64x80xf16>
  }
  return %o : tensor<2x64x80xf16>
}
}
