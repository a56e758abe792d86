// Upstream's tiling takes Mirage's operators as what they are in linalg: a schedule of
// another compiler tiles the last one and fuses the product and the sum into its loops.
//
// RUN: mirage-opt %s --convert-mirage-to-linalg --transform-interpreter | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c64{{.*}} step %c32
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c256{{.*}} step %c64
// CHECK: linalg.matmul ins({{.*}} : tensor<32x128xf16>, tensor<128x64xf16>) outs({{.*}} : tensor<32x64xf32>)
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: tensor.insert_slice
// CHECK: scf.yield
func.func @linear(%x: tensor<64x128xf16>, %w: tensor<128x256xf16>, %b: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<64x128xf16>, tensor<128x256xf16>) -> tensor<64x256xf16>
  %s = mirage_kernel.add %p, %b : (tensor<64x256xf16>, tensor<64x256xf16>) -> tensor<64x256xf16>
  %r = mirage_kernel.relu %s : (tensor<64x256xf16>) -> tensor<64x256xf16>
  return %r : tensor<64x256xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["linalg.generic"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %ops:3 = transform.split_handle %all
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tiled, %loops:2 = transform.structured.fuse %ops#2 tile_sizes [32, 64]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
