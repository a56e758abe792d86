// In the general lowering, a product that nothing but a sum over the loop reads is added to the sum at once: it has no bytes
// of shared memory, and tiles may be as large as their sums allow.

// RUN: mirage-opt %s --mirage-attach-target --convert-mirage-block-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-attach-target --convert-mirage-block-to-thread -o %t.mlir
// RUN: mirage-run %s --entry=instruction --device=threads --kernels=%t.mlir | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=multiply_adds --device=threads --kernels=%t.mlir | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=read_twice --device=threads --kernels=%t.mlir | FileCheck %s --check-prefix=RESULT

// RESULT: bound 0: {{.*}} over_bound=0 unbounded=0

// Two operands of 16 x 16 and a sum of 16 x 16.
// CHECK-LABEL: gpu.func @instruction_0_launch
// CHECK: %[[SUM:.*]] = mirage_thread.shared_buffer {{.*}} : memref<16x16xf32
// CHECK-NOT: memref<16x16xf32
// CHECK: mirage_thread.fill %[[SUM]] with
// CHECK: mirage_thread.mma {{.*}} into %[[SUM]] accumulate
// CHECK-NOT: mirage_thread.accumulate
func.func @instruction(%a: tensor<16x64xf16>, %b: tensor<64x16xf16>) -> tensor<16x16xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%l = %a : tensor<16x64xf16>, %r = %b : tensor<64x16xf16>) -> tensor<16x16xf32> {
    %s = mirage_block.for %i = 0 to 4 -> tensor<16x16xf32> {
      %x = mirage_block.load %l imap(x -> phi) fmap(%i -> 1) : tensor<16x64xf16> to tensor<16x16xf16>
      %y = mirage_block.load %r imap(x -> phi) fmap(%i -> 0) : tensor<64x16xf16> to tensor<16x16xf16>
      %p = mirage_block.matmul %x, %y : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      %t = mirage_block.accumulate sum %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
      mirage_block.yield %t : tensor<16x16xf32>
    }
    %w = mirage_block.store %s omap(x -> phi) : tensor<16x16xf32> to tensor<16x16xf32>
    mirage_block.yield %w : tensor<16x16xf32>
  }
  return %o : tensor<16x16xf32>
}

// No instruction has these sizes and types: threads add their products to the sum's elements.
// CHECK-LABEL: gpu.func @multiply_adds_0_launch
// CHECK: mirage_thread.compute ins(%[[SUM:[a-z0-9_]+]], {{.*}}) outs(%[[SUM]] :
// CHECK: mirage_thread.matmul
// CHECK: mirage_thread.add
// CHECK-NOT: mirage_thread.accumulate
func.func @multiply_adds(%a: tensor<5x12xf32>, %b: tensor<12x7xf32>) -> tensor<5x7xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%l = %a : tensor<5x12xf32>, %r = %b : tensor<12x7xf32>) -> tensor<5x7xf32> {
    %s = mirage_block.for %i = 0 to 4 -> tensor<5x7xf32> {
      %x = mirage_block.load %l imap(x -> phi) fmap(%i -> 1) : tensor<5x12xf32> to tensor<5x3xf32>
      %y = mirage_block.load %r imap(x -> phi) fmap(%i -> 0) : tensor<12x7xf32> to tensor<3x7xf32>
      %p = mirage_block.matmul %x, %y : (tensor<5x3xf32>, tensor<3x7xf32>) -> tensor<5x7xf32>
      %t = mirage_block.accumulate sum %p : (tensor<5x7xf32>) -> tensor<5x7xf32>
      mirage_block.yield %t : tensor<5x7xf32>
    }
    %w = mirage_block.store %s omap(x -> phi) : tensor<5x7xf32> to tensor<5x7xf32>
    mirage_block.yield %w : tensor<5x7xf32>
  }
  return %o : tensor<5x7xf32>
}

// Another operator reads the product as well.
// CHECK-LABEL: gpu.func @read_twice_0_launch
// CHECK: mirage_thread.mma {{.*}} into %{{[a-z0-9_]+}} :
// CHECK: mirage_thread.accumulate sum
// CHECK: mirage_thread.accumulate max
func.func @read_twice(%a: tensor<16x64xf16>, %b: tensor<64x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %o:2 = mirage_kernel.launch grid(x = 1) (%l = %a : tensor<16x64xf16>, %r = %b : tensor<64x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %s:2 = mirage_block.for %i = 0 to 4 -> (tensor<16x16xf32>, tensor<16x16xf32>) {
      %x = mirage_block.load %l imap(x -> phi) fmap(%i -> 1) : tensor<16x64xf16> to tensor<16x16xf16>
      %y = mirage_block.load %r imap(x -> phi) fmap(%i -> 0) : tensor<64x16xf16> to tensor<16x16xf16>
      %p = mirage_block.matmul %x, %y : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      %t = mirage_block.accumulate sum %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %u = mirage_block.accumulate max %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
      mirage_block.yield %t, %u : tensor<16x16xf32>, tensor<16x16xf32>
    }
    %w = mirage_block.store %s#0 omap(x -> phi) : tensor<16x16xf32> to tensor<16x16xf32>
    %v = mirage_block.store %s#1 omap(x -> phi) : tensor<16x16xf32> to tensor<16x16xf32>
    mirage_block.yield %w, %v : tensor<16x16xf32>, tensor<16x16xf32>
  }
  return %o#0, %o#1 : tensor<16x16xf32>, tensor<16x16xf32>
}
