// Rows that are longer than a block has registers for are reduced by a loop over their parts. With a GPU, scripts/test-device.sh
// runs each function.

// RUN: mirage-opt %s --mirage-lower-to-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-thread --remark-policy=all --remarks-filter=mirage-schedule 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=general-lowering
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=mean | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=around | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=softmax | FileCheck %s --check-prefix=RIGHT

// REMARK: gpu.module
// RIGHT: over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {
// Sums are of f32.
// CHECK-LABEL: func.func @mean
// CHECK: mirage_kernel.launch grid(x = 4)
// CHECK-NEXT: mirage_block.for %i = 0 to 14 -> tensor<1x1xf32>
// CHECK: mirage_block.load %{{.*}} imap(x -> 0) fmap(%i -> 1) : tensor<4x50176xf16> to tensor<1x3584xf16>
// CHECK: mirage_block.reduce sum
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.scale
func.func @mean(%x: tensor<4x50176xf16>) -> tensor<4x1xf16> {
  %r = mirage_kernel.reduce mean %x dim(1) keep : (tensor<4x50176xf16>) -> tensor<4x1xf16>
  return %r : tensor<4x1xf16>
}

// A block has 16 columns, 32 bytes of each row.
// CHECK-LABEL: func.func @columns
// CHECK: mirage_kernel.launch grid(x = 4)
// CHECK: mirage_block.load %{{.*}} imap(x -> 1) fmap(%i -> 0) : tensor<8192x64xf16> to tensor<{{[0-9]+}}x16xf16>
// CHECK: mirage_block.accumulate max
func.func @columns(%x: tensor<8192x64xf16>) -> tensor<1x64xf32> {
  %c = mirage_kernel.cast %x : tensor<8192x64xf16> to tensor<8192x64xf32>
  %r = mirage_kernel.reduce max %c dim(0) keep : (tensor<8192x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// What all parts take is loaded before the loop; two reductions have one loop; what is computed of them stands behind it.
// CHECK-LABEL: func.func @around
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.load %{{.*}} : tensor<4x1xf32> to tensor<1x1xf32>
// CHECK: mirage_block.for %i = 0 to {{[0-9]+}} -> (tensor<1x1xf32>, tensor<1x1xf32>)
// CHECK: mirage_block.sub
// CHECK: mirage_block.yield
// CHECK: mirage_block.add
// CHECK: mirage_block.sqrt
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @around(%x: tensor<4x24576xf32>, %m: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %d = mirage_kernel.sub %x, %m : (tensor<4x24576xf32>, tensor<4x1xf32>) -> tensor<4x24576xf32>
  %q = mirage_kernel.square %d : (tensor<4x24576xf32>) -> tensor<4x24576xf32>
  %s = mirage_kernel.reduce mean %q dim(1) keep : (tensor<4x24576xf32>) -> tensor<4x1xf32>
  %a = mirage_kernel.reduce max %q dim(1) keep : (tensor<4x24576xf32>) -> tensor<4x1xf32>
  %b = mirage_kernel.add %s, %a : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = mirage_kernel.sqrt %b : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: mirage_block.accumulate max
// CHECK: mirage_block.accumulate sum
func.func @softmax(%x: tensor<2x32768xf32>) -> tensor<2x32768xf32> {
  %r = mirage_kernel.softmax %x dim(1) : (tensor<2x32768xf32>) -> tensor<2x32768xf32>
  return %r : tensor<2x32768xf32>
}
}
