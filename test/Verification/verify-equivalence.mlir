// Answers, one line a pair, and what is asked for beside them.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false annotate=true' -o %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false' -o /dev/null \
// RUN:   --remarks-filter=mirage-verify-equivalence 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false lhs=f rhs=@tiles error-bits=100 seed=7' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=BITS
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false threads=1' -o /dev/null > %t.one
// RUN: mirage-opt %s --mirage-verify-equivalence='prove=false threads=2' -o /dev/null > %t.two
// RUN: diff %t.one %t.two

// CHECK: @tiles computes what @f does: equivalent with error at most 2^-{{1[0-9][0-9]}}.{{.*}} (2 tests, seed 0)
// CHECK: @silu_by_exp computes what @silu does: equivalent with error at most 2^-{{.*}} tests, seed 0)
// CHECK: @online computes what @softmax does: equivalent with error at most 2^-{{.*}}, seed 0, whatever max is)
// BITS: @tiles computes what @f does: equivalent with error at most 2^-1{{[0-9][0-9]}}.{{.*}} (2 tests, seed 7)

// IR: func.func @tiles
// IR-SAME: mirage.equivalence = {answer = "equivalent", error_block = {{.*}}, error_constant = {{.*}}, error_normal = {{.*}}, float64_constant = {{.*}}, float64_normal = {{.*}}, log2_error = -{{.*}}, original = @f, seed = 0 : ui64, tests = 2 : ui64}
// IR-SAME: mirage.equivalent_to = @f

// REMARK: [Passed] equivalent | Category:mirage-verify-equivalence | Remark="@tiles computes what @f does"
// REMARK: [Analysis] equivalent | Category:mirage-verify-equivalence | Remark="errors on normal inputs", candidate={{.*}}, float64={{.*}}, original={{.*}}

func.func @f(%x: tensor<8x12xf32>, %w: tensor<12x6xf32>) -> tensor<8x6xf32> {
  %y = mirage_kernel.scale %x by 2.0 : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %0 = mirage_kernel.matmul %y, %w : (tensor<8x12xf32>, tensor<12x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

func.func @tiles(%x: tensor<8x12xf32>, %w: tensor<12x6xf32>) -> tensor<8x6xf32>
    attributes {mirage.equivalent_to = @f} {
  %0 = mirage_kernel.launch grid(x = 2, y = 3)
      (%xa = %x : tensor<8x12xf32>, %wa = %w : tensor<12x6xf32>) -> (tensor<8x6xf32>) {
    %s = mirage_block.for %i = 0 to 4 -> tensor<4x2xf32> {
      %xt = mirage_block.load %xa imap(x -> 0, y -> phi) fmap(%i -> 1)
          : tensor<8x12xf32> to tensor<4x3xf32>
      %wt = mirage_block.load %wa imap(x -> phi, y -> 1) fmap(%i -> 0)
          : tensor<12x6xf32> to tensor<3x2xf32>
      %p = mirage_block.matmul %xt, %wt
          : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
      %a = mirage_block.accumulate sum %p : (tensor<4x2xf32>) -> tensor<4x2xf32>
      mirage_block.yield %a : tensor<4x2xf32>
    }
    %t = mirage_block.scale %s by 2.0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %o = mirage_block.store %t omap(x -> 0, y -> 1) : tensor<4x2xf32> to tensor<8x6xf32>
    mirage_block.yield %o : tensor<8x6xf32>
  }
  return %0 : tensor<8x6xf32>
}

func.func @silu(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = mirage_kernel.silu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Operations of arith and tensor between Mirage's, and another level.
func.func @silu_by_exp(%x: tensor<64xf32>) -> tensor<64xf32>
    attributes {mirage.equivalent_to = @silu} {
  %one = arith.constant dense<1.0> : tensor<8x8xf32>
  %e = tensor.expand_shape %x [[0, 1]] output_shape [8, 8]
      : tensor<64xf32> into tensor<8x8xf32>
  %n = arith.negf %e : tensor<8x8xf32>
  %p = mirage_kernel.exp %n : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = arith.addf %p, %one : tensor<8x8xf32>
  %q = arith.divf %e, %d : tensor<8x8xf32>
  %0 = tensor.collapse_shape %q [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %0 : tensor<64xf32>
}

func.func @softmax(%x: tensor<4x32xf32>) -> tensor<4x1xf32> {
  %p = mirage_kernel.softmax %x dim(1) : (tensor<4x32xf32>) -> tensor<4x32xf32>
  %q = mirage_kernel.mul %p, %x : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  %0 = mirage_kernel.reduce sum %q dim(1) keep : (tensor<4x32xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

func.func @online(%x: tensor<4x32xf32>) -> tensor<4x1xf32>
    attributes {mirage.equivalent_to = @softmax} {
  %0 = mirage_kernel.launch grid(x = 2) (%xa = %x : tensor<4x32xf32>) -> (tensor<4x1xf32>) {
    %n, %d = mirage_block.for %i = 0 to 8 -> (tensor<2x1xf32>, tensor<2x1xf32>) {
      %t = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1)
          : tensor<4x32xf32> to tensor<2x4xf32>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
      %s = mirage_block.sub %t, %m : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
      %e = mirage_block.exp %s : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %f = mirage_block.mul %e, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %ns = mirage_block.reduce sum %f dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
      %ds = mirage_block.reduce sum %e dim(1) keep : (tensor<2x4xf32>) -> tensor<2x1xf32>
      %na = mirage_block.accumulate rescaled_sum %ns shift %m
          : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
      %da = mirage_block.accumulate rescaled_sum %ds shift %m
          : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
      mirage_block.yield %na, %da : tensor<2x1xf32>, tensor<2x1xf32>
    }
    %q = mirage_block.div %n, %d : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %o = mirage_block.store %q omap(x -> 0) : tensor<2x1xf32> to tensor<4x1xf32>
    mirage_block.yield %o : tensor<4x1xf32>
  }
  return %0 : tensor<4x1xf32>
}
