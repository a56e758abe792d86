// A function with other operations calls on buffers what mirage-lower-to-nvvm has made of its
// kernels. Both are on tensors again for IREE.

// RUN: mirage-opt %s --allow-unregistered-dialect --mirage-lower-to-nvvm='cluster-blocks=1 bulk-copies=false select-buffers=false' -o %t.mlir
// RUN: FileCheck %s --check-prefix=LOWERED < %t.mlir
// RUN: mirage-translate --mirage-to-iree --allow-unregistered-dialect %t.mlir | FileCheck %s
// A result that goes to the next kernels is one buffer after folding.
// RUN: mirage-opt %t.mlir --allow-unregistered-dialect --canonicalize | mirage-translate --mirage-to-iree --allow-unregistered-dialect | FileCheck %s

// LOWERED: call @mixed_part(%{{.*}}) : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf16>) -> ()

// CHECK: "func.func"() <{{.*}}sym_name = "mixed"
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<64x64xf16>, %[[W:.*]]: tensor<64x64xf16>, %[[N:.*]]: index):
// CHECK-NEXT: %[[M:.*]] = "func.call"(%[[X]], %[[W]]) <{callee = @mixed_part}> : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
// CHECK-NEXT: %[[O:.*]] = "other.op"(%[[M]])
// CHECK-NEXT: %[[S:.*]] = "func.call"(%[[O]], %[[M]]) <{callee = @mixed_part_0}>
// CHECK-NEXT: "func.return"(%[[S]], %[[N]])
// CHECK: "func.func"() <{{.*}}sym_name = "mixed_part"
// CHECK: "flow.dispatch"
// CHECK-NOT: memref

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @mixed(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %n: index) -> (tensor<64x64xf16>, index) {
  %m = mirage_kernel.matmul %x, %w : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %o = "other.op"(%m) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %e = mirage_kernel.exp %o : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %s = mirage_kernel.add %e, %m : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %s, %n : tensor<64x64xf16>, index
}
}
