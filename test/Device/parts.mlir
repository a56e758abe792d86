// Slices, concatenations, tiles that a loop puts together, and products of elements that
// matrix instructions take when they are converted. With a GPU, scripts/test-device.sh runs
// each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-thread --remark-policy=all --remarks-filter=mirage-schedule 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=general-lowering
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

// REMARK: gpu.module
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Halves of rows, as in rotary positions. Those of a loaded tile are parts of its memory, at
// 128 bytes from each other. What was computed goes through shared memory.
// CHECK-LABEL: gpu.func @halves_0_launch
// CHECK: mirage_thread.shared_buffer offset(128) : memref<1x8x64xf16, strided<[1088, 136, 1]>
// CHECK: mirage_thread.store_fragment
func.func @halves(%x: tensor<32x128xf16>, %y: tensor<32x128xf32>) -> (tensor<32x64xf16>, tensor<32x128xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<32x128xf16>, %ya = %y : tensor<32x128xf32>) -> (tensor<32x64xf16>, tensor<32x128xf32>) {
    %t = mirage_block.load %xa imap(x -> 0) : tensor<32x128xf16> to tensor<8x128xf16>
    %a = mirage_block.slice %t[0, 0] [8, 64] [1, 1] : (tensor<8x128xf16>) -> tensor<8x64xf16>
    %b = mirage_block.slice %t[0, 64] [8, 64] [1, 1] : (tensor<8x128xf16>) -> tensor<8x64xf16>
    %s = mirage_block.sub %a, %b : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
    %u = mirage_block.load %ya imap(x -> 0) : tensor<32x128xf32> to tensor<8x128xf32>
    %q = mirage_block.square %u : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %c = mirage_block.slice %q[0, 0] [8, 64] [1, 1] : (tensor<8x128xf32>) -> tensor<8x64xf32>
    %d = mirage_block.slice %q[0, 64] [8, 64] [1, 1] : (tensor<8x128xf32>) -> tensor<8x64xf32>
    %e = mirage_block.concat dim(1) %d, %c : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x128xf32>
    %r = mirage_block.store %s omap(x -> 0) : tensor<8x64xf16> to tensor<32x64xf16>
    %p = mirage_block.store %e omap(x -> 0) : tensor<8x128xf32> to tensor<32x128xf32>
    mirage_block.yield %r, %p : tensor<32x64xf16>, tensor<32x128xf32>
  }
  return %0#0, %0#1 : tensor<32x64xf16>, tensor<32x128xf32>
}

// The sums of a product have eight rows more in other registers of the same threads. Parts
// that begin at no multiple of 16 bytes are loaded element by element.
// CHECK-LABEL: gpu.func @registers_0_launch
// CHECK: mirage_thread.mma_fragment
// CHECK-NOT: mirage_thread.load_fragment
// CHECK: mirage_thread.slice {{.*}}[0, 8, 0] [1, 8, 16]
// CHECK: mirage_thread.load_fragment {{.*}} tensor<1x8x3xf32, #mirage_thread.layout<registers = [3 d2:1]
func.func @registers(%x: tensor<16x32xf16>, %w: tensor<32x16xf16>) -> (tensor<8x16xf32>, tensor<8x3xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x32xf16>, %wa = %w : tensor<32x16xf16>) -> (tensor<8x16xf32>, tensor<8x3xf32>) {
    %a = mirage_block.load %xa imap(x -> phi) : tensor<16x32xf16> to tensor<16x32xf16>
    %b = mirage_block.load %wa imap(x -> phi) : tensor<32x16xf16> to tensor<32x16xf16>
    %p = mirage_block.matmul %a, %b : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf32>
    %s = mirage_block.slice %p[8, 0] [8, 16] [1, 1] : (tensor<16x16xf32>) -> tensor<8x16xf32>
    %t = mirage_block.slice %s[0, 5] [8, 3] [1, 1] : (tensor<8x16xf32>) -> tensor<8x3xf32>
    %r = mirage_block.store %s omap(x -> phi) : tensor<8x16xf32> to tensor<8x16xf32>
    %q = mirage_block.store %t omap(x -> phi) : tensor<8x3xf32> to tensor<8x3xf32>
    mirage_block.yield %r, %q : tensor<8x16xf32>, tensor<8x3xf32>
  }
  return %0#0, %0#1 : tensor<8x16xf32>, tensor<8x3xf32>
}

// Each iteration stores its columns beside those of the others, in device memory.
// Row maxima that are kept must be those of the iterations and not the running ones, which
// the rescaled sums could take otherwise.
// CHECK-LABEL: gpu.func @together_0_launch
// CHECK: scf.for [[TRIP:%.*]] = {{.*}} iter_args([[MAX:%[a-z0-9]+]] =
// CHECK: [[OWN:%.*]] = mirage_thread.reduce max
// CHECK: mirage_thread.sub {{.*}}, [[OWN]]
// CHECK: [[AT:%.*]] = arith.muli [[TRIP]]
// CHECK: mirage_thread.store_fragment {{.*}} to %arg2[
// CHECK: scf.yield
func.func @together(%x: tensor<16x96xf32>) -> (tensor<16x1xf32>, tensor<16x4xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x96xf32>) -> (tensor<16x1xf32>, tensor<16x4xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 2, loop_groups = 1, stages = 2>} {
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<16x1xf32>, tensor<16x4xf32>) {
      %t = mirage_block.load %xa imap(x -> phi) fmap(%i -> 1) : tensor<16x96xf32> to tensor<16x24xf32>
      %m = mirage_block.reduce max %t dim(1) keep : (tensor<16x24xf32>) -> tensor<16x1xf32>
      %d = mirage_block.sub %t, %m : (tensor<16x24xf32>, tensor<16x1xf32>) -> tensor<16x24xf32>
      %e = mirage_block.exp %d : (tensor<16x24xf32>) -> tensor<16x24xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<16x24xf32>) -> tensor<16x1xf32>
      %s = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %k = mirage_block.accumulate concat %m dim(1) : (tensor<16x1xf32>) -> tensor<16x4xf32>
      mirage_block.yield %s, %k : tensor<16x1xf32>, tensor<16x4xf32>
    }
    %r = mirage_block.store %f#0 omap(x -> phi) : tensor<16x1xf32> to tensor<16x1xf32>
    %q = mirage_block.store %f#1 omap(x -> phi) : tensor<16x4xf32> to tensor<16x4xf32>
    mirage_block.yield %r, %q : tensor<16x1xf32>, tensor<16x4xf32>
  }
  return %0#0, %0#1 : tensor<16x1xf32>, tensor<16x4xf32>
}

// Elements of eight bits become f16, and f32 that was converted from bf16 is not converted. The
// product takes its left operand from where the transpose does.
// SCHEDULE-LABEL: func.func @narrow(
// SCHEDULE-DAG: mirage_block.cast {{.*}} : tensor<16x32xf8E4M3FN> to tensor<16x32xf16>
// SCHEDULE-DAG: mirage_block.cast {{.*}} : tensor<32x16xf8E5M2> to tensor<32x16xf16>
// SCHEDULE-DAG: mirage_block.matmul {{.*}} (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf32>
// SCHEDULE-DAG: mirage_block.matmul {{.*}} transpose_lhs : (tensor<32x16xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
// CHECK-LABEL: gpu.func @narrow_0_launch
// CHECK-COUNT-2: mirage_thread.mma_fragment
func.func @narrow(%x: tensor<16x32xf8E4M3FN>, %w: tensor<32x16xf8E5M2>, %y: tensor<32x16xbf16>, %v: tensor<32x16xbf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0:2 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<16x32xf8E4M3FN>, %wa = %w : tensor<32x16xf8E5M2>, %ya = %y : tensor<32x16xbf16>, %va = %v : tensor<32x16xbf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %a = mirage_block.load %xa imap(x -> phi) : tensor<16x32xf8E4M3FN> to tensor<16x32xf8E4M3FN>
    %b = mirage_block.load %wa imap(x -> phi) : tensor<32x16xf8E5M2> to tensor<32x16xf8E5M2>
    %c = mirage_block.cast %b : tensor<32x16xf8E5M2> to tensor<32x16xf16>
    %d = mirage_block.cast %a : tensor<16x32xf8E4M3FN> to tensor<16x32xf16>
    %e = mirage_block.cast %c : tensor<32x16xf16> to tensor<32x16xf32>
    %f = mirage_block.cast %d : tensor<16x32xf16> to tensor<16x32xf32>
    %p = mirage_block.matmul %f, %e : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %g = mirage_block.load %ya imap(x -> phi) : tensor<32x16xbf16> to tensor<32x16xbf16>
    %h = mirage_block.cast %g : tensor<32x16xbf16> to tensor<32x16xf32>
    %i = mirage_block.transpose %h [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %j = mirage_block.load %va imap(x -> phi) : tensor<32x16xbf16> to tensor<32x16xbf16>
    %k = mirage_block.cast %j : tensor<32x16xbf16> to tensor<32x16xf32>
    %q = mirage_block.matmul %i, %k : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %r = mirage_block.store %p omap(x -> phi) : tensor<16x16xf32> to tensor<16x16xf32>
    %s = mirage_block.store %q omap(x -> phi) : tensor<16x16xf32> to tensor<16x16xf32>
    mirage_block.yield %r, %s : tensor<16x16xf32>, tensor<16x16xf32>
  }
  return %0#0, %0#1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// A product of two tensors that were converted to f32 is a launch, as that of the tensors is.
// CHECK-LABEL: gpu.func @converted_0_launch
func.func @converted(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %a = mirage_kernel.cast %x : tensor<64x64xf16> to tensor<64x64xf32>
  %0 = mirage_kernel.matmul %a, %a transpose_rhs : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}


// Three parts of one tensor, of which the last has another shape where the launch computes it. The kernel writes one buffer.
// CHECK-LABEL: gpu.func @shapes_of_parts_0_launch(%arg0: memref<32x80xf16>, %arg1: memref<32x80xf16>)
// CHECK: [[WHOLE:%.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [32, 5, 16], strides: [80, 16, 1] : memref<32x80xf16> to memref<32x5x16xf16>
// CHECK: mirage_thread.store_fragment {{.*}} to [[WHOLE]]
func.func @shapes_of_parts(%x: tensor<32x80xf16>) -> tensor<32x80xf16> {
  %0:3 = mirage_kernel.launch grid(x = 4) (%xa = %x : tensor<32x80xf16>) -> (tensor<32x16xf16>, tensor<32x16xf16>, tensor<32x3x16xf16>) {
    %t = mirage_block.load %xa imap(x -> 0) : tensor<32x80xf16> to tensor<8x80xf16>
    %q = mirage_block.square %t : (tensor<8x80xf16>) -> tensor<8x80xf16>
    %a = mirage_block.slice %q[0, 0] [8, 16] [1, 1] : (tensor<8x80xf16>) -> tensor<8x16xf16>
    %b = mirage_block.slice %q[0, 16] [8, 16] [1, 1] : (tensor<8x80xf16>) -> tensor<8x16xf16>
    %c = mirage_block.slice %q[0, 32] [8, 48] [1, 1] : (tensor<8x80xf16>) -> tensor<8x48xf16>
    %d = mirage_block.reshape %c : tensor<8x48xf16> to tensor<8x3x16xf16>
    %r = mirage_block.store %a omap(x -> 0) : tensor<8x16xf16> to tensor<32x16xf16>
    %s = mirage_block.store %b omap(x -> 0) : tensor<8x16xf16> to tensor<32x16xf16>
    %p = mirage_block.store %d omap(x -> 0) : tensor<8x3x16xf16> to tensor<32x3x16xf16>
    mirage_block.yield %r, %s, %p : tensor<32x16xf16>, tensor<32x16xf16>, tensor<32x3x16xf16>
  }
  %1 = mirage_kernel.reshape %0#2 : tensor<32x3x16xf16> to tensor<32x48xf16>
  %2 = mirage_kernel.concat dim(1) %0#1, %0#0, %1 : (tensor<32x16xf16>, tensor<32x16xf16>, tensor<32x48xf16>) -> tensor<32x80xf16>
  return %2 : tensor<32x80xf16>
}

// A channel of an image with its reflection. Neither lanes nor warps divide rows of 56 or 55 elements:
// they go on along the dimension of which each has most, so that no warp does what another one does.
// CHECK-LABEL: gpu.func @reflection_0_launch
// CHECK: mirage_thread.store_fragment {{.*}}: tensor<1x1x56x56xf16, #mirage_thread.layout<{{.*}}warps = [4 d2:8]>>
// CHECK-NOT: tensor<{{.*}}5{{[68]}}x5{{[68]}}xf16, #mirage_thread.layout<{{.*}}warps = [4 phi]
// CHECK: gpu.return
func.func @reflection(%x: tensor<128x56x56xf16>) -> tensor<128x58x58xf16> {
  %0 = mirage_kernel.launch grid(x = 128) (%a = %x : tensor<128x56x56xf16>) -> tensor<128x58x58xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<128x56x56xf16> to tensor<1x56x56xf16>
    %h = mirage_block.relu %t : (tensor<1x56x56xf16>) -> tensor<1x56x56xf16>
    %top = mirage_block.slice %h[0, 1, 0] [1, 1, 56] [1, 1, 1] : (tensor<1x56x56xf16>) -> tensor<1x1x56xf16>
    %bottom = mirage_block.slice %h[0, 54, 0] [1, 1, 56] [1, 1, 1] : (tensor<1x56x56xf16>) -> tensor<1x1x56xf16>
    %tall = mirage_block.concat dim(1) %top, %h, %bottom : (tensor<1x1x56xf16>, tensor<1x56x56xf16>, tensor<1x1x56xf16>) -> tensor<1x58x56xf16>
    %left = mirage_block.slice %tall[0, 0, 1] [1, 58, 1] [1, 1, 1] : (tensor<1x58x56xf16>) -> tensor<1x58x1xf16>
    %right = mirage_block.slice %tall[0, 0, 54] [1, 58, 1] [1, 1, 1] : (tensor<1x58x56xf16>) -> tensor<1x58x1xf16>
    %wide = mirage_block.concat dim(2) %left, %tall, %right : (tensor<1x58x1xf16>, tensor<1x58x56xf16>, tensor<1x58x1xf16>) -> tensor<1x58x58xf16>
    %s = mirage_block.store %wide omap(x -> 0) : tensor<1x58x58xf16> to tensor<128x58x58xf16>
    mirage_block.yield %s : tensor<128x58x58xf16>
  }
  return %0 : tensor<128x58x58xf16>
}

// The same of f32, with sums of its rows, which few warps share.
// CHECK-LABEL: gpu.func @reflection_of_few_0_launch
// CHECK: mirage_thread.reduce sum {{.*}}warps = [2 d2:1]
func.func @reflection_of_few(%x: tensor<8x13x55xf32>) -> (tensor<8x13x57xf32>, tensor<8x13x1xf32>) {
  %0, %1 = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<8x13x55xf32>) -> (tensor<8x13x57xf32>, tensor<8x13x1xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x13x55xf32> to tensor<1x13x55xf32>
    %h = mirage_block.relu %t : (tensor<1x13x55xf32>) -> tensor<1x13x55xf32>
    %sum = mirage_block.reduce sum %h dim(2) keep : (tensor<1x13x55xf32>) -> tensor<1x13x1xf32>
    %left = mirage_block.slice %h[0, 0, 1] [1, 13, 1] [1, 1, 1] : (tensor<1x13x55xf32>) -> tensor<1x13x1xf32>
    %right = mirage_block.slice %h[0, 0, 53] [1, 13, 1] [1, 1, 1] : (tensor<1x13x55xf32>) -> tensor<1x13x1xf32>
    %wide = mirage_block.concat dim(2) %left, %h, %right : (tensor<1x13x1xf32>, tensor<1x13x55xf32>, tensor<1x13x1xf32>) -> tensor<1x13x57xf32>
    %s = mirage_block.store %wide omap(x -> 0) : tensor<1x13x57xf32> to tensor<8x13x57xf32>
    %r = mirage_block.store %sum omap(x -> 0) : tensor<1x13x1xf32> to tensor<8x13x1xf32>
    mirage_block.yield %s, %r : tensor<8x13x57xf32>, tensor<8x13x1xf32>
  }
  return %0, %1 : tensor<8x13x57xf32>, tensor<8x13x1xf32>
}
}
