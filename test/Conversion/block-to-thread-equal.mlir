// Operations that are equal but for their operands have one kernel, as the layers of a
// model have. What a kernel does not take as a buffer tells kernels apart: attributes,
// shapes, bodies, and where tensors begin in their buffers.
//
// RUN: mirage-opt %s --mirage-lower-to-thread=schedule=false | FileCheck %s
// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm=fuse=false | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: mirage-run %s --entry=operators --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=launches --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=places --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=joined --device=threads | FileCheck %s --check-prefix=RIGHT

module attributes {mirage.target = #mirage.target<sm_90a>} {

// RIGHT-NOT: over_bound={{[1-9]}}
// RIGHT: over_bound=0

// CHECK-LABEL: func.func @operators(
// CHECK-SAME: [[X:%.*]]: memref<4x8xf16>, [[Y:%.*]]: memref<4x8xf16>, [[R:%.*]]: memref<4x8xf16>, [[S:%.*]]: memref<8xf16>)
// CHECK: gpu.launch_func {{.*}}@operators_0_add {{.*}}args([[X]] : memref<4x8xf16>, [[Y]] : memref<4x8xf16>, [[A:%.*]] : memref<4x8xf16>)
// CHECK: gpu.launch_func {{.*}}@operators_0_add {{.*}}args([[A]] : memref<4x8xf16>, [[A]] : memref<4x8xf16>, [[B:%.*]] : memref<4x8xf16>)
// CHECK: gpu.launch_func {{.*}}@operators_1_scale
// CHECK: gpu.launch_func {{.*}}@operators_2_relu
// CHECK: gpu.launch_func {{.*}}@operators_3_scale
// CHECK: gpu.launch_func {{.*}}@operators_4_add
// CHECK-NOT: gpu.launch_func
// CHECK: return
// MANIFEST: "name": "operators_0_add"
// MANIFEST: "name": "operators_0_add"
// MANIFEST: "name": "operators_1_scale"
func.func @operators(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<8xf16>) {
  %a = mirage_kernel.add %x, %y : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %b = mirage_kernel.add %a, %a : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %c = mirage_kernel.scale %b by 0.5 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %h = mirage_kernel.relu %c : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %d = mirage_kernel.scale %h by 0.25 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %e = mirage_kernel.slice %d[1, 0] [1, 8] [1, 1] : (tensor<4x8xf16>) -> tensor<1x8xf16>
  %f = mirage_kernel.reshape %e : tensor<1x8xf16> to tensor<8xf16>
  %g = mirage_kernel.add %f, %f : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  return %d, %g : tensor<4x8xf16>, tensor<8xf16>
}

// The third launch has other tiles, and the fourth one another body.
// CHECK-LABEL: func.func @launches(
// CHECK: gpu.launch_func {{.*}}@launches_0_launch
// CHECK: gpu.launch_func {{.*}}@launches_0_launch
// CHECK: gpu.launch_func {{.*}}@launches_1_launch
// CHECK: gpu.launch_func {{.*}}@launches_2_launch
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @launches(%x: tensor<8x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %a = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>, %q = %y : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %b = mirage_kernel.launch grid(x = 4) (%p = %y : tensor<8x32xf32>, %q = %a : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %c = mirage_kernel.launch grid(x = 2) (%p = %b : tensor<8x32xf32>, %q = %a : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x16xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x16xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x16xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %d = mirage_kernel.launch grid(x = 4) (%p = %c : tensor<8x32xf32>, %q = %a : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %1, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  return %d : tensor<8x32xf32>
}

// The operands begin at other places of one buffer.
// CHECK-LABEL: func.func @places(
// CHECK: gpu.launch_func {{.*}}@places_0_launch
// CHECK: gpu.launch_func {{.*}}@places_1_launch
// CHECK: gpu.launch_func {{.*}}@places_1_launch
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @places(%x: tensor<8x128xf32>, %y: tensor<8x128xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>) {
  %p0 = mirage_kernel.slice %x[0, 0] [8, 32] [1, 1] : (tensor<8x128xf32>) -> tensor<8x32xf32>
  %q0 = mirage_kernel.slice %x[0, 32] [8, 32] [1, 1] : (tensor<8x128xf32>) -> tensor<8x32xf32>
  %q1 = mirage_kernel.slice %x[0, 64] [8, 32] [1, 1] : (tensor<8x128xf32>) -> tensor<8x32xf32>
  %p2 = mirage_kernel.slice %y[0, 0] [8, 32] [1, 1] : (tensor<8x128xf32>) -> tensor<8x32xf32>
  %q2 = mirage_kernel.slice %y[0, 64] [8, 32] [1, 1] : (tensor<8x128xf32>) -> tensor<8x32xf32>
  %a = mirage_kernel.launch grid(x = 4) (%p = %p0 : tensor<8x32xf32>, %q = %q0 : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %b = mirage_kernel.launch grid(x = 4) (%p = %p0 : tensor<8x32xf32>, %q = %q1 : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  %c = mirage_kernel.launch grid(x = 4) (%p = %p2 : tensor<8x32xf32>, %q = %q2 : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.load %q imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %2 = mirage_block.sub %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = mirage_block.store %2 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %3 : tensor<8x32xf32>
  }
  return %a, %b, %c : tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>
}

// Results of one launch that share a buffer are one parameter, those of the other two.
// CHECK-LABEL: func.func @joined(
// CHECK: gpu.launch_func {{.*}}@joined_0_launch {{.*}}args({{%[a-z0-9]+}} : memref<8x32xf32>, {{%[a-z0-9]+}} : memref<8x64xf32>)
// CHECK: gpu.launch_func {{.*}}@joined_1_launch {{.*}}args({{%[a-z0-9]+}} : memref<8x32xf32>, {{%[a-z0-9]+}} : memref<8x32xf32>, {{%[a-z0-9]+}} : memref<8x32xf32>)
// CHECK: return
func.func @joined(%x: tensor<8x32xf32>) -> (tensor<8x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) {
  %a:2 = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.relu %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = mirage_block.store %0 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    %3 = mirage_block.store %1 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %2, %3 : tensor<8x32xf32>, tensor<8x32xf32>
  }
  %j = mirage_kernel.concat dim(1) %a#0, %a#1 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  %b:2 = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.relu %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = mirage_block.store %0 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    %3 = mirage_block.store %1 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %2, %3 : tensor<8x32xf32>, tensor<8x32xf32>
  }
  return %j, %b#0, %b#1 : tensor<8x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>
}
}
