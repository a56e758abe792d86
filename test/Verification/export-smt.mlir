// The question as operations of the smt dialect, and the word of a solver.
//
// RUN: mirage-opt %s --mirage-export-smt='lhs=f rhs=g' | FileCheck %s
// RUN: mirage-opt %s --mirage-export-smt='lhs=f rhs=g' | mlir-translate --export-smtlib \
// RUN:   | FileCheck %s --check-prefix=LIB
// RUN: not mirage-opt %s --mirage-export-smt='lhs=f rhs=nobody' 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not mirage-opt %s --mirage-export-smt='lhs=f rhs=quotient' 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not mirage-opt %s --mirage-export-smt='lhs=f rhs=g max-operations=10' 2>&1 | FileCheck %s --check-prefix=LIMIT

// CHECK: module {
// CHECK-NEXT: smt.solver() : () -> () {
// CHECK: %[[X:.*]] = smt.declare_fun "x0_0" : !smt.int
// CHECK-NOT: func.func
// CHECK: smt.distinct
// CHECK: smt.or
// CHECK: smt.check sat

// LIB: (declare-const x0_0 Int)
// LIB: (check-sat)

// NOBODY: the module has no function @nobody; options lhs and rhs name the two that are compared
// SHAPES: @f and @quotient have inputs or results of different shapes
// LIMIT: the question has more than 10 operations, the limit of option max-operations

func.func @f(%x: tensor<8x16xf32>) -> tensor<8x1xf32> {
  %s = mirage_kernel.scale %x by 0.375 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = mirage_kernel.reduce sum %s dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}

func.func @g(%x: tensor<8x16xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.launch grid(x = 4, y = 2) (%xa = %x : tensor<8x16xf32>) -> (tensor<8x1xf32>) {
    %s = mirage_block.for %i = 0 to 4 -> tensor<2x1xf32> {
      %t = mirage_block.load %xa imap(x -> 0, y -> 1) fmap(%i -> 1)
          : tensor<8x16xf32> to tensor<2x2xf32>
      %r = mirage_block.reduce sum %t dim(1) keep : (tensor<2x2xf32>) -> tensor<2x1xf32>
      %a = mirage_block.accumulate sum %r : (tensor<2x1xf32>) -> tensor<2x1xf32>
      mirage_block.yield %a : tensor<2x1xf32>
    }
    %u = mirage_block.scale %s by 0.375 : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %o = mirage_block.store %u omap(x -> 0, y -> sum) : tensor<2x1xf32> to tensor<8x1xf32>
    mirage_block.yield %o : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}

func.func @quotient(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %f = mirage_kernel.exp %y : (tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.div %e, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @difference(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = mirage_kernel.sub %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.exp %d : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = mirage_kernel.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.exp %d : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
