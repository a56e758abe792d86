// RUN: mirage-opt %s --pass-pipeline='builtin.module(gpu.module(convert-mirage-thread-to-nvvm))' | FileCheck %s

gpu.module @kernels {

// CHECK-DAG: llvm.mlir.global external @mirage_shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<0 x i8>

// A copy of 8 rows of 32 bytes: 16 bytes at a time, by 16 of the threads.
// CHECK-LABEL: llvm.func @copies(
// CHECK-SAME: %[[SOURCE:.+]]: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK: scf.if
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
gpu.func @copies(%x: memref<16x64xf16>) kernel attributes
    {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %b = gpu.block_id x
  %o = arith.muli %b, %c8 : index
  %s = mirage_thread.shared_buffer offset(0) : memref<8x16xf16, #gpu.address_space<workgroup>>
  mirage_thread.copy async %x[%o, %c0] to %s[%c0, %c0] sizes [8, 16]
      : memref<16x64xf16> to memref<8x16xf16, #gpu.address_space<workgroup>>
  mirage_thread.async_commit
  mirage_thread.async_wait 0
  gpu.barrier
  gpu.return
}

// Every lane executes the instruction, whatever rows exist: rows are clamped and zeroed by selects,
// and the sums pass an assembly statement before any branch.
// CHECK-LABEL: llvm.func @mma(
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: arith.minui
// CHECK: arith.select
// CHECK: nvvm.mma.sync
// CHECK: scf.yield
// CHECK: llvm.inline_asm has_side_effects "", "=f,=f,=f,=f,0,1,2,3"
// CHECK: scf.if
gpu.func @mma() kernel attributes
    {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %a = mirage_thread.shared_buffer offset(0) : memref<5x32xf16, #gpu.address_space<workgroup>>
  %b = mirage_thread.shared_buffer offset(512) : memref<32x8xf16, #gpu.address_space<workgroup>>
  %c = mirage_thread.shared_buffer offset(1024) : memref<5x8xf32, #gpu.address_space<workgroup>>
  mirage_thread.mma %a, %b into %c : memref<5x32xf16, #gpu.address_space<workgroup>>,
      memref<32x8xf16, #gpu.address_space<workgroup>>,
      memref<5x8xf32, #gpu.address_space<workgroup>>
  gpu.return
}

// f16 is computed in f32, exp by the special-function unit's 2^x.
// CHECK-LABEL: llvm.func @exp(
// CHECK: %[[BLOCK:.+]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[LOADED:.+]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
// CHECK: %[[WIDE:.+]] = llvm.fpext %[[LOADED]] : f16 to f32
// CHECK: %[[SCALED:.+]] = arith.mulf %[[WIDE]], %{{.*}} fastmath<contract> : f32
// CHECK: %[[EXP:.+]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[SCALED]]) : (f32) -> f32
// CHECK: llvm.fptrunc
// CHECK: llvm.store
gpu.func @exp(%x: memref<100xf16>, %y: memref<100xf16>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
  mirage_thread.compute grid ins(%x : memref<100xf16>) outs(%y : memref<100xf16>) {
  ^bb0(%t: tensor<100xf16>):
    %e = mirage_thread.exp %t : (tensor<100xf16>) -> tensor<100xf16>
    mirage_thread.yield %e : tensor<100xf16>
  }
  gpu.return
}

}
