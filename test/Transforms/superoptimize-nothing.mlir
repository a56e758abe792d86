// Where there is nothing to search for, a warning says what was looked for, what
// the module has instead, and what to do.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// CHECK: :[[@LINE+2]]:8: warning: there is nothing to search for: 'mirage_kernel.exp' could be, but is in no function that is marked; mirage-partition makes marked functions of such operators, and option function names a function that is not marked
func.func @unmarked(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK: :[[@LINE+2]]:8: warning: there is nothing to search for: only operators of mirage_kernel are searched for, and 'linalg.exp' is none; mirage-optimize converts linalg and TOSA, and --convert-linalg-to-mirage=remarks says why it leaves an operation
func.func @foreign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK: :[[@LINE+1]]:1: warning: there is nothing to search for: what the module has was searched for before, as attributes mirage.superoptimized say; option function names a function to search for again
module {
  func.func @searched(%x: tensor<8xf32>) -> tensor<8xf32>
      attributes {mirage.superoptimized = {verdict = "unchanged"}} {
    %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// CHECK: :[[@LINE+2]]:8: warning: there is nothing to search for: operators that only move elements, like 'mirage_kernel.transpose', are no program that could be faster
func.func @moving(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.transpose %x [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK: :[[@LINE+1]]:1: warning: there is nothing to search for: no function of the module has an operation on tensors; mirage-optimize takes functions of linalg, TOSA, tensor and mirage_kernel operations
module {
}
