// What IREE cannot launch is an error at the launch.

// RUN: mirage-translate --mirage-to-iree %s --split-input-file --verify-diagnostics
// RUN: not mirage-translate --mirage-to-iree --iree-lowering=chip=sm_1 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not mirage-translate --mirage-to-iree --iree-lowering=no-such=1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// CHIP: unknown target 'sm_1'
// OPTION: option iree-lowering is not understood

func.func @cluster(%x: tensor<64x1024xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  // expected-error @below {{kernel 'cluster_0_launch' is launched with a cluster of 2 blocks, but IREE launches no clusters: leave cluster_blocks out of a mirage.schedule, and lower with cluster-blocks=1}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x1024xf16>, %b = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      %at = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x64xf16>
      %bt = mirage_block.load %b imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %at, %bt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @mapped(%x: tensor<64x1024xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  // expected-error @below {{kernel 'mapped_0_launch' takes tensor maps, and IREE makes none: leave bulk_copies out of a mirage.schedule, and lower with bulk-copies=false}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x1024xf16>, %b = %w : tensor<1024x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true>} {
    %f = mirage_block.for %i = 0 to 16 -> (tensor<64x64xf32>) {
      %at = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x64xf16>
      %bt = mirage_block.load %b imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %at, %bt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s : tensor<64x64xf32>
    }
    %c = mirage_block.cast %f : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  func.func @both(%in: memref<64xf32>, %out: memref<64xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    // expected-error @below {{kernel 'set' takes the buffer 'output0', which it writes, by several parameters; IREE binds a buffer that is written only once}}
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @set(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1.0 : f32) : f32
      llvm.store %one, %a : f32, !llvm.ptr<1>
      llvm.store %one, %b : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  func.func @early(%in: memref<64xf32>, %out: memref<64xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    %t = memref.alloc() : memref<64xf32>
    // expected-error @below {{kernel 'copy' reads the buffer 'scratch0', which no kernel has written before}}
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @copy(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %a : !llvm.ptr<1> -> f32
      llvm.store %x, %b : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  // expected-error @below {{no kernel of the function 'nothing' writes its result 'output1'}}
  func.func @nothing(%in: memref<64xf32>, %out: memref<64xf32>, %other: memref<64xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @copy(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %a : !llvm.ptr<1> -> f32
      llvm.store %x, %b : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

func.func @many(%x0: tensor<8x8xf16>, %x1: tensor<8x8xf16>, %x2: tensor<8x8xf16>, %x3: tensor<8x8xf16>, %x4: tensor<8x8xf16>, %x5: tensor<8x8xf16>, %x6: tensor<8x8xf16>, %x7: tensor<8x8xf16>, %x8: tensor<8x8xf16>, %x9: tensor<8x8xf16>, %x10: tensor<8x8xf16>, %x11: tensor<8x8xf16>, %x12: tensor<8x8xf16>, %x13: tensor<8x8xf16>, %x14: tensor<8x8xf16>, %x15: tensor<8x8xf16>) -> tensor<8x8xf16> {
  // expected-warning @below {{kernel 'many_0_launch' takes 17 buffers, but IREE launches kernels with at most 16 on CUDA devices}}
  %0 = mirage_kernel.launch grid(x = 1) (%a0 = %x0 : tensor<8x8xf16>, %a1 = %x1 : tensor<8x8xf16>, %a2 = %x2 : tensor<8x8xf16>, %a3 = %x3 : tensor<8x8xf16>, %a4 = %x4 : tensor<8x8xf16>, %a5 = %x5 : tensor<8x8xf16>, %a6 = %x6 : tensor<8x8xf16>, %a7 = %x7 : tensor<8x8xf16>, %a8 = %x8 : tensor<8x8xf16>, %a9 = %x9 : tensor<8x8xf16>, %a10 = %x10 : tensor<8x8xf16>, %a11 = %x11 : tensor<8x8xf16>, %a12 = %x12 : tensor<8x8xf16>, %a13 = %x13 : tensor<8x8xf16>, %a14 = %x14 : tensor<8x8xf16>, %a15 = %x15 : tensor<8x8xf16>) -> tensor<8x8xf16> {
    %t0 = mirage_block.load %a0 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t1 = mirage_block.load %a1 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t2 = mirage_block.load %a2 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t3 = mirage_block.load %a3 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t4 = mirage_block.load %a4 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t5 = mirage_block.load %a5 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t6 = mirage_block.load %a6 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t7 = mirage_block.load %a7 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t8 = mirage_block.load %a8 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t9 = mirage_block.load %a9 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t10 = mirage_block.load %a10 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t11 = mirage_block.load %a11 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t12 = mirage_block.load %a12 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t13 = mirage_block.load %a13 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t14 = mirage_block.load %a14 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %t15 = mirage_block.load %a15 imap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    %s1 = mirage_block.add %t0, %t1 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s2 = mirage_block.add %s1, %t2 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s3 = mirage_block.add %s2, %t3 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s4 = mirage_block.add %s3, %t4 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s5 = mirage_block.add %s4, %t5 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s6 = mirage_block.add %s5, %t6 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s7 = mirage_block.add %s6, %t7 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s8 = mirage_block.add %s7, %t8 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s9 = mirage_block.add %s8, %t9 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s10 = mirage_block.add %s9, %t10 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s11 = mirage_block.add %s10, %t11 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s12 = mirage_block.add %s11, %t12 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s13 = mirage_block.add %s12, %t13 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s14 = mirage_block.add %s13, %t14 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %s15 = mirage_block.add %s14, %t15 : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %st = mirage_block.store %s15 omap(x -> phi) : tensor<8x8xf16> to tensor<8x8xf16>
    mirage_block.yield %st : tensor<8x8xf16>
  }
  return %0 : tensor<8x8xf16>
}
