// Products contract sizes that no matrix instruction divides: their operands are padded with
// zeros, where loads put tiles in shared memory or in the registers of computed tiles. With
// a GPU, scripts/test-device.sh runs each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | FileCheck %s --check-prefix=NVVM
// RUN: mirage-opt %s --mirage-lower-to-thread='measure=model' --remark-policy=all --remarks-filter=mirage-schedule 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=general-lowering
// RUN: mirage-opt %s --mirage-lower-to-nvvm='measure=model' | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

// REMARK: gpu.module
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The right operand is converted after it was padded.
// SCHEDULE-LABEL: func.func @loaded(
// SCHEDULE: [[A:%.*]] = mirage_block.load {{.*}} to tensor<16x24xf16>
// SCHEDULE-NEXT: [[APAD:%.*]] = mirage_block.pad [[A]] low [0, 0] high [0, 8] value(0.000000e+00)
// SCHEDULE-NEXT: [[B:%.*]] = mirage_block.load {{.*}} to tensor<24x32xf32>
// SCHEDULE-NEXT: [[BPAD:%.*]] = mirage_block.pad [[B]] low [0, 0] high [8, 0] value(0.000000e+00)
// SCHEDULE-NEXT: [[CAST:%.*]] = mirage_block.cast [[BPAD]] {{.*}}: tensor<32x32xf32> to tensor<32x32xf16>
// SCHEDULE-NEXT: mirage_block.matmul [[APAD]], [[CAST]]
// CHECK-LABEL: gpu.func @loaded_0_launch
// CHECK: mirage_thread.copy async %{{.*}} sizes [16, 32] exist [16, 24]
// CHECK: mirage_thread.copy async %{{.*}} sizes [32, 32] exist [24, 32]
// CHECK-NOT: mirage_thread.pad
// CHECK: gpu.return
// NVVM-LABEL: llvm.func @loaded_0_launch
// NVVM: [[SIZE:%.*]] = llvm.select {{.*}} : i1, i32
// NVVM: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, [[SIZE]]
func.func @loaded(%x: tensor<32x24xf16>, %w: tensor<24x64xf32>) -> tensor<32x64xf32> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%xa = %x : tensor<32x24xf16>, %wa = %w : tensor<24x64xf32>) -> tensor<32x64xf32> {
    %a = mirage_block.load %xa imap(x -> 0, y -> phi) : tensor<32x24xf16> to tensor<16x24xf16>
    %b = mirage_block.load %wa imap(x -> phi, y -> 1) : tensor<24x64xf32> to tensor<24x32xf32>
    %c = mirage_block.cast %b : tensor<24x32xf32> to tensor<24x32xf16>
    %p = mirage_block.matmul %a, %c : (tensor<16x24xf16>, tensor<24x32xf16>) -> tensor<16x32xf32>
    %r = mirage_block.store %p omap(x -> 0, y -> 1) : tensor<16x32xf32> to tensor<32x64xf32>
    mirage_block.yield %r : tensor<32x64xf32>
  }
  return %0 : tensor<32x64xf32>
}

// 75 keys an iteration: the exponentials stay in registers, of which those beyond the end
// become zeros. What is reduced of a row is padded with what changes nothing.
// CHECK-LABEL: gpu.func @attention_0_launch
// CHECK: scf.for
// CHECK: mirage_thread.mma_fragment
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: mirage_thread.pad %{{.*}} low [0, 0, 0] high [0, 0, 5] value(0xFFF0000000000000)
// CHECK: mirage_thread.reduce max
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: mirage_thread.pad %{{.*}} low [0, 0, 0] high [0, 0, 5] value(0.000000e+00)
// CHECK-NOT: mirage_thread.store_fragment
// CHECK: mirage_thread.mma_fragment
// CHECK: scf.yield
func.func @attention(%q: tensor<32x40xf16>, %k: tensor<300x40xf16>, %v: tensor<300x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<32x40xf16>, %ka = %k : tensor<300x40xf16>, %va = %v : tensor<300x32xf16>) -> tensor<32x32xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 2, stages = 2>} {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<32x40xf16> to tensor<16x40xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<16x1xf32>, tensor<16x32xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<300x40xf16> to tensor<75x40xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<300x32xf16> to tensor<75x32xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<16x40xf16>, tensor<75x40xf16>) -> tensor<16x75xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<16x75xf32>) -> tensor<16x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<16x75xf32>, tensor<16x1xf32>) -> tensor<16x75xf32>
      %e = mirage_block.exp %d : (tensor<16x75xf32>) -> tensor<16x75xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<16x75xf32>) -> tensor<16x1xf32>
      %w = mirage_block.cast %e : tensor<16x75xf32> to tensor<16x75xf16>
      %o = mirage_block.matmul %w, %vt : (tensor<16x75xf16>, tensor<75x32xf16>) -> tensor<16x32xf32>
      %la = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %oa = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      mirage_block.yield %la, %oa : tensor<16x1xf32>, tensor<16x32xf32>
    }
    %n = mirage_block.div %f#1, %f#0 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
    %c = mirage_block.cast %n : tensor<16x32xf32> to tensor<16x32xf16>
    %r = mirage_block.store %c omap(x -> 0) : tensor<16x32xf16> to tensor<32x32xf16>
    mirage_block.yield %r : tensor<32x32xf16>
  }
  return %0 : tensor<32x32xf16>
}

// Rows of 33 elements of 16 bits begin at no multiple of four bytes, so that cp.async cannot
// load them, and they come by way of registers. A schedule that was written by hand is obeyed in
// the same way.
// CHECK-LABEL: gpu.func @odd_0_launch
// CHECK: mirage_thread.load_fragment %{{.*}} exist [17, 33] : memref<17x33xbf16> to tensor<17x48xbf16
// NVVM-LABEL: llvm.func @odd_0_launch
// NVVM-NOT: nvvm.cp.async.shared.global
// NVVM: ld.global.v4.b32
func.func @odd(%x: tensor<17x33xbf16>, %w: tensor<7x33xbf16>) -> tensor<17x7xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<17x33xbf16>, %wa = %w : tensor<7x33xbf16>) -> tensor<17x7xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 1, stages = 2>} {
    %a = mirage_block.load %xa imap(x -> phi) : tensor<17x33xbf16> to tensor<17x33xbf16>
    %b = mirage_block.load %wa imap(x -> phi) : tensor<7x33xbf16> to tensor<7x33xbf16>
    %p = mirage_block.matmul %a, %b transpose_rhs : (tensor<17x33xbf16>, tensor<7x33xbf16>) -> tensor<17x7xf32>
    %r = mirage_block.store %p omap(x -> phi) : tensor<17x7xf32> to tensor<17x7xf32>
    mirage_block.yield %r : tensor<17x7xf32>
  }
  return %0 : tensor<17x7xf32>
}

// wgmma reads the padded tiles of both operands in chunks.
// SCHEDULE-LABEL: func.func @warpgroups(
// SCHEDULE: wgmma = true
// CHECK-LABEL: gpu.func @warpgroups_0_launch
// CHECK: mirage_thread.copy async %{{.*}} sizes [64, 112] exist [64, 100]
// CHECK: mirage_thread.copy async %{{.*}} sizes [112, 64] exist [100, 64]
// CHECK: mirage_thread.warpgroup_mma
func.func @warpgroups(%x: tensor<128x400xf16>, %w: tensor<400x64xf16>) -> tensor<128x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<128x400xf16>, %wa = %w : tensor<400x64xf16>) -> tensor<128x64xf16> {
    %sum = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %a = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1) : tensor<128x400xf16> to tensor<64x100xf16>
      %b = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0) : tensor<400x64xf16> to tensor<100x64xf16>
      %p = mirage_block.matmul %a, %b : (tensor<64x100xf16>, tensor<100x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %r = mirage_block.store %c omap(x -> 0) : tensor<64x64xf16> to tensor<128x64xf16>
    mirage_block.yield %r : tensor<128x64xf16>
  }
  return %0 : tensor<128x64xf16>
}

}
