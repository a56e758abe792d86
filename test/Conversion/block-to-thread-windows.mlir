// A launch reads a slice in the tensor that it is of, and writes an operand of a
// concatenation in the result, at offsets from the tile's own. Two results in one buffer
// are one parameter. Rows that begin at
// no multiple of 16 bytes are copied by a kernel, and so is what anything else
// reads.
//
// RUN: mirage-opt %s --convert-mirage-block-to-thread | FileCheck %s
// RUN: mirage-opt %s --convert-mirage-block-to-thread --convert-mirage-thread-to-nvvm -o /dev/null
// RUN: mirage-opt %s --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func @inside(
// CHECK-SAME: [[X:%.*]]: memref<8x64xf32>, [[R:%.*]]: memref<8x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{.*}}@inside_0_launch {{.*}}args([[X]] : memref<8x64xf32>, [[X]] : memref<8x64xf32>, [[R]] : memref<8x64xf32>)
// CHECK-NOT: gpu.launch_func
// CHECK: return
// COST-LABEL: @inside on
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @inside(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %a = mirage_kernel.slice %x[0, 0] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %b = mirage_kernel.slice %x[0, 32] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %r:2 = mirage_kernel.launch grid(x = 4) (%p = %a : tensor<8x32xf32>, %q = %b : tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.add %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    %5 = mirage_block.store %3 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %4, %5 : tensor<8x32xf32>, tensor<8x32xf32>
  }
  %c = mirage_kernel.concat dim(1) %r#0, %r#1 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @outside(
// CHECK: gpu.launch_func {{.*}}@outside_0_slice
// CHECK: gpu.launch_func {{.*}}@outside_1_slice
// CHECK: gpu.launch_func {{.*}}@outside_2_launch
// CHECK: gpu.launch_func {{.*}}@outside_3_slice
// CHECK-NOT: gpu.launch_func
// COST-LABEL: @outside on
// COST: slice
// COST: slice
// COST: launch
// COST: concat
// COST: total
func.func @outside(%x: tensor<8x66xf32>) -> (tensor<8x32xf32>, tensor<8x66xf32>) {
  %a = mirage_kernel.slice %x[0, 0] [8, 32] [1, 1] : (tensor<8x66xf32>) -> tensor<8x32xf32>
  %b = mirage_kernel.slice %x[0, 33] [8, 32] [1, 1] : (tensor<8x66xf32>) -> tensor<8x32xf32>
  %r = mirage_kernel.launch grid(x = 4) (%p = %a : tensor<8x32xf32>, %q = %b : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.add %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %c = mirage_kernel.concat dim(1) %r, %x : (tensor<8x32xf32>, tensor<8x66xf32>) -> tensor<8x98xf32>
  %d = mirage_kernel.slice %c[0, 0] [8, 66] [1, 1] : (tensor<8x98xf32>) -> tensor<8x66xf32>
  return %a, %d : tensor<8x32xf32>, tensor<8x66xf32>
}

// CHECK-LABEL: gpu.func @inside_0_launch
// CHECK-SAME: [[A:%arg[0-9]+]]: memref<8x64xf32>, [[B:%arg[0-9]+]]: memref<8x64xf32>, [[C:%arg[0-9]+]]: memref<8x64xf32>)
// CHECK: mirage_thread.copy async [[A]][{{.*}}] to {{.*}} sizes [8, 8]
// CHECK: [[HALF:%.*]] = arith.constant 32 : index
// CHECK-NEXT: [[AT:%.*]] = arith.addi {{%.*}}, [[HALF]]
// CHECK: mirage_thread.copy async [[B]][{{%.*}}, [[AT]]] to {{.*}} sizes [8, 8]
// CHECK: mirage_thread.copy {{.*}} to [[C]][
// CHECK: [[AT:%.*]] = arith.addi
// CHECK: mirage_thread.copy {{.*}} to [[C]][{{%.*}}, [[AT]]]

}
