// Operands of products whose elements lie in memory in another order than a product reads
// them: wgmma multiplies them as well.

// With a GPU, scripts/test-device.sh runs each function and compares it with the
// interpreter.

// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=patches --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=low_rank --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=low_rank_in_loop --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Rows of 16 pixels of three channels: a patch becomes a row in registers, and is stored in
// chunks.
// CHECK-LABEL: gpu.func @patches_
// CHECK: scf.for
// CHECK: mirage_thread.store_fragment %{{.*}} to %[[CHUNKS:[a-z0-9_]+]][
// CHECK-SAME: memref<1x16x192xf16, #mirage_thread.chunked
// CHECK-NOT: mma_fragment
// CHECK: mirage_thread.warpgroup_mma {{.*}} %[[CHUNKS]][
// CHECK-NOT: mma_fragment
func.func @patches(%x: tensor<3x28x16x14x16xf16>, %w: tensor<3x16x16x128xf16>) -> tensor<392x128xf32> {
  %0 = mirage_kernel.launch grid(x = 28, y = 2) (%xa = %x : tensor<3x28x16x14x16xf16>, %wa = %w : tensor<3x16x16x128xf16>) -> tensor<392x128xf32> {
    %for = mirage_block.for %i = 0 to 4 -> tensor<14x64xf32> {
      %a = mirage_block.load %xa imap(x -> 1, y -> phi) fmap(%i -> 2) : tensor<3x28x16x14x16xf16> to tensor<3x1x4x14x16xf16>
      %b = mirage_block.load %wa imap(x -> phi, y -> 3) fmap(%i -> 1) : tensor<3x16x16x128xf16> to tensor<3x4x16x64xf16>
      %t = mirage_block.transpose %a [1, 3, 0, 2, 4] : (tensor<3x1x4x14x16xf16>) -> tensor<1x14x3x4x16xf16>
      %rows = mirage_block.reshape %t : tensor<1x14x3x4x16xf16> to tensor<14x192xf16>
      %columns = mirage_block.reshape %b : tensor<3x4x16x64xf16> to tensor<192x64xf16>
      %m = mirage_block.matmul %rows, %columns : (tensor<14x192xf16>, tensor<192x64xf16>) -> tensor<14x64xf32>
      %sum = mirage_block.accumulate sum %m : (tensor<14x64xf32>) -> tensor<14x64xf32>
      mirage_block.yield %sum : tensor<14x64xf32>
    }
    %store = mirage_block.store %for omap(x -> 0, y -> 1) : tensor<14x64xf32> to tensor<392x128xf32>
    mirage_block.yield %store : tensor<392x128xf32>
  }
  return %0 : tensor<392x128xf32>
}

// A sum of two products whose operands are transposed is two products.
// CHECK-LABEL: gpu.func @low_rank_0
// CHECK-NOT: mma_fragment
// CHECK: warpgroup_mma
// CHECK: warpgroup_mma {{.*}} transpose_lhs, {{.*}} transpose_rhs
// CHECK-NOT: mma_fragment
// CHECK: warpgroup_mma
// CHECK-NOT: mma_fragment
func.func @low_rank(%x: tensor<16x256xf16>, %w: tensor<256x512xf16>, %a: tensor<256x16xf16>, %b: tensor<16x512xf16>) -> tensor<16x512xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 8) (%xa = %x : tensor<16x256xf16>, %wa = %w : tensor<256x512xf16>, %aa = %a : tensor<256x16xf16>, %ba = %b : tensor<16x512xf16>) -> tensor<16x512xf16> {
    %lx = mirage_block.load %xa imap(x -> 0, y -> phi) : tensor<16x256xf16> to tensor<8x256xf16>
    %lw = mirage_block.load %wa imap(x -> phi, y -> 1) : tensor<256x512xf16> to tensor<256x64xf16>
    %la = mirage_block.load %aa imap(x -> phi, y -> phi) : tensor<256x16xf16> to tensor<256x16xf16>
    %lb = mirage_block.load %ba imap(x -> phi, y -> 1) : tensor<16x512xf16> to tensor<16x64xf16>
    %m = mirage_block.matmul %lb, %la transpose_lhs transpose_rhs : (tensor<16x64xf16>, tensor<256x16xf16>) -> tensor<64x256xf32>
    %wt = mirage_block.transpose %lw [1, 0] : (tensor<256x64xf16>) -> tensor<64x256xf16>
    %xt = mirage_block.transpose %lx [1, 0] : (tensor<8x256xf16>) -> tensor<256x8xf16>
    %c = mirage_block.cast %m : tensor<64x256xf32> to tensor<64x256xf16>
    %s = mirage_block.concat_matmul(%wt, %c), (%xt, %xt) : (tensor<64x256xf16>, tensor<64x256xf16>, tensor<256x8xf16>, tensor<256x8xf16>) -> tensor<64x8xf32>
    %st = mirage_block.transpose %s [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
    %r = mirage_block.cast %st : tensor<8x64xf32> to tensor<8x64xf16>
    %store = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<8x64xf16> to tensor<16x512xf16>
    mirage_block.yield %store : tensor<16x512xf16>
  }
  return %0 : tensor<16x512xf16>
}

// So is one that a loop accumulates.
// CHECK-LABEL: gpu.func @low_rank_in_loop_
// CHECK-NOT: mma_fragment
// CHECK: scf.for
// CHECK: warpgroup_mma
// CHECK-NOT: mma_fragment
// CHECK: warpgroup_mma
// CHECK-NOT: mma_fragment
func.func @low_rank_in_loop(%x: tensor<64x1024xf16>, %y: tensor<64x1024xf16>, %w: tensor<1024x512xf16>, %v: tensor<1024x512xf16>) -> tensor<512x64xf32> {
  %0 = mirage_kernel.launch grid(x = 8) (%xa = %x : tensor<64x1024xf16>, %ya = %y : tensor<64x1024xf16>, %wa = %w : tensor<1024x512xf16>, %va = %v : tensor<1024x512xf16>) -> tensor<512x64xf32> {
    %for = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
      %lx = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x128xf16>
      %ly = mirage_block.load %ya imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x128xf16>
      %lw = mirage_block.load %wa imap(x -> 1) fmap(%i -> 0) : tensor<1024x512xf16> to tensor<128x64xf16>
      %lv = mirage_block.load %va imap(x -> 1) fmap(%i -> 0) : tensor<1024x512xf16> to tensor<128x64xf16>
      %wt = mirage_block.transpose %lw [1, 0] : (tensor<128x64xf16>) -> tensor<64x128xf16>
      %vt = mirage_block.transpose %lv [1, 0] : (tensor<128x64xf16>) -> tensor<64x128xf16>
      %xt = mirage_block.transpose %lx [1, 0] : (tensor<64x128xf16>) -> tensor<128x64xf16>
      %yt = mirage_block.transpose %ly [1, 0] : (tensor<64x128xf16>) -> tensor<128x64xf16>
      %s = mirage_block.concat_matmul(%wt, %vt), (%xt, %yt) : (tensor<64x128xf16>, tensor<64x128xf16>, tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %s : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %store = mirage_block.store %for omap(x -> 0) : tensor<64x64xf32> to tensor<512x64xf32>
    mirage_block.yield %store : tensor<512x64xf32>
  }
  return %0 : tensor<512x64xf32>
}
}
