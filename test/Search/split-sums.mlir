// Rows of a vocabulary lie in columns: blocks have many tokens then, and are few. So two launches follow the program, of which the first
// one divides the vocabulary among its blocks, too, and the second one merges what they leave.

// RUN: mirage-opt %s --mirage-optimize=deadline=0 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-run %t.mlir --entry=probabilities --device=threads

// Each block leaves its maximum, the sum of exponentials relative to it, the sum of its targets and that of the weighted logits.
// CHECK-LABEL: func.func private @cross_entropy_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = [[BLOCKS:[1-9][0-9]+]]
// CHECK-SAME: -> (tensor<[[BLOCKS]]x32xf32>, tensor<[[BLOCKS]]x32xf32>, tensor<[[BLOCKS]]x32xf32>, tensor<[[BLOCKS]]x32xf32>)
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.load {{.*}} : tensor<[[BLOCKS]]x32xf32>
// CHECK: [[MAX:%.*]] = mirage_block.reduce max
// CHECK: [[SHIFT:%.*]] = mirage_block.sub {{%.*}}, [[MAX]]
// CHECK: [[FACTOR:%.*]] = mirage_block.exp [[SHIFT]]
// CHECK: mirage_block.mul {{.*}}[[FACTOR]]
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @cross_entropy(%x: tensor<16384x32xf16>, %t: tensor<16384x32xf16>) -> tensor<1x32xf32> {
  %f = mirage_kernel.cast %x : tensor<16384x32xf16> to tensor<16384x32xf32>
  %l = mirage_kernel.log_softmax %f dim(0) : (tensor<16384x32xf32>) -> tensor<16384x32xf32>
  %tf = mirage_kernel.cast %t : tensor<16384x32xf16> to tensor<16384x32xf32>
  %m = mirage_kernel.mul %l, %tf : (tensor<16384x32xf32>, tensor<16384x32xf32>) -> tensor<16384x32xf32>
  %s = mirage_kernel.reduce sum %m dim(0) keep : (tensor<16384x32xf32>) -> tensor<1x32xf32>
  return %s : tensor<1x32xf32>
}

// The second launch divides the vocabulary, too, and computes exponentials relative to the largest of the maxima.
// CHECK-LABEL: func.func private @probabilities_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.launch grid(x = {{[1-9][0-9]+}}
// CHECK: [[MAX:%.*]] = mirage_block.reduce max
// CHECK: mirage_block.sub {{%.*}}, [[MAX]]
// CHECK: mirage_block.sub {{%.*}}, [[MAX]]
// CHECK: mirage_block.div
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @probabilities(%x: tensor<16384x32xf16>) -> tensor<16384x32xf16> {
  %f = mirage_kernel.cast %x : tensor<16384x32xf16> to tensor<16384x32xf32>
  %p = mirage_kernel.softmax %f dim(0) : (tensor<16384x32xf32>) -> tensor<16384x32xf32>
  %r = mirage_kernel.cast %p : tensor<16384x32xf32> to tensor<16384x32xf16>
  return %r : tensor<16384x32xf16>
}

// A block of the second launch merges parts once for several tiles of many rows.
// CHECK-LABEL: func.func private @long_probabilities_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.launch
// CHECK: [[MAX:%.*]] = mirage_block.reduce max
// CHECK: mirage_block.sub {{%.*}}, [[MAX]]
// CHECK: mirage_block.for
// CHECK: mirage_block.sub {{%.*}}, [[MAX]]
// CHECK: mirage_block.accumulate concat
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @long_probabilities(%x: tensor<128256x256xf16>) -> tensor<128256x256xf16> {
  %f = mirage_kernel.cast %x : tensor<128256x256xf16> to tensor<128256x256xf32>
  %p = mirage_kernel.softmax %f dim(0) : (tensor<128256x256xf32>) -> tensor<128256x256xf32>
  %h = mirage_kernel.cast %p : tensor<128256x256xf32> to tensor<128256x256xf16>
  return %h : tensor<128256x256xf16>
}
