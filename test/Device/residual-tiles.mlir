// What follows on the largest tiles of a product: shared memory has room for the sums and a residual, since a chain of elementwise
// operators and reshapes is computed as a whole and takes the place of the residual. Once by the general lowering, whose plan this
// is, and once with schedules.

// RUN: mirage-opt %s --convert-mirage-block-to-thread -o %t.mlir
// RUN: FileCheck %s --check-prefix=GENERAL < %t.mlir
// RUN: mirage-run %s --entry=residual --device=threads --kernels=%t.mlir | FileCheck %s
// RUN: mirage-run %s --entry=residual_of_another_shape --device=threads --kernels=%t.mlir | FileCheck %s
// RUN: mirage-run %s --entry=gate --device=threads --kernels=%t.mlir | FileCheck %s
// RUN: mirage-run %s --entry=read_again --device=threads --kernels=%t.mlir | FileCheck %s
// RUN: mirage-run %s --entry=residual --device=threads | FileCheck %s
// RUN: mirage-run %s --entry=residual_of_another_shape --device=threads | FileCheck %s
// RUN: mirage-run %s --entry=gate --device=threads | FileCheck %s
// RUN: mirage-run %s --entry=read_again --device=threads | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {
// The sums, and the residual whose place the result takes.
// GENERAL-LABEL: gpu.func @residual_0_launch
// GENERAL: %[[RESULT:.*]] = mirage_thread.shared_buffer offset(131072) : memref<256x128xf16
// GENERAL: %[[RESIDUAL:.*]] = mirage_thread.shared_buffer offset(131072) : memref<256x128xf16
// GENERAL: %[[SUMS:.*]] = mirage_thread.shared_buffer offset(0) : memref<256x128xf32
// GENERAL: compute ins(%[[SUMS]], %[[RESIDUAL]] {{.*}} outs(%[[RESULT]]
// GENERAL: mirage_thread.cast
// GENERAL-NEXT: mirage_thread.add
// GENERAL-NEXT: mirage_thread.cast
func.func @residual(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>, %res: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%a = %x : tensor<256x256xf16>, %b = %w : tensor<256x256xf16>, %resp = %res : tensor<256x256xf16>) -> tensor<256x256xf16> {
    %for = mirage_block.for %i = 0 to 4 -> tensor<256x128xf32> {
      %l = mirage_block.load %a imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<256x64xf16>
      %r = mirage_block.load %b imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %l, %r transpose_rhs : (tensor<256x64xf16>, tensor<128x64xf16>) -> tensor<256x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<256x128xf32>) -> tensor<256x128xf32>
      mirage_block.yield %s : tensor<256x128xf32>
    }
    %c = mirage_block.load %resp imap(x -> 1, y -> phi) : tensor<256x256xf16> to tensor<256x128xf16>
    %cf = mirage_block.cast %c : tensor<256x128xf16> to tensor<256x128xf32>
    %sum = mirage_block.add %for, %cf : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
    %h = mirage_block.cast %sum : tensor<256x128xf32> to tensor<256x128xf16>
    %st0 = mirage_block.store %h omap(x -> 1, y -> phi) : tensor<256x128xf16> to tensor<256x256xf16>
    mirage_block.yield %st0 : tensor<256x256xf16>
  }
  return %o : tensor<256x256xf16>
}

// A reshape keeps the places of elements.
// GENERAL-LABEL: gpu.func @residual_of_another_shape_0_launch
// GENERAL: mirage_thread.cast
// GENERAL-NEXT: mirage_thread.reshape
// GENERAL-NEXT: mirage_thread.add
func.func @residual_of_another_shape(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>, %res: tensor<1x256x256xf16>) -> tensor<1x256x256xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%a = %x : tensor<256x256xf16>, %b = %w : tensor<256x256xf16>, %resp = %res : tensor<1x256x256xf16>) -> tensor<1x256x256xf16> {
    %for = mirage_block.for %i = 0 to 4 -> tensor<256x128xf32> {
      %l = mirage_block.load %a imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<256x64xf16>
      %r = mirage_block.load %b imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %l, %r transpose_rhs : (tensor<256x64xf16>, tensor<128x64xf16>) -> tensor<256x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<256x128xf32>) -> tensor<256x128xf32>
      mirage_block.yield %s : tensor<256x128xf32>
    }
    %h = mirage_block.cast %for : tensor<256x128xf32> to tensor<256x128xf16>
    %v = mirage_block.reshape %h : tensor<256x128xf16> to tensor<1x256x128xf16>
    %c = mirage_block.load %resp imap(x -> 2, y -> phi) : tensor<1x256x256xf16> to tensor<1x256x128xf16>
    %sum = mirage_block.add %c, %v : (tensor<1x256x128xf16>, tensor<1x256x128xf16>) -> tensor<1x256x128xf16>
    %st0 = mirage_block.store %sum omap(x -> 2, y -> phi) : tensor<1x256x128xf16> to tensor<1x256x256xf16>
    mirage_block.yield %st0 : tensor<1x256x256xf16>
  }
  return %o : tensor<1x256x256xf16>
}

// A row that is repeated has bytes of its own.
// GENERAL-LABEL: gpu.func @gate_0_launch
// GENERAL: shared_buffer offset(196608) : memref<1x128xf32
func.func @gate(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>, %res: tensor<256x256xf16>, %bias: tensor<1x256xf32>) -> tensor<256x256xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%a = %x : tensor<256x256xf16>, %b = %w : tensor<256x256xf16>, %resp = %res : tensor<256x256xf16>, %biasp = %bias : tensor<1x256xf32>) -> tensor<256x256xf16> {
    %for = mirage_block.for %i = 0 to 4 -> tensor<256x128xf32> {
      %l = mirage_block.load %a imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<256x64xf16>
      %r = mirage_block.load %b imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %l, %r transpose_rhs : (tensor<256x64xf16>, tensor<128x64xf16>) -> tensor<256x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<256x128xf32>) -> tensor<256x128xf32>
      mirage_block.yield %s : tensor<256x128xf32>
    }
    %bb = mirage_block.load %biasp imap(x -> 1, y -> phi) : tensor<1x256xf32> to tensor<1x128xf32>
    %z = mirage_block.add %for, %bb : (tensor<256x128xf32>, tensor<1x128xf32>) -> tensor<256x128xf32>
    %sg = mirage_block.sigmoid %z : (tensor<256x128xf32>) -> tensor<256x128xf32>
    %c = mirage_block.load %resp imap(x -> 1, y -> phi) : tensor<256x256xf16> to tensor<256x128xf16>
    %cf = mirage_block.cast %c : tensor<256x128xf16> to tensor<256x128xf32>
    %g = mirage_block.mul %sg, %cf : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
    %h = mirage_block.cast %g : tensor<256x128xf32> to tensor<256x128xf16>
    %st0 = mirage_block.store %h omap(x -> 1, y -> phi) : tensor<256x128xf16> to tensor<256x256xf16>
    mirage_block.yield %st0 : tensor<256x256xf16>
  }
  return %o : tensor<256x256xf16>
}

// A sum that is stored and read again has bytes, and so has what is made of it.
// GENERAL-LABEL: gpu.func @read_again_0_launch
// GENERAL: shared_buffer offset(0) : memref<256x128xf16
// GENERAL: mirage_thread.add
// GENERAL-NEXT: yield
func.func @read_again(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>, %res: tensor<256x256xf16>) -> (tensor<256x256xf16>, tensor<256x256xf16>) {
  %o:2 = mirage_kernel.launch grid(x = 2, y = 1) (%a = %x : tensor<256x256xf16>, %b = %w : tensor<256x256xf16>, %resp = %res : tensor<256x256xf16>) -> (tensor<256x256xf16>, tensor<256x256xf16>) {
    %for = mirage_block.for %i = 0 to 4 -> tensor<256x128xf32> {
      %l = mirage_block.load %a imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<256x64xf16>
      %r = mirage_block.load %b imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x256xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %l, %r transpose_rhs : (tensor<256x64xf16>, tensor<128x64xf16>) -> tensor<256x128xf32>
      %s = mirage_block.accumulate sum %p : (tensor<256x128xf32>) -> tensor<256x128xf32>
      mirage_block.yield %s : tensor<256x128xf32>
    }
    %h = mirage_block.cast %for : tensor<256x128xf32> to tensor<256x128xf16>
    %c = mirage_block.load %resp imap(x -> 1, y -> phi) : tensor<256x256xf16> to tensor<256x128xf16>
    %sum = mirage_block.add %h, %c : (tensor<256x128xf16>, tensor<256x128xf16>) -> tensor<256x128xf16>
    %e = mirage_block.relu %sum : (tensor<256x128xf16>) -> tensor<256x128xf16>
    %st0 = mirage_block.store %sum omap(x -> 1, y -> phi) : tensor<256x128xf16> to tensor<256x256xf16>
    %st1 = mirage_block.store %e omap(x -> 1, y -> phi) : tensor<256x128xf16> to tensor<256x256xf16>
    mirage_block.yield %st0, %st1 : tensor<256x256xf16>, tensor<256x256xf16>
  }
  return %o#0, %o#1 : tensor<256x256xf16>, tensor<256x256xf16>
}
}
