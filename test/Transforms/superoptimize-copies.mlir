// Results that are arguments, casts of arguments or constants take no part in the
// search, and do not keep the others from it; products of columns and rows are
// multiplications.
// DEFINE: %{options} = best=1 kernels=1 pieces=false max-block-operators=5
// RUN: mirage-opt %s --mirage-superoptimize='%{options} keep-original' -o %t
// RUN: FileCheck %s < %t
// RUN: mirage-opt %t --mirage-verify-equivalence -o /dev/null | FileCheck %s --check-prefix=ANSWER

// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x64xf16>
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.matmul
// CHECK: mirage_block.silu
// CHECK-NOT: mirage_kernel.launch
// CHECK: return %[[X]], %{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>, tensor<4xf16>
// CHECK-LABEL: func.func private @copies_original(
// ANSWER-DAG: @copies computes what @copies_original does: proved
func.func @copies(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>)
    -> (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>, tensor<4xf16>)
    attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %1 = mirage_kernel.silu %0 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %2 = mirage_kernel.cast %x : tensor<64x64xf16> to tensor<64x64xf32>
  %3 = mirage_kernel.constant dense<1.0> : tensor<4xf16>
  return %x, %1, %2, %3 : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>, tensor<4xf16>
}

// CHECK-LABEL: func.func @outer(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.mul
// CHECK: mirage_block.silu
// CHECK-LABEL: func.func private @outer_original(
// ANSWER-DAG: @outer computes what @outer_original does: proved
func.func @outer(%x: tensor<4096x1xf16>, %w: tensor<1x4096xf16>)
    -> tensor<4096x4096xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %w : (tensor<4096x1xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %1 = mirage_kernel.silu %0 : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %1 : tensor<4096x4096xf16>
}

// Operands that are transposed, and one matrix for all of a batch.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.mul
// CHECK-LABEL: func.func private @transposed_original(
// ANSWER-DAG: @transposed computes what @transposed_original does: proved
func.func @transposed(%x: tensor<4x1x512xf16>, %w: tensor<4x512x1xf16>)
    -> tensor<4x512x512xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %w transpose_lhs transpose_rhs
      : (tensor<4x1x512xf16>, tensor<4x512x1xf16>) -> tensor<4x512x512xf16>
  %1 = mirage_kernel.relu %0 : (tensor<4x512x512xf16>) -> tensor<4x512x512xf16>
  return %1 : tensor<4x512x512xf16>
}
