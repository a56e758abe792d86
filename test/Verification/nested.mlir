// Pairs in nested modules are compared, too, each with the function of its own
// module.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -split-input-file -o /dev/null 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.err

// CHECK: @inner::@g computes what @inner::@f does: proved
// CHECK: @other::@g does not compute what @other::@f does: refuted
module {
  module @inner {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @f} {
      return %x : tensor<4xf32>
    }
  }
  module @other {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mirage_kernel.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @f} {
      return %x : tensor<4xf32>
    }
  }
}

// -----

// ERROR: 'mirage.equivalent_to' names @nowhere, which is no function of the module
module @outer {
  module @inner {
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @nowhere} {
      return %x : tensor<4xf32>
    }
  }
}
