// Options that no answer follows from.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g error-bits=nan' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g error-bits=0' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g error-bits=-1' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g error-bits=inf' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g max-tests=0' 2>&1 | FileCheck %s --check-prefix=TESTS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g max-tests=1' 2>&1 | FileCheck %s --check-prefix=TESTS
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g instability-factor=nan' 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g instability-factor=0.5' 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g float-work=0' 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g float-work=-1' 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g float-work=nan' 2>&1 | FileCheck %s --check-prefix=WORK

// BITS: option-ranges.mlir:{{.*}} error: option error-bits of mirage-verify-equivalence must be positive and finite
// TESTS: option-ranges.mlir:{{.*}} error: option max-tests of mirage-verify-equivalence must be at least 2, the tests that an acceptance takes
// FACTOR: option-ranges.mlir:{{.*}} error: option instability-factor of mirage-verify-equivalence must be at least 1 and finite
// WORK: option-ranges.mlir:{{.*}} error: option float-work of mirage-verify-equivalence must be positive

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
