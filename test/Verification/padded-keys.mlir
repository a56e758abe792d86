// Attention of 13 keys as attention of 16, of which a mask hides the last three: the mask is a condition on indices.

// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=hidden' -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=hides_too_few' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=attention rhs=hides_too_many' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
// HIDDEN: @hidden computes what @attention does: proved
// FEW: @hides_too_few does not compute what @attention does
// MANY: @hides_too_many does not compute what @attention does

func.func @attention(%q: tensor<2x4x8xf16>, %k: tensor<2x13x8xf16>, %v: tensor<2x13x8xf16>) -> tensor<2x4x8xf32> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<2x4x8xf16>, tensor<2x13x8xf16>) -> tensor<2x4x13xf32>
  %p = mirage_kernel.softmax %s dim(2) : (tensor<2x4x13xf32>) -> tensor<2x4x13xf32>
  %h = mirage_kernel.cast %p : tensor<2x4x13xf32> to tensor<2x4x13xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<2x4x13xf16>, tensor<2x13x8xf16>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}

func.func @hidden(%q: tensor<2x4x8xf16>, %k: tensor<2x13x8xf16>, %v: tensor<2x13x8xf16>) -> tensor<2x4x8xf32> {
  %kp = mirage_kernel.pad %k low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %vp = mirage_kernel.pad %v low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %mask = mirage_kernel.constant dense<[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000]]]> : tensor<1x1x16xf32>
  %s = mirage_kernel.matmul %q, %kp transpose_rhs : (tensor<2x4x8xf16>, tensor<2x16x8xf16>) -> tensor<2x4x16xf32>
  %m = mirage_kernel.add %s, %mask : (tensor<2x4x16xf32>, tensor<1x1x16xf32>) -> tensor<2x4x16xf32>
  %x = mirage_kernel.reduce max %m dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %lowest = mirage_kernel.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
  %y = mirage_kernel.max %x, %lowest : (tensor<2x4x1xf32>, tensor<1x1x1xf32>) -> tensor<2x4x1xf32>
  %d = mirage_kernel.sub %m, %y : (tensor<2x4x16xf32>, tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %t = mirage_kernel.reduce sum %e dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %h = mirage_kernel.cast %e : tensor<2x4x16xf32> to tensor<2x4x16xf16>
  %o = mirage_kernel.matmul %h, %vp : (tensor<2x4x16xf16>, tensor<2x16x8xf16>) -> tensor<2x4x8xf32>
  %r = mirage_kernel.div %o, %t : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

func.func @hides_too_few(%q: tensor<2x4x8xf16>, %k: tensor<2x13x8xf16>, %v: tensor<2x13x8xf16>) -> tensor<2x4x8xf32> {
  %kp = mirage_kernel.pad %k low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %vp = mirage_kernel.pad %v low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %mask = mirage_kernel.constant dense<[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000]]]> : tensor<1x1x16xf32>
  %s = mirage_kernel.matmul %q, %kp transpose_rhs : (tensor<2x4x8xf16>, tensor<2x16x8xf16>) -> tensor<2x4x16xf32>
  %m = mirage_kernel.add %s, %mask : (tensor<2x4x16xf32>, tensor<1x1x16xf32>) -> tensor<2x4x16xf32>
  %x = mirage_kernel.reduce max %m dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %lowest = mirage_kernel.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
  %y = mirage_kernel.max %x, %lowest : (tensor<2x4x1xf32>, tensor<1x1x1xf32>) -> tensor<2x4x1xf32>
  %d = mirage_kernel.sub %m, %y : (tensor<2x4x16xf32>, tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %t = mirage_kernel.reduce sum %e dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %h = mirage_kernel.cast %e : tensor<2x4x16xf32> to tensor<2x4x16xf16>
  %o = mirage_kernel.matmul %h, %vp : (tensor<2x4x16xf16>, tensor<2x16x8xf16>) -> tensor<2x4x8xf32>
  %r = mirage_kernel.div %o, %t : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

func.func @hides_too_many(%q: tensor<2x4x8xf16>, %k: tensor<2x13x8xf16>, %v: tensor<2x13x8xf16>) -> tensor<2x4x8xf32> {
  %kp = mirage_kernel.pad %k low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %vp = mirage_kernel.pad %v low [0, 0, 0] high [0, 3, 0] value(0.0) : (tensor<2x13x8xf16>) -> tensor<2x16x8xf16>
  %mask = mirage_kernel.constant dense<[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000]]]> : tensor<1x1x16xf32>
  %s = mirage_kernel.matmul %q, %kp transpose_rhs : (tensor<2x4x8xf16>, tensor<2x16x8xf16>) -> tensor<2x4x16xf32>
  %m = mirage_kernel.add %s, %mask : (tensor<2x4x16xf32>, tensor<1x1x16xf32>) -> tensor<2x4x16xf32>
  %x = mirage_kernel.reduce max %m dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %lowest = mirage_kernel.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
  %y = mirage_kernel.max %x, %lowest : (tensor<2x4x1xf32>, tensor<1x1x1xf32>) -> tensor<2x4x1xf32>
  %d = mirage_kernel.sub %m, %y : (tensor<2x4x16xf32>, tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
  %e = mirage_kernel.exp %d : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %t = mirage_kernel.reduce sum %e dim(2) keep : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %h = mirage_kernel.cast %e : tensor<2x4x16xf32> to tensor<2x4x16xf16>
  %o = mirage_kernel.matmul %h, %vp : (tensor<2x4x16xf16>, tensor<2x16x8xf16>) -> tensor<2x4x8xf32>
  %r = mirage_kernel.div %o, %t : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}
