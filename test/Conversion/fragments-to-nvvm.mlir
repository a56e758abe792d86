// Tiles in registers become values of NVVM.

// RUN: mirage-opt %s --pass-pipeline='builtin.module(gpu.module(convert-mirage-thread-to-nvvm))' | FileCheck %s

#shared = #gpu.address_space<workgroup>
#lhs = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#rhs = #mirage_thread.layout<registers = [2 d0:1, 2 d0:8], lanes = [4 d0:2, 8 d1:1], warps = []>
#sum = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#row = #mirage_thread.layout<registers = [2 d0:8], lanes = [4 phi, 8 d0:1], warps = []>
#whole = #mirage_thread.layout<registers = [8 d1:1], lanes = [32 d0:1], warps = []>
#half = #mirage_thread.layout<registers = [4 d1:1], lanes = [32 d0:1], warps = []>
#turned = #mirage_thread.layout<registers = [4 d0:1], lanes = [32 d1:1], warps = []>
#runs = #mirage_thread.layout<registers = [8 d1:1], lanes = [2 d1:8, 16 d0:1], warps = []>
#shaped = #mirage_thread.layout<registers = [4 d1:1], lanes = [32 d2:1], warps = []>

gpu.module @kernels {

// A fragment of the left operand is four 8 x 8 matrices; the right operand's rows are in memory what a
// thread has in neighbouring registers, so its matrices come transposed.
// CHECK-LABEL: llvm.func @product(
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
// The loop carries the four accumulators.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32, f32, f32)
// CHECK-COUNT-1: nvvm.mma.sync
// CHECK: scf.yield {{.*}} : f32, f32, f32, f32
// A row's eight columns are in four lanes: two exchanges for each of a lane's two rows.
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: arith.subf
// Each lane has two neighbours.
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
gpu.func @product(%o: memref<16x8xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = mirage_thread.shared_buffer offset(0) : memref<16x16xf16, strided<[24, 1]>, #shared>
  %b = mirage_thread.shared_buffer offset(1024) : memref<16x8xf16, #shared>
  %x = mirage_thread.load_fragment %a[%c0, %c0] : memref<16x16xf16, strided<[24, 1]>, #shared> to tensor<16x16xf16, #lhs>
  %y = mirage_thread.load_fragment %b[%c0, %c0] : memref<16x8xf16, #shared> to tensor<16x8xf16, #rhs>
  %zero = mirage_thread.constant dense<0.0> : tensor<16x8xf32, #sum>
  %z = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> tensor<16x8xf32, #sum> {
    %p = mirage_thread.mma_fragment %x, %y, %s : tensor<16x16xf16, #lhs>, tensor<16x8xf16, #rhs>, tensor<16x8xf32, #sum>
    scf.yield %p : tensor<16x8xf32, #sum>
  }
  %m = mirage_thread.reduce max %z dim(1) keep : (tensor<16x8xf32, #sum>) -> tensor<16x1xf32, #row>
  %d = mirage_thread.sub %z, %m : (tensor<16x8xf32, #sum>, tensor<16x1xf32, #row>) -> tensor<16x8xf32, #sum>
  mirage_thread.store_fragment %d to %o[%c0, %c0] : tensor<16x8xf32, #sum> to memref<16x8xf32>
  gpu.return
}

// Four lanes have the same row, and the first of them stores it; rows beyond the twelfth are not stored.
// CHECK-LABEL: llvm.func @edges(
// CHECK: arith.minui
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.store
gpu.func @edges(%x: memref<12x1xf32>, %o: memref<12x1xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%c0, %c0] : memref<12x1xf32> to tensor<12x1xf32, #row>
  mirage_thread.store_fragment %t to %o[%c0, %c0] : tensor<12x1xf32, #row> to memref<12x1xf32>
  gpu.return
}

// A slice, a transpose and a reshape choose registers and emit nothing.
// CHECK-LABEL: llvm.func @relabel(
// The half that nobody reads is not loaded.
// CHECK-COUNT-1: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-4: llvm.store %{{.*}} : f32
// CHECK-NOT: llvm.store
gpu.func @relabel(%x: memref<32x8xf32>, %o: memref<1x4x32xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%c0, %c0] : memref<32x8xf32> to tensor<32x8xf32, #whole>
  %s = mirage_thread.slice %t[0, 4] [32, 4] [1, 1] : (tensor<32x8xf32, #whole>) -> tensor<32x4xf32, #half>
  %p = mirage_thread.transpose %s [1, 0] : (tensor<32x4xf32, #half>) -> tensor<4x32xf32, #turned>
  %r = mirage_thread.reshape %p : tensor<4x32xf32, #turned> to tensor<1x4x32xf32, #shaped>
  mirage_thread.store_fragment %r to %o[%c0, %c0, %c0] : tensor<1x4x32xf32, #shaped> to memref<1x4x32xf32>
  gpu.return
}

// A row of 15 elements begins at any multiple of two bytes. A lane takes eight elements as the two words in
// which they lie, and puts them together after the barrier, where they are used: by selects of four bytes
// and by shifts. The row's sixteenth element becomes zero. Registers that are loaded under a condition are
// set before: otherwise ptxas keeps all of them for this from the beginning of the kernel.
// CHECK-LABEL: llvm.func @unaligned(
// CHECK: [[BASE:%.*]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i32
// CHECK: [[SHIFT:%.*]] = arith.andi
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: mov.b32 $0, 0;
// CHECK-SAME: mov.b32 $7, 0;
// CHECK-SAME: @$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];
// CHECK-SAME: @$10 ld.global.v4.b32 {$4, $5, $6, $7}, [$8 + 16];
// CHECK: nvvm.barrier0
// CHECK-COUNT-11: arith.select {{.*}} : i32
// CHECK: llvm.intr.fshr
// CHECK: arith.shrui
// CHECK-COUNT-3: llvm.intr.fshr
// CHECK-NOT: llvm.intr.fshr
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
gpu.func @unaligned(%x: memref<33x15xf16>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %s = mirage_thread.shared_buffer offset(0) : memref<16x16xf16, #shared>
  %t = mirage_thread.load_fragment %x[%c16, %c0] exist [16, 15] : memref<33x15xf16> to tensor<16x16xf16, #runs>
  gpu.barrier
  mirage_thread.store_fragment %t to %s[%c0, %c0] : tensor<16x16xf16, #runs> to memref<16x16xf16, #shared>
  gpu.return
}

// Where rows may be missing, words are zeros that are not loaded.
// CHECK-LABEL: llvm.func @missing_rows(
// CHECK: arith.cmpi ult
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: mov.b32 $0, 0;
gpu.func @missing_rows(%x: memref<33x15xf16>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %s = mirage_thread.shared_buffer offset(0) : memref<16x16xf16, #shared>
  %t = mirage_thread.load_fragment %x[%c32, %c0] clipped [0, 1] : memref<33x15xf16> to tensor<16x16xf16, #runs>
  mirage_thread.store_fragment %t to %s[%c0, %c0] : tensor<16x16xf16, #runs> to memref<16x16xf16, #shared>
  gpu.return
}

// Elements of 32 bits are loaded one by one where they are there.
// CHECK-LABEL: llvm.func @missing_elements(
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.load {{.*}} -> f32
// CHECK: else
// CHECK: scf.yield
gpu.func @missing_elements(%x: memref<3x1xf32>, %o: memref<12x1xf32>) kernel attributes
    {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = mirage_thread.load_fragment %x[%c0, %c0] clipped [0] : memref<3x1xf32> to tensor<12x1xf32, #row>
  mirage_thread.store_fragment %t to %o[%c0, %c0] : tensor<12x1xf32, #row> to memref<12x1xf32>
  gpu.return
}

  // Each thread compares the sum of its first element, and adds what its others have to the bounds.
  // CHECK-LABEL: llvm.func @masks
  // CHECK: arith.muli %{{.*}}, %c-1_i32 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[COMMON:.*]], %c1_i32 : i32
  // CHECK: arith.select %[[FIRST]], %{{.*}}, %{{.*}} : f32
  // CHECK: arith.cmpi slt, %[[COMMON]], %{{.*}} : i32
  // CHECK-COUNT-4: arith.cmpi ult
  // A branch has the registers of the tile that it chooses.
  // CHECK: scf.if %{{.*}} -> (f32, f32, f32, f32) {
  gpu.func @masks(%o: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.block_id x
    %c0 = arith.constant 0 : index
    %causal = mirage_thread.index_mask %i coefficients [-1, 1] below 1 inside 0.0 outside 0xFFF0000000000000 : tensor<16x8xf32, #sum>
    %window = mirage_thread.index_mask %i coefficients [-1, 1] from -3 below 1 inside 1.0 outside 0.0 : tensor<16x8xf32, #sum>
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %mask = scf.if %isFirst -> (tensor<16x8xf32, #sum>) {
      scf.yield %causal : tensor<16x8xf32, #sum>
    } else {
      %sum = mirage_thread.add %causal, %window : (tensor<16x8xf32, #sum>, tensor<16x8xf32, #sum>) -> tensor<16x8xf32, #sum>
      scf.yield %sum : tensor<16x8xf32, #sum>
    }
    mirage_thread.store_fragment %mask to %o[%c0, %c0] : tensor<16x8xf32, #sum> to memref<16x8xf32>
    gpu.return
  }

  // Four lanes exchange two neighbours of f16 in a register, in two steps with half of the eight registers each, and then store eight neighbours at once.
  // CHECK-LABEL: llvm.func @exchange
  // CHECK-COUNT-8: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
  // CHECK-NOT: llvm.store
  gpu.func @exchange(%o: memref<16x32xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = mirage_thread.load_fragment %o[%c0, %c0] : memref<16x32xf16> to tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>>
    %y = mirage_thread.exchange_lanes %x : tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>> to tensor<16x32xf16, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>>
    mirage_thread.store_fragment %y to %o[%c0, %c0] : tensor<16x32xf16, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>> to memref<16x32xf16>
    gpu.return
  }
}
