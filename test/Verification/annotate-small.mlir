// Attributes say which answers and numbers are those of smaller sizes, and name
// functions by their paths.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=inner::g shrink=true annotate' | FileCheck %s --check-prefix=SMALL
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=inner::g annotate float-work=3e5' | FileCheck %s --check-prefix=ROWS
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=inner::g annotate' | FileCheck %s --check-prefix=FULL
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=wrong annotate fail-on-refusal=false float-work=3e5' | FileCheck %s --check-prefix=REFUTED

// SMALL: @inner::@g computes what @f does: proved, at small sizes
// SMALL: mirage.equivalence = {answer = "proved", original = @f, sizes = "small"}
// ROWS: @g{{.*}}mirage.equivalence = {answer = "proved", {{.*}}error_sizes = "small"
// FULL: @g{{.*}}mirage.equivalence = {answer = "proved"
// FULL-NOT: "small"
// REFUTED: @wrong{{.*}}mirage.equivalence = {answer = "refuted"{{.*}}float64_sizes = "small"
func.func @f(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>) -> tensor<512x64xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  return %0 : tensor<512x64xf32>
}
func.func @wrong(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>) -> tensor<512x64xf32> {
  %0 = mirage_kernel.matmul %x, %w transpose_rhs : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  return %0 : tensor<512x64xf32>
}
module @inner {
  func.func @g(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>) -> tensor<512x64xf32> {
    %0 = mirage_kernel.matmul %x, %w : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    return %0 : tensor<512x64xf32>
  }
}
