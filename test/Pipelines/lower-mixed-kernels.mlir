// What mirage-partition makes no part of, since it only moves elements, is lowered among operations that stay, with its optimizer and without it.

// RUN: mirage-opt %s --mirage-optimize=search=false 2> /dev/null | mirage-opt --mirage-lower-to-nvvm -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-translate --mirage-to-ptx %t.mlir -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: mirage-translate --mirage-to-ptx --entry=cast_part %t.mlir -o %t
// RUN: not mirage-translate --mirage-to-ptx --entry=cast %t.mlir -o %t 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not mirage-translate --mirage-to-ptx --entry=none %t.mlir -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-nvvm 2> /dev/null | FileCheck %s
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread 2> /dev/null | FileCheck %s
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-launches 2> /dev/null | FileCheck %s --check-prefix=LAUNCHES

// From here on it is a program of upstream's dialects, for upstream's passes.
// RUN: mirage-opt %t.mlir --one-shot-bufferize="allow-return-allocs-from-loops bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFERS

// The manifest has the functions of kernels and no others.
// MANIFEST-COUNT-7: "buffers": [
// MANIFEST-NOT: "buffers": [
// MANIFEST-NOT: "name": "{{(rows|transposed|constant|cast|concat)}}"

// Who needs kernels alone is told what is none.
// ENTRY: error: 'func.call' op stays in @cast, which can be lowered and not run: kernels alone can be
// ENTRY-NEXT: call @logits(
// NONE: error: has no function @none

// PTX-DAG: .entry transposed_part_0_transpose
// PTX-DAG: .entry transposed_part_{{[0-9]+}}_0_transpose
// PTX-DAG: .entry constant_part_0_launch
// PTX-DAG: .entry cast_part_0_launch
// PTX-DAG: .entry concat_part_{{[0-9]+}}_0_concat

// Another shape of what an operation makes that stays is a view of it.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: %[[V:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [4, 16, 32]
// CHECK: return %[[V]]
// BUFFERS-LABEL: func.func @rows(
// BUFFERS: linalg.generic
// BUFFERS: %[[V:.*]] = memref.expand_shape
// BUFFERS: return %[[V]]
func.func @rows(%i: tensor<64xi64>, %t: tensor<100x32xf16>) -> tensor<4x16x32xf16> {
  %empty = tensor.empty() : tensor<64x32xf16>
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<64x32xf16>) {
  ^bb0(%o: f16):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %n = tensor.extract %i[%r] : tensor<64xi64>
    %row = arith.index_cast %n : i64 to index
    %v = tensor.extract %t[%row, %c] : tensor<100x32xf16>
    linalg.yield %v : f16
  } -> tensor<64x32xf16>
  %x = tensor.expand_shape %rows [[0, 1], [2]] output_shape [4, 16, 32] : tensor<64x32xf16> into tensor<4x16x32xf16>
  return %x : tensor<4x16x32xf16>
}

// CHECK-LABEL: func.func @transposed(
// CHECK: %[[A:.*]] = memref.alloc() : memref<16x64xf16>
// CHECK: call @transposed_part(%{{.*}}, %[[A]])
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[A]]
// CHECK: %[[K:.*]] = call @topk(%[[B]])
// CHECK: %[[D:.*]] = bufferization.to_buffer %[[K]] read_only
// CHECK: %[[E:.*]] = memref.alloc() : memref<8x16xf16>
// CHECK: call @[[BACK:transposed_part_[0-9]+]](%[[D]], %[[E]])
// CHECK: %[[F:.*]] = bufferization.to_tensor %[[E]]
// CHECK: return %[[F]]
// CHECK: func.func @transposed_part(%{{.*}}: memref<64x16xf16>, %{{.*}}: memref<16x64xf16>) attributes {mirage.num_inputs = 1 : i64}
// CHECK: gpu.launch_func @mirage_kernels::@transposed_part_0_transpose
// CHECK: func.func @[[BACK]](
// CHECK: gpu.launch_func @mirage_kernels::@[[BACK]]_0_transpose
// BUFFERS-LABEL: func.func @transposed(
// BUFFERS-SAME: memref<64x16xf16>) -> memref<8x16xf16>
// BUFFERS-NOT: tensor<
// BUFFERS: call @topk(
func.func @transposed(%x: tensor<64x16xf16>) -> tensor<8x16xf16> {
  %t = mirage_kernel.transpose %x [1, 0] : (tensor<64x16xf16>) -> tensor<16x64xf16>
  %k = func.call @topk(%t) : (tensor<16x64xf16>) -> tensor<16x8xf16>
  %r = mirage_kernel.transpose %k [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
  return %r : tensor<8x16xf16>
}

// What a call reads beside the part's result is a constant of the host.
// CHECK-LABEL: func.func @constant(
// CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<16x8xf16>
// CHECK: call @constant_part(
// CHECK: %[[K:.*]] = call @topk(
// CHECK: call @penalty(%[[K]], %[[C]])
// CHECK: func.func @constant_part(
// CHECK: gpu.launch_func @mirage_kernels::@constant_part_0_launch
func.func @constant(%x: tensor<64x16xf16>, %y: tensor<64x16xf16>) -> tensor<16x8xf16> {
  %s = mirage_kernel.add %x, %y : (tensor<64x16xf16>, tensor<64x16xf16>) -> tensor<64x16xf16>
  %c = mirage_kernel.constant dense<0.5> : tensor<16x8xf16>
  %t = mirage_kernel.transpose %s [1, 0] : (tensor<64x16xf16>) -> tensor<16x64xf16>
  %k = func.call @topk(%t) : (tensor<16x64xf16>) -> tensor<16x8xf16>
  %u = func.call @penalty(%k, %c) : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x8xf16>
  return %u : tensor<16x8xf16>
}

// CHECK-LABEL: func.func @cast(
// CHECK: call @logits(
// CHECK: call @cast_part(
// CHECK: call @sample(
// CHECK: func.func @cast_part(%{{.*}}: memref<16x64xf16>, %{{.*}}: memref<16x64xf32>)
// CHECK: gpu.launch_func @mirage_kernels::@cast_part_0_launch
func.func @cast(%x: tensor<1xi64>) -> (tensor<16xi64>) {
  %h = func.call @logits(%x) : (tensor<1xi64>) -> tensor<16x64xf16>
  %f = mirage_kernel.cast %h : tensor<16x64xf16> to tensor<16x64xf32>
  %s = func.call @sample(%f) : (tensor<16x64xf32>) -> tensor<16xi64>
  return %s : tensor<16xi64>
}

// CHECK-LABEL: func.func @concat(
// CHECK: call @concat_part(%{{.*}}, %{{.*}}, %[[A:.*]]) :
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[A]]
// CHECK: %[[N:.*]] = call @norm(%[[B]])
// CHECK-DAG: %[[D:.*]] = bufferization.to_buffer %[[N]] read_only
// CHECK-DAG: %[[E:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK: call @[[LATE:concat_part_[0-9]+]](%[[D]], %[[E]], %{{.*}})
// CHECK-DAG: gpu.launch_func @mirage_kernels::@concat_part_0_launch
// CHECK-DAG: gpu.launch_func @mirage_kernels::@[[LATE]]_0_concat
// LAUNCHES-LABEL: func.func @concat(
// LAUNCHES: call @concat_part(%{{.*}}) {no_inline}
// LAUNCHES: call @norm(
// LAUNCHES: call @concat_part_{{[0-9]+}}(%{{.*}}) {no_inline}
func.func @concat(%x: tensor<64x32xf16>, %y: tensor<64x32xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.add %x, %y : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %n = func.call @norm(%a) : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %c = mirage_kernel.concat dim(1) %n, %a : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// What stays in a branch and a loop has kernels of its own.
// CHECK-LABEL: func.func @branch(
// CHECK: cf.cond_br
// CHECK: scf.for
// CHECK: func.call @branch_part(
// CHECK: call @topk(
// CHECK: gpu.launch_func @mirage_kernels::@branch_part_0_launch
func.func @branch(%x: tensor<16x64xf16>, %c: i1, %l: index, %u: index, %d: index) -> tensor<16x8xf16> {
  %z = arith.constant dense<0.0> : tensor<16x8xf16>
  cf.cond_br %c, ^a, ^b
^a:
  %r = scf.for %k = %l to %u step %d iter_args(%s = %x) -> tensor<16x64xf16> {
    %0 = mirage_kernel.exp %s : (tensor<16x64xf16>) -> tensor<16x64xf16>
    scf.yield %0 : tensor<16x64xf16>
  }
  %k = func.call @topk(%r) : (tensor<16x64xf16>) -> tensor<16x8xf16>
  return %k : tensor<16x8xf16>
^b:
  return %z : tensor<16x8xf16>
}

func.func private @topk(tensor<16x64xf16>) -> tensor<16x8xf16>
func.func private @penalty(tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x8xf16>
func.func private @logits(tensor<1xi64>) -> tensor<16x64xf16>
func.func private @sample(tensor<16x64xf32>) -> tensor<16xi64>
func.func private @norm(tensor<64x32xf16>) -> tensor<64x32xf16>
