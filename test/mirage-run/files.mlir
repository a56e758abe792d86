// Results are written as .npy files, which are inputs of other runs.

// RUN: mirage-run %s --entry=double --distribution=constant --output=%t.dir
// RUN: mirage-run %s --entry=double --input=%t.dir/result0.npy \
// RUN:   | FileCheck %s
// RUN: mirage-run %s --entry=narrow --input=%t.dir/result0.npy \
// RUN:   --output=%t.dir/nested/folder
// RUN: mirage-run %s --entry=third --input=%t.dir/nested/folder/result0.npy \
// RUN:   | FileCheck %s --check-prefix=NARROW

// CHECK: input 0: tensor<3x5xf32> sum=15 {{.*}} min=1 max=1
// CHECK: result 0: tensor<3x5xf32> sum=30 {{.*}} min=2 max=2

// bf16 is written as f32 and rounded when it is read.
// NARROW: input 0: tensor<3x5xbf16> sum=15
// NARROW: result 0: {{.*}} min=0.333984375 max=0.333984375

// A file's shape must be the argument's, and a file must be there.
// RUN: not mirage-run %s --entry=other --input=%t.dir/result0.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// RUN: not mirage-run %s --entry=other --input=%t.dir/none.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// RUN: not mirage-run %s --entry=other --input=%s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MALFORMED
// RUN: not mirage-run %s --entry=other --input=a --input=b 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MANY

// SHAPE: mirage-run: error: {{.*}}result0.npy has shape 3x5, but argument 0 is tensor<5x3xf32>
// MISSING: mirage-run: error: {{.*}}none.npy
// MALFORMED: mirage-run: error: {{.*}}files.mlir
// MANY: mirage-run: error: 2 inputs for @other, which takes 1

func.func @double(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %y = mirage_kernel.scale %x by 2.0 : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
func.func @narrow(%x: tensor<3x5xf32>) -> tensor<3x5xbf16> {
  %y = mirage_kernel.cast %x : tensor<3x5xf32> to tensor<3x5xbf16>
  return %y : tensor<3x5xbf16>
}
func.func @third(%x: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
  %y = mirage_kernel.scale %x by 0.3333333333 : (tensor<3x5xbf16>) -> tensor<3x5xbf16>
  return %y : tensor<3x5xbf16>
}
func.func @other(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  return %x : tensor<5x3xf32>
}
