// Products of sizes that no useful tile divides get default launches with tiles that reach
// beyond the ends of their tensors: operands are padded with zeros, and of the result the
// beginning is taken. Neither is a kernel, since the launch clips what it loads and stores.
// With a GPU, scripts/test-device.sh runs each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-default-launches | FileCheck %s --check-prefix=LAUNCH
// RUN: mirage-opt %s --mirage-lower-to-thread=fuse=false | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-thread=measure=model | FileCheck %s --check-prefix=KERNEL
// RUN: mirage-opt %s --mirage-lower-to-thread=schedule=false | FileCheck %s --check-prefix=GENERAL
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// LAUNCH-LABEL: func.func @rows(
// LAUNCH: [[PAD:%.*]] = mirage_kernel.pad %arg0 low [0, 0] high [20, 0] value(0.000000e+00)
// LAUNCH: [[RESULT:%.*]] = mirage_kernel.launch {{.*}}[[PAD]] : tensor<320x64xf16>
// LAUNCH: mirage_kernel.slice [[RESULT]][0, 0] [300, 48] [1, 1]
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: [[A:%.*]]: memref<300x64xf16>, [[B:%.*]]: memref<64x48xf16>, [[R:%.*]]: memref<300x48xf32>)
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{.*}} args([[A]] : {{.*}}, [[B]] : {{.*}}, [[R]] :
// CHECK-NOT: gpu.launch_func
// CHECK: return
// GENERAL-LABEL: func.func @rows(
// GENERAL: gpu.launch_func {{.*}}@rows_0_matmul
func.func @rows(%a: tensor<300x64xf16>, %b: tensor<64x48xf16>) -> tensor<300x48xf32> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<300x64xf16>, tensor<64x48xf16>) -> tensor<300x48xf32>
  return %0 : tensor<300x48xf32>
}

// KERNEL-LABEL: gpu.func @rows_0_launch
// KERNEL: mirage_thread.copy async %arg0[{{.*}}] to {{.*}} sizes [64, 64] clipped [0]
// KERNEL: mirage_thread.copy async %arg1[{{.*}}] to {{.*}} sizes [64, 16] :
// KERNEL: mirage_thread.store_fragment %{{.*}} to %arg2[{{.*}}] clipped [0] :

// Rows, columns and the contracted size.
// KERNEL-LABEL: gpu.func @all_0_launch
// KERNEL: mirage_thread.copy async %arg0[{{.*}}] clipped [0, 1]
// KERNEL: mirage_thread.copy async %arg1[{{.*}}] clipped [0, 1]
// KERNEL: mirage_thread.warpgroup_mma
// KERNEL: mirage_thread.store_fragment %{{.*}} to %arg2[{{.*}}] clipped [0, 1] :
func.func @all(%a: tensor<331x300xf16>, %b: tensor<297x300xf16>) -> tensor<331x297xf16> {
  %0 = mirage_kernel.matmul %a, %b transpose_rhs : (tensor<331x300xf16>, tensor<297x300xf16>) -> tensor<331x297xf16>
  return %0 : tensor<331x297xf16>
}

// One row, whose columns the blocks of clusters contract in parts.
// KERNEL-LABEL: gpu.func @one_0_launch
// KERNEL: mirage_thread.copy async %arg0[{{.*}}] clipped [1]
func.func @one(%a: tensor<1x1000xbf16>, %b: tensor<1000x1000xbf16>) -> tensor<1x1000xbf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<1x1000xbf16>, tensor<1000x1000xbf16>) -> tensor<1x1000xbf16>
  return %0 : tensor<1x1000xbf16>
}

// Primes, whose rows begin at no multiple of four bytes.
// KERNEL-LABEL: gpu.func @prime_0_launch
// KERNEL: mirage_thread.load_fragment %arg0[{{.*}}] clipped [2]
// KERNEL: mirage_thread.load_fragment %arg1[{{.*}}] clipped [1, 2]
func.func @prime(%a: tensor<2x17x263xf16>, %b: tensor<2x263x277xf16>) -> tensor<2x17x277xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<2x17x263xf16>, tensor<2x263x277xf16>) -> tensor<2x17x277xf16>
  return %0 : tensor<2x17x277xf16>
}

// What another operator than a launch reads is padded by a kernel, and a result that is used
// as a whole is stored as a whole.
// CHECK-LABEL: func.func @copied(
// CHECK: gpu.launch_func {{.*}}@copied_0_pad
// CHECK: gpu.launch_func {{.*}}@copied_1_launch
// CHECK: gpu.launch_func {{.*}}@copied_2_slice
// CHECK: gpu.launch_func {{.*}}@copied_3_relu
// CHECK: gpu.launch_func {{.*}}@copied_4_add
func.func @copied(%x: tensor<30x40xf16>) -> (tensor<20x40xf16>, tensor<32x48xf16>, tensor<32x48xf16>) {
  %p = mirage_kernel.pad %x low [0, 0] high [2, 8] value(0.0) : (tensor<30x40xf16>) -> tensor<32x48xf16>
  %r = mirage_kernel.launch grid(x = 2) (%a = %p : tensor<32x48xf16>) -> tensor<32x48xf16> {
    %0 = mirage_block.load %a imap(x -> 0) : tensor<32x48xf16> to tensor<16x48xf16>
    %1 = mirage_block.square %0 : (tensor<16x48xf16>) -> tensor<16x48xf16>
    %2 = mirage_block.store %1 omap(x -> 0) : tensor<16x48xf16> to tensor<32x48xf16>
    mirage_block.yield %2 : tensor<32x48xf16>
  }
  %s = mirage_kernel.slice %r[0, 0] [20, 40] [1, 1] : (tensor<32x48xf16>) -> tensor<20x40xf16>
  %t = mirage_kernel.relu %r : (tensor<32x48xf16>) -> tensor<32x48xf16>
  %u = mirage_kernel.add %p, %t : (tensor<32x48xf16>, tensor<32x48xf16>) -> tensor<32x48xf16>
  return %s, %t, %u : tensor<20x40xf16>, tensor<32x48xf16>, tensor<32x48xf16>
}

// Rows of both operands begin at any element. They come by way of registers: the words of the next trip are
// on their way while a trip is multiplied, and are stored after it.
// KERNEL-LABEL: gpu.func @unaligned_0_launch
// KERNEL: scf.for
// KERNEL: gpu.barrier
// KERNEL-NOT: mirage_thread.copy
// KERNEL: arith.minui
// KERNEL: mirage_thread.load_fragment %arg0[{{.*}}] clipped [1]
// KERNEL: mirage_thread.load_fragment %arg1[{{.*}}] clipped [1]
// KERNEL: mirage_thread.warpgroup_mma
// KERNEL: scf.if
// KERNEL: mirage_thread.store_fragment
// KERNEL: mirage_thread.store_fragment
func.func @unaligned(%a: tensor<64x2047xf16>, %b: tensor<128x2047xf16>) -> tensor<64x128xf16> {
  %0 = mirage_kernel.matmul %a, %b transpose_rhs : (tensor<64x2047xf16>, tensor<128x2047xf16>) -> tensor<64x128xf16>
  return %0 : tensor<64x128xf16>
}

// Only the left operand's rows are unaligned.
// KERNEL-LABEL: gpu.func @mixed_0_launch
// KERNEL: scf.for
// KERNEL: mirage_thread.copy async %arg1
// KERNEL: mirage_thread.load_fragment %arg0
// KERNEL: mirage_thread.store_fragment
func.func @mixed(%a: tensor<64x2047xbf16>, %b: tensor<2047x128xbf16>) -> tensor<64x128xbf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x2047xbf16>, tensor<2047x128xbf16>) -> tensor<64x128xbf16>
  return %0 : tensor<64x128xbf16>
}

// The contracted dimension is the outer one, and rows end beyond the tensors.
// KERNEL-LABEL: gpu.func @outer_0_launch
// KERNEL: mirage_thread.load_fragment %arg0[{{.*}}] clipped [0, 1]
// KERNEL: mirage_thread.load_fragment %arg1[{{.*}}] clipped [0, 1]
func.func @outer(%a: tensor<301x261xf16>, %b: tensor<301x333xf16>) -> tensor<261x333xf16> {
  %0 = mirage_kernel.matmul %a, %b transpose_lhs : (tensor<301x261xf16>, tensor<301x333xf16>) -> tensor<261x333xf16>
  return %0 : tensor<261x333xf16>
}

// A loader stores what it has loaded, and publishes it at once.
// KERNEL-LABEL: gpu.func @loader_0_launch
// KERNEL: mirage_thread.loader
// KERNEL: mirage_thread.ring_acquire
// KERNEL: mirage_thread.load_fragment %arg0
// KERNEL: mirage_thread.store_fragment
// KERNEL: mirage_thread.store_fragment
// KERNEL-NEXT: mirage_thread.ring_publish
func.func @loader(%a: tensor<128x511xf16>, %b: tensor<128x511xf16>) -> tensor<128x128xf16> {
  %p = mirage_kernel.pad %a low [0, 0] high [0, 1] value(0.0) : (tensor<128x511xf16>) -> tensor<128x512xf16>
  %q = mirage_kernel.pad %b low [0, 0] high [0, 1] value(0.0) : (tensor<128x511xf16>) -> tensor<128x512xf16>
  %r = mirage_kernel.launch grid(x = 1) (%x = %p : tensor<128x512xf16>, %y = %q : tensor<128x512xf16>) -> tensor<128x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4>} {
    %s = mirage_block.for %i = 0 to 8 -> tensor<128x128xf32> {
      %u = mirage_block.load %x imap(x -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<128x64xf16>
      %v = mirage_block.load %y imap(x -> phi) fmap(%i -> 1) : tensor<128x512xf16> to tensor<128x64xf16>
      %w = mirage_block.matmul %u, %v transpose_rhs : (tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<128x128xf32>
      %t = mirage_block.accumulate sum %w : (tensor<128x128xf32>) -> tensor<128x128xf32>
      mirage_block.yield %t : tensor<128x128xf32>
    }
    %h = mirage_block.cast %s : tensor<128x128xf32> to tensor<128x128xf16>
    %o = mirage_block.store %h omap(x -> 0) : tensor<128x128xf16> to tensor<128x128xf16>
    mirage_block.yield %o : tensor<128x128xf16>
  }
  return %r : tensor<128x128xf16>
}

// Elements of 8 bits, of which a tile has 261 of 272 along the rows.
// KERNEL-LABEL: gpu.func @bytes_0_launch
// KERNEL: mirage_thread.load_fragment %arg0[{{.*}}] exist [{{[0-9]+}}, 261]
func.func @bytes(%a: tensor<64x261xf8E4M3FN>, %b: tensor<128x261xf8E4M3FN>) -> tensor<64x128xf16> {
  %0 = mirage_kernel.launch grid(x = 1) (%x = %a : tensor<64x261xf8E4M3FN>, %y = %b : tensor<128x261xf8E4M3FN>) -> tensor<64x128xf16> {
    %s = mirage_block.for %i = 0 to 3 -> tensor<64x128xf32> {
      %u = mirage_block.load %x imap(x -> phi) fmap(%i -> 1) : tensor<64x261xf8E4M3FN> to tensor<64x87xf8E4M3FN>
      %v = mirage_block.load %y imap(x -> phi) fmap(%i -> 1) : tensor<128x261xf8E4M3FN> to tensor<128x87xf8E4M3FN>
      %w = mirage_block.matmul %u, %v transpose_rhs : (tensor<64x87xf8E4M3FN>, tensor<128x87xf8E4M3FN>) -> tensor<64x128xf32>
      %t = mirage_block.accumulate sum %w : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %t : tensor<64x128xf32>
    }
    %h = mirage_block.cast %s : tensor<64x128xf32> to tensor<64x128xf16>
    %o = mirage_block.store %h omap(x -> 0) : tensor<64x128xf16> to tensor<64x128xf16>
    mirage_block.yield %o : tensor<64x128xf16>
  }
  return %0 : tensor<64x128xf16>
}

}
