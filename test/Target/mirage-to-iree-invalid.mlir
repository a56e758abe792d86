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
