// Functions that mix kernel operations with others: the parts that were outlined are lowered, and what is around them stays.

// RUN: mirage-opt %s --mirage-lower-to-nvvm -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-translate --mirage-to-ptx %t.mlir -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json

// From here on it is a program of upstream's dialects, for upstream's passes.
// RUN: mirage-opt %t.mlir --one-shot-bufferize="allow-return-allocs-from-loops bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFERS

// MANIFEST-NOT: "name": "embed"
// MANIFEST: "name": "part"

// What is a kernel graph throughout is one function, whatever it calls.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME: mirage.num_inputs = 1
// CHECK-NOT: call
// CHECK: gpu.launch_func
// CHECK: return
func.func @whole(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.exp %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %1 = call @part(%0, %x) : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}

// Rows of a table, which no kernel operation takes; the part runs in a loop as well.
// CHECK-LABEL: func.func @embed(
// CHECK-SAME: %[[I:.*]]: tensor<64xi64>, %[[T:.*]]: tensor<100x32xf16>, %[[W:.*]]: tensor<64x32xf16>) -> tensor<64x32xf16>
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %[[G]])
// CHECK: %[[SB:.*]] = bufferization.to_buffer %[[S]] read_only : tensor<64x32xf16> to memref<64x32xf16>
// CHECK: %[[WB:.*]] = bufferization.to_buffer %[[W]] read_only
// CHECK: %[[R:.*]] = memref.alloc() : memref<64x32xf16>
// CHECK: call @part(%[[SB]], %[[WB]], %[[R]])
// CHECK: %[[N:.*]] = bufferization.to_tensor %[[R]] restrict writable
// CHECK: scf.yield %[[N]]
// BUFFERS-LABEL: func.func @embed(
// BUFFERS-SAME: memref<64xi64>{{.*}} -> memref<64x32xf16>
// BUFFERS-NOT: tensor<
// BUFFERS: call @part(
func.func @embed(%i: tensor<64xi64>, %t: tensor<100x32xf16>, %w: tensor<64x32xf16>) -> tensor<64x32xf16> {
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
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %rows) -> tensor<64x32xf16> {
    %1 = func.call @part(%s, %w) : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
    scf.yield %1 : tensor<64x32xf16>
  }
  return %0 : tensor<64x32xf16>
}

// CHECK-LABEL: func.func @part(
// CHECK-SAME: memref<64x32xf16>, %{{.*}}: memref<64x32xf16>, %{{.*}}: memref<64x32xf16>)
// CHECK: gpu.launch_func
func.func private @part(%x: tensor<64x32xf16>, %y: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = mirage_kernel.mul %x, %y : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %1 = mirage_kernel.add %0, %y : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}
