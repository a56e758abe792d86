// Kernel operations among others become functions; what Mirage does not know stays where it is.

// RUN: mirage-opt %s --mirage-outline-kernels -allow-unregistered-dialect -split-input-file | FileCheck %s

// Parts are separate where an operation that stays is between them, and one function where none is. What comes late needs the earlier part's result, too.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[A:.*]]:2 = call @chain_part(%[[X]], %[[Y]])
// CHECK-NEXT: %[[B:.*]] = "framework.topk"(%[[A]]#1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[C:.*]] = call @chain_part_0(%[[B]], %[[A]]#0)
// CHECK-NEXT: return %[[C]]
// CHECK-LABEL: func.func private @chain_part(
// CHECK-SAME: -> (tensor<4x8xf32>, tensor<8x4xf32>)
// CHECK-NEXT: add
// CHECK-NEXT: transpose
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @chain_part_0(
// CHECK-SAME: %[[Q:.*]]: tensor<8x4xf32>, %[[P:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[T:.*]] = mirage_kernel.transpose %[[Q]]
// CHECK-NEXT: mirage_kernel.concat dim(0) %[[P]], %[[T]]
// CHECK-NEXT: return
func.func @chain(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = mirage_kernel.add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.transpose %0 [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = "framework.topk"(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = mirage_kernel.transpose %2 [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %4 = mirage_kernel.concat dim(0) %0, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// -----

// The second sum needs the result of the first one's reader, so that one function of both would need itself.
// CHECK-LABEL: func.func @cycle(
// CHECK: %[[A:.*]] = call @cycle_part(
// CHECK-NEXT: %[[B:.*]] = "framework.sort"(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @cycle_part_0(%[[A]], %[[B]])
// CHECK-NEXT: return %[[C]]
func.func @cycle(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "framework.sort"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// What has nothing in common is computed where it is needed, with what needs it. Operations with side effects keep their order.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[A:.*]] = call @apart_part(%[[X]])
// CHECK-NEXT: "framework.print"(%[[A]])
// CHECK-NEXT: %[[R:.*]] = "framework.random"()
// CHECK-NEXT: %[[B:.*]] = call @apart_part_0(%[[Y]], %[[R]])
// CHECK-NEXT: "framework.print"(%[[B]])
// CHECK-NEXT: return
func.func @apart(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.exp %y : (tensor<4xf32>) -> tensor<4xf32>
  "framework.print"(%0) : (tensor<4xf32>) -> ()
  %2 = "framework.random"() : () -> tensor<4xf32>
  %3 = mirage_kernel.add %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "framework.print"(%3) : (tensor<4xf32>) -> ()
  return
}

// -----

// Both read the same value, so that they are one function. An operation without side effects moves before its call.
// CHECK-LABEL: func.func @together(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[N:.*]] = math.tan %[[X]]
// CHECK-NEXT: %[[A:.*]]:2 = call @together_part(%[[X]], %[[N]])
// CHECK-NEXT: "framework.print"(%[[A]]#0)
// CHECK-NEXT: return %[[A]]#1
func.func @together(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  "framework.print"(%0) : (tensor<4xf32>) -> ()
  %1 = math.tan %x : tensor<4xf32>
  %2 = mirage_kernel.add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Each function has the constants and reshapes that it reads. For others they are constants and views, of what a function returns as well.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[X:.*]]: tensor<8x3xf32>)
// CHECK-DAG: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<6x4xf32>
// CHECK-DAG: %[[F:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1]] : tensor<8x3xf32> into tensor<24xf32>
// CHECK-DAG: %[[V:.*]] = tensor.expand_shape %[[F]] {{\[}}[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
// CHECK: %[[A:.*]] = call @repeated_part(%[[X]]) : (tensor<8x3xf32>) -> tensor<6x4xf32>
// CHECK: %[[W:.*]] = tensor.expand_shape %[[A]] {{\[}}[0], [1, 2]] output_shape [6, 2, 2]
// CHECK: %[[U:.*]] = "framework.use"(%[[V]], %[[C]], %[[A]], %[[W]])
// CHECK: %[[B:.*]] = call @repeated_part_0(%[[A]], %[[U]])
// CHECK: return %[[B]], %[[C]]
// CHECK-LABEL: func.func private @repeated_part(
// CHECK-SAME: %[[I:.*]]: tensor<8x3xf32>)
// CHECK-DAG: %[[R:.*]] = mirage_kernel.reshape %[[I]]
// CHECK-DAG: %[[K:.*]] = mirage_kernel.constant dense<5.000000e-01>
// CHECK: mirage_kernel.mul %[[R]], %[[K]]
// CHECK-LABEL: func.func private @repeated_part_0(
// CHECK-SAME: %[[J:.*]]: tensor<6x4xf32>, %[[L:.*]]: tensor<6x2x2xf32>)
// CHECK: %[[S:.*]] = mirage_kernel.reshape %[[J]]
// CHECK: mirage_kernel.add %[[S]], %[[L]]
func.func @repeated(%x: tensor<8x3xf32>) -> (tensor<6x2x2xf32>, tensor<6x4xf32>) {
  %c = mirage_kernel.constant dense<0.5> : tensor<6x4xf32>
  %0 = mirage_kernel.reshape %x : tensor<8x3xf32> to tensor<6x4xf32>
  %1 = mirage_kernel.mul %0, %c : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = mirage_kernel.reshape %1 : tensor<6x4xf32> to tensor<6x2x2xf32>
  %3 = "framework.use"(%0, %c, %1, %2) : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x2x2xf32>) -> tensor<6x2x2xf32>
  %4 = mirage_kernel.add %2, %3 : (tensor<6x2x2xf32>, tensor<6x2x2xf32>) -> tensor<6x2x2xf32>
  return %4, %c : tensor<6x2x2xf32>, tensor<6x4xf32>
}

// -----

// Constants of all types that a kernel operation may have.
// CHECK-LABEL: func.func @constants(
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf8E4M3FN>
// CHECK-DAG: arith.constant dense<0xFF80> : tensor<2xbf16>
// CHECK-DAG: arith.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
// CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<f64>
// CHECK-NOT: mirage_kernel
func.func @constants() {
  %0 = mirage_kernel.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
  %1 = mirage_kernel.constant dense<0xFF80> : tensor<2xbf16>
  %2 = mirage_kernel.constant dense<[1.5, -0.0]> : tensor<2xf32>
  %3 = mirage_kernel.constant dense<2.0> : tensor<f64>
  "framework.use"(%0, %1, %2, %3) : (tensor<2xf8E4M3FN>, tensor<2xbf16>, tensor<2xf32>, tensor<f64>) -> ()
  return
}

// -----

// A call of a part is in the function of what is around it, if nothing else calls the part; so is one that reads a constant. Alone it stays.
// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[A:.*]] = call @calls_part(%[[X]])
// CHECK-NEXT: %[[B:.*]] = "framework.a"(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @alone(%[[B]])
// CHECK-NEXT: %[[D:.*]] = "framework.b"(%[[C]])
// CHECK-NEXT: %[[E:.*]] = call @calls_part_0(%[[D]])
// CHECK-NEXT: %[[F:.*]] = "framework.c"(%[[E]])
// CHECK-NEXT: %[[G:.*]] = call @twice(%[[F]])
// CHECK-NEXT: %[[H:.*]] = call @twice(%[[G]])
// CHECK-NEXT: %[[I:.*]] = call @kept(%[[H]])
// CHECK-NEXT: %[[J:.*]] = call @calls_part_1(%[[I]])
// CHECK-NEXT: return %[[J]]
// CHECK-LABEL: func.func private @calls_part(
// CHECK-NEXT: %[[P:.*]] = call @once
// CHECK-NEXT: mirage_kernel.transpose %[[P]]
// CHECK-LABEL: func.func private @calls_part_0(
// CHECK-NEXT: %[[K:.*]] = mirage_kernel.constant
// CHECK-NEXT: call @constant(%{{.*}}, %[[K]])
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @calls_part_1(
// CHECK-NEXT: transpose
// CHECK-NEXT: return
func.func @calls(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = mirage_kernel.constant dense<2.0> : tensor<8x4xf32>
  %0 = func.call @once(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.transpose %0 [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = "framework.a"(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = func.call @alone(%2) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = "framework.b"(%3) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %5 = func.call @constant(%4, %c) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %6 = "framework.c"(%5) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %7 = func.call @twice(%6) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %8 = func.call @twice(%7) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %9 = func.call @kept(%8) {no_inline} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %10 = mirage_kernel.transpose %9 [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %10 : tensor<4x8xf32>
}
func.func private @once(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func private @alone(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @constant(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.mul %x, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @twice(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @kept(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Loops and branches have functions of their own; a reshape from outside is in the function that reads it.
// CHECK-LABEL: func.func @regions(
// CHECK-SAME: %[[X:.*]]: tensor<16xf32>, %[[C:.*]]: i1,
// CHECK: %[[A:.*]] = call @[[OUTER:.*]](%[[X]]) : (tensor<16xf32>) -> tensor<4x4xf32>
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %[[A]])
// CHECK: %[[B:.*]] = func.call @[[LOOP:.*]](%[[S]], %[[X]])
// CHECK: scf.yield %[[B]]
// CHECK: scf.if %[[C]]
// CHECK: func.call @[[THEN:.*]](%{{.*}})
// CHECK: scf.yield
// CHECK: else
// CHECK: scf.yield
// CHECK-NOT: mirage_kernel
// CHECK: return
// CHECK-DAG: func.func private @[[OUTER]](
// CHECK-DAG: func.func private @[[LOOP]](
// CHECK-DAG: func.func private @[[THEN]](
func.func @regions(%x: tensor<16xf32>, %c: i1, %l: index, %u: index, %d: index) -> tensor<4x4xf32> {
  %r = mirage_kernel.reshape %x : tensor<16xf32> to tensor<4x4xf32>
  %0 = mirage_kernel.exp %r : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.for %k = %l to %u step %d iter_args(%s = %0) -> tensor<4x4xf32> {
    %2 = mirage_kernel.add %s, %r : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  %3 = scf.if %c -> tensor<4x4xf32> {
    %4 = mirage_kernel.transpose %1 [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %4 : tensor<4x4xf32>
  } else {
    scf.yield %1 : tensor<4x4xf32>
  }
  return %3 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @blocks(
// CHECK: %[[A:.*]] = call @blocks_part{{.*}}(%{{.*}})
// CHECK: cf.cond_br
// CHECK: %[[B:.*]] = call @blocks_part{{.*}}(%[[A]])
// CHECK: return %[[B]]
// CHECK: return %[[A]]
func.func @blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  %1 = mirage_kernel.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
^b:
  return %0 : tensor<4xf32>
}

// -----

// Nothing is known of other types, so operations on them stay. What nobody reads has no kernel.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<?x4xf32>, %[[U:.*]]: tensor<*xf32>, %[[N:.*]]: i32)
// CHECK-NEXT: %[[A:.*]] = math.exp %[[D]] : tensor<?x4xf32>
// CHECK-NEXT: %[[B:.*]] = "framework.rank"(%[[U]], %[[N]]) : (tensor<*xf32>, i32) -> tensor<*xf32>
// CHECK-NEXT: %[[C:.*]] = call @types_part(%[[X]])
// CHECK-NEXT: return %[[C]], %[[A]], %[[B]]
// CHECK-LABEL: func.func private @types_part(
// CHECK-NEXT: exp
// CHECK-NEXT: return
func.func @types(%x: tensor<4xf32>, %d: tensor<?x4xf32>, %u: tensor<*xf32>, %n: i32) -> (tensor<4xf32>, tensor<?x4xf32>, tensor<*xf32>) {
  %0 = math.exp %d : tensor<?x4xf32>
  %1 = "framework.rank"(%u, %n) : (tensor<*xf32>, i32) -> tensor<*xf32>
  %2 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = mirage_kernel.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %0, %1 : tensor<4xf32>, tensor<?x4xf32>, tensor<*xf32>
}

// -----

// A function of kernel operations alone stays as it is, unless it has other arguments.
// CHECK-LABEL: func.func @graph(
// CHECK-NEXT: mirage_kernel.constant
// CHECK-NEXT: mirage_kernel.reshape
// CHECK-NEXT: mirage_kernel.add
// CHECK-NEXT: return
func.func @graph(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %c = mirage_kernel.constant dense<2.0> : tensor<4xf32>
  %0 = mirage_kernel.reshape %x : tensor<2x2xf32> to tensor<4xf32>
  %1 = mirage_kernel.add %0, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT: call @scalar_part
// CHECK-NEXT: return
func.func @scalar(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
