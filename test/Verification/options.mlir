// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f' 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=h' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g shrink=true prove=false' -o /dev/null | FileCheck %s --check-prefix=SHRINK
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g test=false prove=false' -o /dev/null | FileCheck %s --check-prefix=NOTHING
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g max-tests=2 error-bits=1000 prove=false' -o /dev/null | FileCheck %s --check-prefix=BITS

// BOTH: options lhs and rhs name a pair: both are needed
// MISSING: the module has no function @h, which option rhs names
// SHRINK: @g computes what @f does: equivalent with error at most 2^-{{.*}}, at small sizes
// NOTHING: @g may or may not compute what @f does: unknown, there is no proof, and random tests were not asked for
// BITS: unknown, 2 tests found no difference, but overlook one with a probability of up to 2^-{{.*}}; 2^-1000.0 was asked for

func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.add %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @g(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
