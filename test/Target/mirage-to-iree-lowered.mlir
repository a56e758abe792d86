// Functions that mirage-lower-to-nvvm has lowered are taken as well.

// RUN: mirage-translate --mirage-to-iree %s | FileCheck %s

// One entry with two grids: an export has one, and is named after the entry, so there are two.
// CHECK: path = "mirage_kernels.ptx"
// CHECK: "hal.executable.export"() <{{.*}}sym_name = "double", {{.*}}workgroup_size = [64 : index, 1 : index, 1 : index]
// CHECK: path = "mirage_kernels_0.ptx"
// CHECK: "hal.executable.export"() <{{.*}}ordinal = 0 : index, sym_name = "double", {{.*}}workgroup_size = [32 : index, 1 : index, 1 : index]
// CHECK: "func.func"() <{function_type = (tensor<64xf32>) -> tensor<64xf32>, sym_name = "twice"}>
// CHECK: %[[T:.*]] = "flow.dispatch"(%{{.*}}) <{entry_points = [@mirage_kernels::@double], {{.*}} : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: %[[R:.*]] = "flow.dispatch"(%[[T]]) <{entry_points = [@mirage_kernels_0::@double], {{.*}} : (tensor<64xf32>) -> tensor<64xf32>
// A kernel that is launched again in the same way has one export. One that updates a buffer has
// it tied to an operand.
// CHECK: "func.func"() <{{.*}}sym_name = "again"
// CHECK: %[[T:.*]] = "flow.dispatch"(%{{.*}}) <{entry_points = [@mirage_kernels_0::@double], {{.*}}
// CHECK: %[[U:.*]] = "flow.dispatch"(%[[T]]) <{entry_points = [@mirage_kernels::@increment], operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [0 : index]}>
// CHECK: %[[V:.*]] = "flow.dispatch"(%[[U]]) <{entry_points = [@mirage_kernels::@increment]
// CHECK: "func.return"(%[[V]])
// CHECK-NOT: gpu.
// CHECK-NOT: mirage.

module attributes {gpu.container_module, mirage.target = #mirage.target<sm_90a>} {
  func.func @twice(%in: memref<64xf32>, %out: memref<64xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %t = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%in : memref<64xf32>, %t : memref<64xf32>)
    gpu.launch_func @kernels::@double blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%t : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  func.func @again(%in: memref<64xf32>, %out: memref<64xf32>) attributes {mirage.num_inputs = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@double blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%in : memref<64xf32>, %out : memref<64xf32>)
    gpu.launch_func @kernels::@increment blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<64xf32>)
    gpu.launch_func @kernels::@increment blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<64xf32>)
    return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @double(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %b = nvvm.read.ptx.sreg.ctaid.x : i32
      %n = nvvm.read.ptx.sreg.ntid.x : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %o = llvm.mul %b, %n : i32
      %i = llvm.add %o, %t : i32
      %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = llvm.fadd %x, %x : f32
      %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %y, %q : f32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @increment(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1.0 : f32) : f32
      %x = llvm.load %out : !llvm.ptr<1> -> f32
      %y = llvm.fadd %x, %one : f32
      llvm.store %y, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
