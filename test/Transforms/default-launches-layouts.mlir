// Launches store what they compute as slices and concatenations behind them arrange it, where
// blocks have whole tiles of that.

// RUN: mirage-opt %s --mirage-expand-convolutions --mirage-default-launches -o %t
// RUN: FileCheck %s < %t
// RUN: mirage-opt %s --mirage-default-launches=fuse=false | FileCheck %s --check-prefix=APART
// RUN: mirage-opt %s --mirage-schedule-launches --mirage-default-launches | FileCheck %s --check-prefix=SCHEDULED
// RUN: mirage-run %s --entry=reflection --precision=f64 --output=%t.plain
// RUN: mirage-run %t --entry=reflection --precision=f64 --output=%t.launch
// RUN: cmp %t.plain/result0.npy %t.launch/result0.npy
// RUN: mirage-run %s --entry=reflection --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=launch --device=threads | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --entry=three_results --device=threads | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// A block has all rows and columns of some channels, and stores them with a border.
// CHECK-LABEL: func.func @reflection
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.concat dim(1)
// CHECK: mirage_block.concat dim(2)
// CHECK: mirage_block.store {{.*}} : tensor<{{[0-9]+}}x8x10xf16> to tensor<64x8x10xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return

// APART-LABEL: func.func @reflection
// APART: mirage_kernel.concat dim(1)
func.func @reflection(%x: tensor<64x6x8xf16>) -> tensor<64x8x10xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x6x8xf16>) -> tensor<64x6x8xf16>
  %top = mirage_kernel.slice %e[0, 1, 0] [64, 1, 8] [1, 1, 1] : (tensor<64x6x8xf16>) -> tensor<64x1x8xf16>
  %bottom = mirage_kernel.slice %e[0, 4, 0] [64, 1, 8] [1, 1, 1] : (tensor<64x6x8xf16>) -> tensor<64x1x8xf16>
  %tall = mirage_kernel.concat dim(1) %top, %e, %bottom : (tensor<64x1x8xf16>, tensor<64x6x8xf16>, tensor<64x1x8xf16>) -> tensor<64x8x8xf16>
  %left = mirage_kernel.slice %tall[0, 0, 1] [64, 8, 1] [1, 1, 1] : (tensor<64x8x8xf16>) -> tensor<64x8x1xf16>
  %right = mirage_kernel.slice %tall[0, 0, 6] [64, 8, 1] [1, 1, 1] : (tensor<64x8x8xf16>) -> tensor<64x8x1xf16>
  %wide = mirage_kernel.concat dim(2) %left, %tall, %right : (tensor<64x8x1xf16>, tensor<64x8x8xf16>, tensor<64x8x1xf16>) -> tensor<64x8x10xf16>
  return %wide : tensor<64x8x10xf16>
}

// A launch of the program, two dimensions of a grid, and reshapes that leave what the grid divides together.
// CHECK-LABEL: func.func @launch
// CHECK: mirage_kernel.launch grid(x = 4, y = 2)
// CHECK: mirage_block.reshape {{.*}} : tensor<2x2x12xf16> to tensor<2x2x3x4xf16>
// CHECK: mirage_block.slice {{.*}}[0, 0, 1, 0] [2, 2, 1, 4]
// CHECK: mirage_block.store {{.*}} omap(x -> 1, y -> 0) : tensor<2x2x16xf16> to tensor<4x8x16xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
// A schedule is for the launch as it is.
// SCHEDULED-LABEL: func.func @launch
// SCHEDULED: mirage_kernel.launch
// SCHEDULED: mirage_kernel.concat dim(2)
func.func @launch(%x: tensor<4x8x12xf16>) -> tensor<4x8x16xf16> {
  %e = mirage_kernel.launch grid(x = 4, y = 2) (%a = %x : tensor<4x8x12xf16>) -> tensor<4x8x12xf16> {
    %t = mirage_block.load %a imap(x -> 1, y -> 0) : tensor<4x8x12xf16> to tensor<2x2x12xf16>
    %y = mirage_block.exp %t : (tensor<2x2x12xf16>) -> tensor<2x2x12xf16>
    %s = mirage_block.store %y omap(x -> 1, y -> 0) : tensor<2x2x12xf16> to tensor<4x8x12xf16>
    mirage_block.yield %s : tensor<4x8x12xf16>
  }
  %r = mirage_kernel.reshape %e : tensor<4x8x12xf16> to tensor<4x8x3x4xf16>
  %m = mirage_kernel.slice %r[0, 0, 1, 0] [4, 8, 1, 4] [1, 1, 1, 1] : (tensor<4x8x3x4xf16>) -> tensor<4x8x1x4xf16>
  %c = mirage_kernel.concat dim(2) %r, %m : (tensor<4x8x3x4xf16>, tensor<4x8x1x4xf16>) -> tensor<4x8x4x4xf16>
  %w = mirage_kernel.reshape %c : tensor<4x8x4x4xf16> to tensor<4x8x16xf16>
  %again = mirage_kernel.slice %w[0, 0, 0] [4, 8, 8] [1, 1, 1] : (tensor<4x8x16xf16>) -> tensor<4x8x8xf16>
  %rest = mirage_kernel.slice %w[0, 0, 8] [4, 8, 8] [1, 1, 1] : (tensor<4x8x16xf16>) -> tensor<4x8x8xf16>
  %z = mirage_kernel.concat dim(2) %rest, %again : (tensor<4x8x8xf16>, tensor<4x8x8xf16>) -> tensor<4x8x16xf16>
  return %z : tensor<4x8x16xf16>
}

// Two of three results are arranged, and the third one stays.
// CHECK-LABEL: func.func @three_results
// CHECK: %[[L:.*]]:2 = mirage_kernel.launch grid(x = 4) {{.*}} -> (tensor<4x8xf16>, tensor<4x16xf16>)
// CHECK: mirage_block.slice
// CHECK: %[[C:.*]] = mirage_block.concat dim(1)
// CHECK: %[[S:.*]] = mirage_block.store %[[C]] omap(x -> 0) : tensor<1x16xf16> to tensor<4x16xf16>
// CHECK: mirage_block.yield %{{.*}}, %[[S]]
// CHECK: return %[[L]]#1, %[[L]]#0
func.func @three_results(%x: tensor<4x8xf16>) -> (tensor<4x16xf16>, tensor<4x8xf16>) {
  %e:3 = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<4x8xf16> to tensor<1x8xf16>
    %y = mirage_block.exp %t : (tensor<1x8xf16>) -> tensor<1x8xf16>
    %z = mirage_block.sqrt %y : (tensor<1x8xf16>) -> tensor<1x8xf16>
    %w = mirage_block.relu %t : (tensor<1x8xf16>) -> tensor<1x8xf16>
    %r = mirage_block.store %y omap(x -> 0) : tensor<1x8xf16> to tensor<4x8xf16>
    %s = mirage_block.store %z omap(x -> 0) : tensor<1x8xf16> to tensor<4x8xf16>
    %u = mirage_block.store %w omap(x -> 0) : tensor<1x8xf16> to tensor<4x8xf16>
    mirage_block.yield %r, %s, %u : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>
  }
  %p = mirage_kernel.slice %e#1[0, 2] [4, 3] [1, 1] : (tensor<4x8xf16>) -> tensor<4x3xf16>
  %q = mirage_kernel.slice %e#1[0, 3] [4, 5] [1, 1] : (tensor<4x8xf16>) -> tensor<4x5xf16>
  %c = mirage_kernel.concat dim(1) %p, %e#2, %q : (tensor<4x3xf16>, tensor<4x8xf16>, tensor<4x5xf16>) -> tensor<4x16xf16>
  return %c, %e#0 : tensor<4x16xf16>, tensor<4x8xf16>
}

// What the grid divides is concatenated.
// CHECK-LABEL: func.func @divided
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(0)
func.func @divided(%x: tensor<64x512xf16>) -> tensor<65x512xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x512xf16>) -> tensor<64x512xf16>
  %s = mirage_kernel.slice %e[1, 0] [1, 512] [1, 1] : (tensor<64x512xf16>) -> tensor<1x512xf16>
  %c = mirage_kernel.concat dim(0) %s, %e : (tensor<1x512xf16>, tensor<64x512xf16>) -> tensor<65x512xf16>
  return %c : tensor<65x512xf16>
}

// A reshape leaves nothing of the dimension that the grid divides.
// CHECK-LABEL: func.func @merged
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(0)
func.func @merged(%x: tensor<64x512xf16>) -> tensor<32776xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x512xf16>) -> tensor<64x512xf16>
  %r = mirage_kernel.reshape %e : tensor<64x512xf16> to tensor<32768xf16>
  %s = mirage_kernel.slice %r[8] [8] [1] : (tensor<32768xf16>) -> tensor<8xf16>
  %c = mirage_kernel.concat dim(0) %s, %r : (tensor<8xf16>, tensor<32768xf16>) -> tensor<32776xf16>
  return %c : tensor<32776xf16>
}

// Something else reads what is concatenated, which must be stored then.
// CHECK-LABEL: func.func @read_again
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(1)
func.func @read_again(%x: tensor<512x64xf16>) -> (tensor<512x72xf16>, tensor<512x64xf16>) {
  %e = mirage_kernel.exp %x : (tensor<512x64xf16>) -> tensor<512x64xf16>
  %s = mirage_kernel.slice %e[0, 8] [512, 8] [1, 1] : (tensor<512x64xf16>) -> tensor<512x8xf16>
  %c = mirage_kernel.concat dim(1) %s, %e : (tensor<512x8xf16>, tensor<512x64xf16>) -> tensor<512x72xf16>
  return %c, %e : tensor<512x72xf16>, tensor<512x64xf16>
}

// A part is of another tensor.
// CHECK-LABEL: func.func @of_another
// CHECK: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(1)
func.func @of_another(%x: tensor<512x64xf16>, %y: tensor<512x8xf16>) -> tensor<512x80xf16> {
  %e = mirage_kernel.exp %x : (tensor<512x64xf16>) -> tensor<512x64xf16>
  %s = mirage_kernel.slice %e[0, 8] [512, 8] [1, 1] : (tensor<512x64xf16>) -> tensor<512x8xf16>
  %c = mirage_kernel.concat dim(1) %s, %e, %y : (tensor<512x8xf16>, tensor<512x64xf16>, tensor<512x8xf16>) -> tensor<512x80xf16>
  return %c : tensor<512x80xf16>
}

// Blocks have a tile for which twice as much shared memory would be needed as there is.
// CHECK-LABEL: func.func @too_large
// CHECK: mirage_kernel.launch grid(x = 8)
// CHECK-NOT: mirage_block.concat
// CHECK: mirage_kernel.concat dim(1)
func.func @too_large(%x: tensor<8x90000xf16>) -> tensor<8x90008xf16> {
  %e = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<8x90000xf16>) -> tensor<8x90000xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x90000xf16> to tensor<1x90000xf16>
    %y = mirage_block.exp %t : (tensor<1x90000xf16>) -> tensor<1x90000xf16>
    %s = mirage_block.store %y omap(x -> 0) : tensor<1x90000xf16> to tensor<8x90000xf16>
    mirage_block.yield %s : tensor<8x90000xf16>
  }
  %s = mirage_kernel.slice %e[0, 8] [8, 8] [1, 1] : (tensor<8x90000xf16>) -> tensor<8x8xf16>
  %c = mirage_kernel.concat dim(1) %s, %e : (tensor<8x8xf16>, tensor<8x90000xf16>) -> tensor<8x90008xf16>
  return %c : tensor<8x90008xf16>
}

// The tiles of iterations are stored one by one.
// CHECK-LABEL: func.func @iterations
// CHECK: mirage_kernel.launch grid(x = 8)
// CHECK-NOT: mirage_block.concat
// CHECK: mirage_kernel.concat dim(1)
func.func @iterations(%x: tensor<8x1024xf16>) -> tensor<8x1032xf16> {
  %e = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<8x1024xf16>) -> tensor<8x1024xf16> {
    %l = mirage_block.for %i = 0 to 4 -> tensor<1x1024xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x1024xf16> to tensor<1x256xf16>
      %y = mirage_block.exp %t : (tensor<1x256xf16>) -> tensor<1x256xf16>
      %p = mirage_block.accumulate concat %y dim(1) : (tensor<1x256xf16>) -> tensor<1x1024xf16>
      mirage_block.yield %p : tensor<1x1024xf16>
    }
    %s = mirage_block.store %l omap(x -> 0) : tensor<1x1024xf16> to tensor<8x1024xf16>
    mirage_block.yield %s : tensor<8x1024xf16>
  }
  %s = mirage_kernel.slice %e[0, 8] [8, 8] [1, 1] : (tensor<8x1024xf16>) -> tensor<8x8xf16>
  %c = mirage_kernel.concat dim(1) %s, %e : (tensor<8x8xf16>, tensor<8x1024xf16>) -> tensor<8x1032xf16>
  return %c : tensor<8x1032xf16>
}

// The transpose finds elements through the concatenation, which has no kernel.
// CHECK-LABEL: func.func @read_by_transpose
// CHECK: mirage_kernel.concat dim(1)
// CHECK: mirage_kernel.transpose
func.func @read_by_transpose(%x: tensor<512x64xf16>) -> tensor<72x512xf16> {
  %e = mirage_kernel.exp %x : (tensor<512x64xf16>) -> tensor<512x64xf16>
  %s = mirage_kernel.slice %e[0, 8] [512, 8] [1, 1] : (tensor<512x64xf16>) -> tensor<512x8xf16>
  %c = mirage_kernel.concat dim(1) %s, %e : (tensor<512x8xf16>, tensor<512x64xf16>) -> tensor<512x72xf16>
  %t = mirage_kernel.transpose %c [1, 0] : (tensor<512x72xf16>) -> tensor<72x512xf16>
  return %t : tensor<72x512xf16>
}

// The windows of a convolution, which the product's launch reads in the images.
// CHECK-LABEL: func.func @windows
// CHECK: mirage_kernel.launch grid(x = 8)
// CHECK-NOT: mirage_block.concat
// CHECK: mirage_kernel.concat dim(3)
// CHECK: mirage_kernel.launch
func.func @windows(%x: tensor<8x10x10x64xf16>, %w: tensor<3x3x64x64xf16>) -> tensor<8x8x8x64xf16> {
  %e = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<8x10x10x64xf16>) -> tensor<8x10x10x64xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x10x10x64xf16> to tensor<1x10x10x64xf16>
    %y = mirage_block.exp %t : (tensor<1x10x10x64xf16>) -> tensor<1x10x10x64xf16>
    %s = mirage_block.store %y omap(x -> 0) : tensor<1x10x10x64xf16> to tensor<8x10x10x64xf16>
    mirage_block.yield %s : tensor<8x10x10x64xf16>
  }
  %c = mirage_kernel.conv2d nhwc %e, %w strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1)
      : (tensor<8x10x10x64xf16>, tensor<3x3x64x64xf16>) -> tensor<8x8x8x64xf16>
  return %c : tensor<8x8x8x64xf16>
}
}
