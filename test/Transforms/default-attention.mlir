// Attention becomes a launch that stores no scores.

// RUN: mirage-opt %s --mirage-attach-target --mirage-default-attention | FileCheck %s
// RUN: mirage-run %s --entry=looped --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=prime --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=masked --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=masked_in_f32 --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=converted --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-opt %s --mirage-lower-to-nvvm=fuse=false | FileCheck %s --check-prefix=APART
// RUN: mirage-opt %s --mirage-lower-to-nvvm | FileCheck %s --check-prefix=TOGETHER

// RIGHT: over_bound=0 unbounded=0

// Without it, scores are stored.
// APART-LABEL: func.func @looped
// APART-COUNT-4: gpu.launch_func
// TOGETHER-LABEL: func.func @looped
// TOGETHER: gpu.launch_func
// TOGETHER-NOT: gpu.launch_func
// TOGETHER: return

// Four query heads share a head of keys, of which an iteration has 128. Their queries are rows of one matrix, of which
// a block has 64, and no tile needs padding.
// CHECK-LABEL: func.func @looped
// CHECK: mirage_kernel.reshape %arg0 : tensor<2x4x96x16xf16> to tensor<2x384x16xf16>
// CHECK-NOT: mirage_kernel.pad
// CHECK: mirage_kernel.launch grid(x = 2, y = 6)
// CHECK: mirage_block.load {{.*}} imap(x -> 0, y -> 1) : tensor<2x384x16xf16> to tensor<1x64x16xf16>
// CHECK: mirage_block.for %{{.*}} = 0 to 4
// CHECK: mirage_block.load {{.*}} imap(x -> 0, y -> phi) fmap(%{{.*}} -> 1) : tensor<2x512x16xf16> to tensor<1x128x16xf16>
// CHECK: mirage_block.concat_matmul
// CHECK: mirage_block.accumulate rescaled_sum
// CHECK: mirage_block.accumulate rescaled_sum
func.func @looped(%q: tensor<2x4x96x16xf16>, %k: tensor<2x1x512x16xf16>, %v: tensor<2x1x512x32xf16>) -> tensor<2x4x96x32xf16> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.25) : (tensor<2x4x96x16xf16>, tensor<2x1x512x16xf16>, tensor<2x1x512x32xf16>) -> tensor<2x4x96x32xf16>
  return %0 : tensor<2x4x96x32xf16>
}

// Queries get rows of zeros up to whole tiles; keys cannot be padded, and are one iteration.
// CHECK-LABEL: func.func @prime
// CHECK: mirage_kernel.pad %arg0 low [0, 0, 0] high [0, 59, 0]
// CHECK-NOT: mirage_block.for
// CHECK: mirage_kernel.slice {{.*}} [3, 197, 64]
func.func @prime(%q: tensor<3x197x64xbf16>, %k: tensor<3x197x64xbf16>, %v: tensor<3x197x64xbf16>) -> tensor<3x197x64xbf16> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.125) : (tensor<3x197x64xbf16>, tensor<3x197x64xbf16>, tensor<3x197x64xbf16>) -> tensor<3x197x64xbf16>
  return %0 : tensor<3x197x64xbf16>
}

// CHECK-LABEL: func.func @masked
// CHECK: mirage_block.load {{.*}} to tensor<1x64x80xf16>
// CHECK: mirage_block.add
func.func @masked(%q: tensor<2x128x32xf16>, %k: tensor<2x320x32xf16>, %v: tensor<2x320x32xf16>, %m: tensor<1x128x320xf16>) -> tensor<2x128x32xf16> {
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(0.125) : (tensor<2x128x32xf16>, tensor<2x320x32xf16>, tensor<2x320x32xf16>, tensor<1x128x320xf16>) -> tensor<2x128x32xf16>
  return %0 : tensor<2x128x32xf16>
}

// A mask of f32 is added as it is.
// CHECK-LABEL: func.func @masked_in_f32
// CHECK: mirage_block.load {{.*}} to tensor<1x64x128xf32>
// CHECK-NOT: mirage_block.cast {{.*}}tensor<1x64x128xf32> to
// CHECK: mirage_block.add
func.func @masked_in_f32(%q: tensor<2x64x32xf16>, %k: tensor<2x128x32xf16>, %v: tensor<2x128x32xf16>, %m: tensor<1x64x128xf32>) -> tensor<2x64x32xf16> {
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(0.125) : (tensor<2x64x32xf16>, tensor<2x128x32xf16>, tensor<2x128x32xf16>, tensor<1x64x128xf32>) -> tensor<2x64x32xf16>
  return %0 : tensor<2x64x32xf16>
}

// What was converted to f32 is multiplied as it was.
// CHECK-LABEL: func.func @converted
// CHECK-NOT: mirage_kernel.cast
// CHECK: mirage_block.load {{.*}} : tensor<2x64x32xbf16>
// CHECK: mirage_block.store {{.*}} to tensor<2x64x32xf32>
func.func @converted(%q: tensor<2x64x32xbf16>, %k: tensor<2x64x32xbf16>) -> tensor<2x64x32xf32> {
  %0 = mirage_kernel.cast %q : tensor<2x64x32xbf16> to tensor<2x64x32xf32>
  %1 = mirage_kernel.cast %k : tensor<2x64x32xbf16> to tensor<2x64x32xf32>
  %2 = mirage_kernel.attention %0, %1, %1 scale(0.125) : (tensor<2x64x32xf32>, tensor<2x64x32xf32>, tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  return %2 : tensor<2x64x32xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @stays(%q: tensor<2x16x16xf64>, %k: tensor<2x32x16xf64>, %v: tensor<2x32x16xf64>, %a: tensor<1x16x16xf16>, %b: tensor<1x521x16xf16>) -> (tensor<2x16x16xf64>, tensor<1x16x16xf16>) {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.25) : (tensor<2x16x16xf64>, tensor<2x32x16xf64>, tensor<2x32x16xf64>) -> tensor<2x16x16xf64>
  %1 = mirage_kernel.attention %a, %b, %b scale(0.25) : (tensor<1x16x16xf16>, tensor<1x521x16xf16>, tensor<1x521x16xf16>) -> tensor<1x16x16xf16>
  return %0, %1 : tensor<2x16x16xf64>, tensor<1x16x16xf16>
}
