// A call of lowered kernels whose buffers are more than the tensors that it takes and gives is
// an error at the call.

// RUN: mirage-translate --mirage-to-iree %s --split-input-file --verify-diagnostics

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  func.func @given(%x: memref<1xf32>) -> tensor<1xf32> {
    %y = memref.alloc() : memref<1xf32>
    // expected-error @below {{'func.call' op calls kernels that mirage-lower-to-nvvm has made, which read a buffer that holds no tensor, where IREE's functions have tensors; let mirage-translate --mirage-to-iree lower the module itself}}
    call @copy(%x, %y) : (memref<1xf32>, memref<1xf32>) -> ()
    %t = bufferization.to_tensor %y restrict writable : memref<1xf32> to tensor<1xf32>
    return %t : tensor<1xf32>
  }
  func.func private @copy(%in: memref<1xf32>, %out: memref<1xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<1xf32>, %out : memref<1xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %in : !llvm.ptr<1> -> f32
      llvm.store %x, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  // The buffer has something already, which the kernel might keep.
  func.func @written(%x: tensor<1xf32>, %v: f32) -> tensor<1xf32> {
    %c0 = arith.constant 0 : index
    %b = bufferization.to_buffer %x read_only : tensor<1xf32> to memref<1xf32>
    %y = memref.alloc() : memref<1xf32>
    memref.store %v, %y[%c0] : memref<1xf32>
    // expected-error @below {{'func.call' op calls kernels that mirage-lower-to-nvvm has made, which write a buffer that is not new or has other uses, where IREE's functions have tensors; let mirage-translate --mirage-to-iree lower the module itself}}
    call @copy(%b, %y) : (memref<1xf32>, memref<1xf32>) -> ()
    %t = bufferization.to_tensor %y restrict writable : memref<1xf32> to tensor<1xf32>
    return %t : tensor<1xf32>
  }
  func.func private @copy(%in: memref<1xf32>, %out: memref<1xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<1xf32>, %out : memref<1xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %in : !llvm.ptr<1> -> f32
      llvm.store %x, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
