// What is not in the registers of the thread that needs it is refused where it stands.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-mirage-thread-to-nvvm))'

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = [2 d1:32]>
#r = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 phi], warps = [2 phi]>
gpu.module @kernels {
gpu.func @warps(%x: memref<8x64xf32>) kernel attributes
    {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %i = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%i, %i] : memref<8x64xf32> to tensor<8x64xf32, #l>
  // expected-error @+1 {{reduces over several warps; store the tile to shared memory first}}
  %m = mirage_thread.reduce max %t dim(1) keep : (tensor<8x64xf32, #l>) -> tensor<8x1xf32, #r>
  gpu.return
}
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
#r = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 phi], warps = []>
gpu.module @kernels {
gpu.func @edge(%x: memref<8x24xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %i = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%i, %i] : memref<8x24xf32> to tensor<8x24xf32, #l>
  // expected-error @+1 {{reduces places beyond the end of the dimension}}
  %m = mirage_thread.reduce max %t dim(1) keep : (tensor<8x24xf32, #l>) -> tensor<8x1xf32, #r>
  gpu.return
}
}

// -----

#l = #mirage_thread.layout<registers = [8 d0:1], lanes = [32 d1:1], warps = []>
#k = #mirage_thread.layout<registers = [32 d1:1], lanes = [8 d0:1, 4 phi], warps = []>
gpu.module @kernels {
gpu.func @elsewhere(%x: memref<8x32xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %i = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%i, %i] : memref<8x32xf32> to tensor<8x32xf32, #l>
  %u = mirage_thread.load_fragment %x[%i, %i] : memref<8x32xf32> to tensor<8x32xf32, #k>
  // expected-error @+1 {{has an operand whose elements are in other threads than those of the result}}
  %m = mirage_thread.add %t, %u : (tensor<8x32xf32, #l>, tensor<8x32xf32, #k>) -> tensor<8x32xf32, #l>
  gpu.return
}
}
