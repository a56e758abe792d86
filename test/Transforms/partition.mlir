// RUN: mirage-opt %s --split-input-file --mirage-partition | FileCheck %s
// RUN: mirage-opt %s --split-input-file --mirage-partition=strict | FileCheck %s --check-prefix=STRICT
// RUN: mirage-opt %s --split-input-file --mirage-partition --remarks-filter='mirage-partition.*' --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A norm and a product form one subprogram; with `strict` the norm, which has a
// square root, stays.
// CHECK-LABEL: func.func @norm_linear(
// CHECK-SAME: %[[X:.*]]: tensor<8x64xf16>, %[[W:.*]]: tensor<64x32xf16>)
// CHECK-NEXT: %[[R:.*]] = call @norm_linear_part(%[[X]], %[[W]])
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @norm_linear_part(
// CHECK-SAME: attributes {mirage.superoptimize}
// CHECK-NEXT: rms_norm
// CHECK-NEXT: matmul
// CHECK-NEXT: return
// STRICT-LABEL: func.func @norm_linear(
// STRICT-NEXT: rms_norm
// STRICT-NEXT: call @norm_linear_part
// REMARK: [Passed] subprogram {{.*}}Remark="these operators are @norm_linear_part", bytesIn=5120, bytesOut=512, operators=2
// REMARK: [Passed] partitioned {{.*}}Remark="Of 2 operations of @norm_linear, 2 are in 1 subprogram."
func.func @norm_linear(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>) -> tensor<8x32xf16> {
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5) : (tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf16>
  return %1 : tensor<8x32xf16>
}

// -----

// Two softmaxes in a row: cut between them, at the smallest value. The constant
// is repeated in both.
// CHECK-LABEL: func.func @two_softmaxes(
// CHECK-NEXT: %[[A:.*]] = call @two_softmaxes_part(%{{.*}}) : (tensor<8x64xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[B:.*]] = call @two_softmaxes_part_0(%{{.*}}, %[[A]])
// CHECK-NEXT: return %[[B]]
// CHECK: func.func private @two_softmaxes_part
// CHECK: func.func private @two_softmaxes_part
func.func @two_softmaxes(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>, %v: tensor<4x64xf32>) -> tensor<8x64xf32> {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf32>
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.add %0, %c : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.matmul %1, %w : (tensor<8x64xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %3 = mirage_kernel.matmul %2, %v : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.add %3, %c : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.softmax %4 dim(1) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}

// -----

// Softmax of simple operators, normalized after the product with the values,
// stays whole whatever the limit, and so does what lies between.
// CHECK-LABEL: func.func @late_softmax(
// CHECK-NEXT: call @late_softmax_part
// CHECK-NEXT: return
// CHECK: func.func private @late_softmax_part
// CHECK-NEXT: matmul
// CHECK-NEXT: reduce max
// CHECK-NEXT: sub
// CHECK-NEXT: exp
// CHECK-NEXT: reduce sum
// CHECK-NEXT: matmul
// CHECK-NEXT: div
// CHECK-NEXT: return
func.func @late_softmax(%q: tensor<8x4xf32>, %k: tensor<4x64xf32>, %v: tensor<64x4xf32>) -> tensor<8x4xf32> {
  %s = mirage_kernel.matmul %q, %k : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  %m = mirage_kernel.reduce max %s dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %e = mirage_kernel.exp %d : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %n = mirage_kernel.reduce sum %e dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %p = mirage_kernel.matmul %e, %v : (tensor<8x64xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %o = mirage_kernel.div %p, %n : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// What has side effects or is unknown stays, in its order, and no subprogram
// goes around it: %0 and %2 could not run as one, since @f comes between.
// CHECK-LABEL: func.func @others(
// CHECK: %[[A:.*]] = call @others_part(
// CHECK-NEXT: %[[B:.*]] = call @f(%[[A]])
// CHECK-NEXT: call @g()
// CHECK-NEXT: %[[C:.*]] = call @others_part_0(
// CHECK-NEXT: %[[D:.*]] = math.absf %[[C]]
// CHECK-NEXT: return %[[D]]
// REMARK: Remark="Of 6 operations of @two_softmaxes, 6 are in 2 subprograms. What crosses the cuts between them is 256 bytes written and read, 0.00 us."
// What the call reads, too, is written without the cut.
// REMARK: Remark="func.call may have side effects"
// REMARK: Remark="math.absf is no operator of mirage_kernel, nor does it say
// REMARK: :[[@LINE+5]]:{{.*}}[Passed] partitioned | Category:mirage-partition | Function=others | Remark="Of 4 operations of @others, 2 are in 2 subprograms. What crosses the cuts between them is 32 bytes written and read, 0.00 us. The largest of those outside is func.call, which reads and writes 64 bytes: it may have side effects."
func.func private @f(tensor<8xf32>) -> tensor<8xf32>
func.func private @g()
func.func @others(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.square %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  call @g() : () -> ()
  %2 = mirage_kernel.add %0, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = math.absf %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Subprograms in regions; a reshape alone is none; a second run changes nothing.
// CHECK-LABEL: func.func @regions(
// CHECK: scf.if
// CHECK-NEXT: call @regions_part(
// CHECK: else
// CHECK-NEXT: reshape
func.func @regions(%c: i1, %x: tensor<8xf32>) -> tensor<2x4xf32> {
  %r = scf.if %c -> tensor<2x4xf32> {
    %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
    %1 = mirage_kernel.reshape %0 : tensor<8xf32> to tensor<2x4xf32>
    scf.yield %1 : tensor<2x4xf32>
  } else {
    %1 = mirage_kernel.reshape %x : tensor<8xf32> to tensor<2x4xf32>
    scf.yield %1 : tensor<2x4xf32>
  }
  return %r : tensor<2x4xf32>
}

// -----

// Bodies of linalg's operations compute with scalars, which get no remarks.
// Neither do scalars elsewhere.
// CHECK-LABEL: func.func @scalars(
// CHECK: linalg.generic
// REMARK-NOT: arith.mulf
// REMARK-NOT: arith.addi
// REMARK: Remark="linalg.generic is no operator of mirage_kernel
// REMARK-NOT: arith.mulf
// REMARK: :[[@LINE+4]]:{{.*}}[Missed] partitioned {{.*}}Remark="No operation of @scalars is in a subprogram. The one outside is linalg.generic, which reads and writes 96 bytes: it is no operator of mirage_kernel
#map = affine_map<(d0) -> (d0)>
func.func @scalars(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, index) {
  %m = arith.addi %n, %n : index
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %0, %m : tensor<8xf32>, index
}
