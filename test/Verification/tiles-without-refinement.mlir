// What one launch stores in tiles of 4 another one reads in tiles of 6: a sum over them falls into ranges, which become one again.

// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=original rhs=tiles check-floats=false' -o %t | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=original rhs=mutant check-floats=false' -o %t | FileCheck %s --check-prefix=MUTANT

// CHECK: @tiles computes what @original does: proved
// MUTANT: @mutant does not compute what @original does: refuted

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @original(%x: tensor<2x12xf32>, %w: tensor<12x8xf32>) -> tensor<2x8xf32> {
  %e = mirage_kernel.exp %x : (tensor<2x12xf32>) -> tensor<2x12xf32>
  %r = mirage_kernel.matmul %e, %w : (tensor<2x12xf32>, tensor<12x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

func.func @tiles(%x: tensor<2x12xf32>, %w: tensor<12x8xf32>) -> tensor<2x8xf32> {
  %e = mirage_kernel.launch grid(x = 3) (%a = %x : tensor<2x12xf32>) -> tensor<2x12xf32> {
    %l = mirage_block.load %a imap(x -> 1) : tensor<2x12xf32> to tensor<2x4xf32>
    %v = mirage_block.exp %l : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = mirage_block.store %v omap(x -> 1) : tensor<2x4xf32> to tensor<2x12xf32>
    mirage_block.yield %s : tensor<2x12xf32>
  }
  %r = mirage_kernel.launch grid(x = 1) (%a = %e : tensor<2x12xf32>, %b = %w : tensor<12x8xf32>) -> tensor<2x8xf32> {
    %f = mirage_block.for %i = 0 to 2 -> tensor<2x8xf32> {
      %l = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<2x12xf32> to tensor<2x6xf32>
      %m = mirage_block.load %b imap(x -> phi) fmap(%i -> 0) : tensor<12x8xf32> to tensor<6x8xf32>
      %p = mirage_block.matmul %l, %m : (tensor<2x6xf32>, tensor<6x8xf32>) -> tensor<2x8xf32>
      %c = mirage_block.accumulate sum %p : (tensor<2x8xf32>) -> tensor<2x8xf32>
      mirage_block.yield %c : tensor<2x8xf32>
    }
    %s = mirage_block.store %f omap(x -> 0) : tensor<2x8xf32> to tensor<2x8xf32>
    mirage_block.yield %s : tensor<2x8xf32>
  }
  return %r : tensor<2x8xf32>
}

// It leaves the last two columns out.
func.func @mutant(%x: tensor<2x12xf32>, %w: tensor<12x8xf32>) -> tensor<2x8xf32> {
  %s = mirage_kernel.slice %x[0, 0] [2, 10] [1, 1] : (tensor<2x12xf32>) -> tensor<2x10xf32>
  %v = mirage_kernel.slice %w[0, 0] [10, 8] [1, 1] : (tensor<12x8xf32>) -> tensor<10x8xf32>
  %e = mirage_kernel.exp %s : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %r = mirage_kernel.matmul %e, %v : (tensor<2x10xf32>, tensor<10x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

}
