// The class of every primitive, and what fission leaves alone.
// RUN: mirage-opt %s --mirage-fission=annotate -o - | FileCheck %s
// RUN: mirage-opt %s --mirage-fission --remarks-filter='mirage-fission' 2>&1 -o %t \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-fission='enable-patterns=softmax' \
// RUN:   | FileCheck %s --check-prefix=ONLY
// RUN: mirage-opt %s --mirage-fission='disable-patterns=softmax' \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
// RUN: not mirage-opt %s --mirage-fission='enable-patterns=exp' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: mirage-fission has no rule for 'exp'; it has rules for {{.*}}softmax

// CHECK-LABEL: func.func @elementwise(
// CHECK-COUNT-18: mirage_kernel.{{.*}} {mirage.primitive_class = #mirage<primitive_class elementwise>}
// CHECK-NOT: mirage.primitive_class
// CHECK: return
func.func @elementwise(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.constant dense<2.0> : tensor<4x8xf32>
  %1 = mirage_kernel.add %x, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = mirage_kernel.sub %x, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = mirage_kernel.div %x, %2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.max %x, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = mirage_kernel.exp %4 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.log %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = mirage_kernel.sqrt %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = mirage_kernel.square %7 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = mirage_kernel.relu %8 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = mirage_kernel.tanh %9 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = mirage_kernel.clamp %10 lower(0.0) upper(6.0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %12 = mirage_kernel.scale %11 by 3.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %13 = mirage_kernel.pow %12 to 3.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %14 = mirage_kernel.cast %13 : tensor<4x8xf32> to tensor<4x8xf16>
  %15 = mirage_kernel.cast %14 : tensor<4x8xf16> to tensor<4x8xf32>
  %16 = mirage_kernel.compare lt %15, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %17 = mirage_kernel.select %16, %15, %0
      : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %17 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @others(
// CHECK: mirage_kernel.reduce sum {{.*}}primitive_class reduce_broadcast>
// CHECK: mirage_kernel.reduce max {{.*}}primitive_class reduce_broadcast>
// CHECK: mirage_kernel.broadcast {{.*}}primitive_class reduce_broadcast>
// CHECK: mirage_kernel.repeat {{.*}}primitive_class reduce_broadcast>
// CHECK: mirage_kernel.reshape {{.*}}primitive_class layout>
// CHECK: mirage_kernel.transpose {{.*}}primitive_class layout>
// CHECK: mirage_kernel.slice {{.*}}primitive_class layout>
// CHECK: mirage_kernel.split {{.*}}primitive_class layout>
// CHECK: mirage_kernel.concat {{.*}}primitive_class layout>
// CHECK: mirage_kernel.pad {{.*}}primitive_class layout>
// CHECK: mirage_kernel.matmul {{.*}}primitive_class linear>
// CHECK: mirage_kernel.concat_matmul{{.*}}primitive_class linear>
// CHECK: mirage_kernel.conv2d {{.*}}primitive_class linear>
func.func @others(%x: tensor<4x8xf32>, %i: tensor<1x4x8x8xf32>, %f: tensor<4x4x3x3xf32>)
    -> (tensor<4x8xf32>, tensor<10x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>,
        tensor<1x4x6x6xf32>) {
  %0 = mirage_kernel.reduce sum %x dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.reduce max %0 dim(0) keep : (tensor<4x1xf32>) -> tensor<1x1xf32>
  %2 = mirage_kernel.broadcast %1 : tensor<1x1xf32> to tensor<2x1xf32>
  %3 = mirage_kernel.repeat %2 times [2, 8] : (tensor<2x1xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.reshape %3 : tensor<4x8xf32> to tensor<8x4xf32>
  %5 = mirage_kernel.transpose %4 [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.slice %5[0, 0] [4, 4] [1, 2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %7:2 = mirage_kernel.split %6 dim(0) parts(2)
      : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %8 = mirage_kernel.concat dim(0) %7#1, %7#0, %4
      : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<12x4xf32>
  %9 = mirage_kernel.slice %8[0, 0] [8, 4] [1, 1] : (tensor<12x4xf32>) -> tensor<8x4xf32>
  %10 = mirage_kernel.pad %9 low [1, 1] high [1, 1] value(0.0)
      : (tensor<8x4xf32>) -> tensor<10x6xf32>
  %11 = mirage_kernel.matmul %x, %4 : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %12 = mirage_kernel.concat_matmul (%x, %6), (%4, %11)
      : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = mirage_kernel.conv2d nchw %i, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]
      groups(1) : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %3, %10, %11, %12, %13
      : tensor<4x8xf32>, tensor<10x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4x6x6xf32>
}

// What is not known stays. So does a launch, with what is inside of it, and an operator of the
// program that no composite operator led to, even if nothing uses it.
// CHECK-LABEL: func.func @opaque(
// CHECK: math.sin {{.*}}primitive_class opaque>
// CHECK: mirage_kernel.launch {{.*}}primitive_class opaque>
// CHECK-NOT: primitive_class
// CHECK: mirage_block.softmax
// CHECK-NOT: primitive_class
// CHECK: mirage_block.yield
// CHECK: %[[WIDE:.+]] = mirage_kernel.cast
// CHECK: mirage_kernel.matmul %[[WIDE]], %[[WIDE]]
// CHECK: return

func.func @opaque(%x: tensor<4x8xf32>, %y: tensor<4x4xf16>) -> tensor<4x8xf32> {
  %0 = math.sin %x : tensor<4x8xf32>
  %1 = mirage_kernel.launch grid(x = 2) (%a = %0 : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<4x8xf32> to tensor<2x8xf32>
    %s = mirage_block.softmax %t dim(1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %r = mirage_block.store %s omap(x -> 0) : tensor<2x8xf32> to tensor<4x8xf32>
    mirage_block.yield %r : tensor<4x8xf32>
  }
  %2 = mirage_kernel.cast %y : tensor<4x4xf16> to tensor<4x4xf32>
  %3 = mirage_kernel.matmul %2, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @two(
// REMARK-DAG: [Missed] fission{{.*}}math.sin{{.*}}is opaque
// REMARK-DAG: [Missed] fission{{.*}}mirage_kernel.launch{{.*}}is opaque
// REMARK-DAG: [Passed] fission{{.*}}softmax{{.*}}becomes{{.*}}div{{.*}}exp{{.*}}reduce{{.*}}sub
// ONLY-LABEL: func.func @two(
// ONLY: mirage_kernel.exp
// ONLY: mirage_kernel.layer_norm
// WITHOUT-LABEL: func.func @two(
// WITHOUT: mirage_kernel.softmax
// WITHOUT-NOT: mirage_kernel.layer_norm
// WITHOUT: return
func.func @two(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.layer_norm %0 epsilon(1.0e-5) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %1 : tensor<4x8xf16>
}
