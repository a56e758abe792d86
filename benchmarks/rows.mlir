// Launches whose stores or loads have short rows, and projections of LLaMA whose weights have one or two dimensions of columns:
// the figures in EstimateKernel.cpp and in docs/performance/scheduled-kernels.md are of these. On a machine with a GPU,
//
//   mirage-run benchmarks/rows.mlir --entry=store4 --device=cuda --time
//
// times one. storeN and loadN move 1 MB in rows of N elements of two bytes; qkvN has N columns of a head next to each other.

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @store2(%a: tensor<64x2x16x128x2xf16>) -> tensor<1x32x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 64, y = 2) (%p = %a : tensor<64x2x16x128x2xf16>) -> tensor<1x32x128x128xf16> {
    %l = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<64x2x16x128x2xf16> to tensor<1x1x16x128x2xf16>
    %r = mirage_block.reshape %l : tensor<1x1x16x128x2xf16> to tensor<1x16x128x2xf16>
    %e = mirage_block.scale %r by 0.5 : (tensor<1x16x128x2xf16>) -> tensor<1x16x128x2xf16>
    %s = mirage_block.store %e omap(x -> 3, y -> 1) : tensor<1x16x128x2xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %s : tensor<1x32x128x128xf16>
  }
  return %0 : tensor<1x32x128x128xf16>
}
func.func @load2(%a: tensor<1x32x128x128xf16>) -> tensor<64x2x16x128x2xf16> {
  %0 = mirage_kernel.launch grid(x = 64, y = 2) (%p = %a : tensor<1x32x128x128xf16>) -> tensor<64x2x16x128x2xf16> {
    %l = mirage_block.load %p imap(x -> 3, y -> 1) : tensor<1x32x128x128xf16> to tensor<1x16x128x2xf16>
    %e = mirage_block.scale %l by 0.5 : (tensor<1x16x128x2xf16>) -> tensor<1x16x128x2xf16>
    %r = mirage_block.reshape %e : tensor<1x16x128x2xf16> to tensor<1x1x16x128x2xf16>
    %s = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<1x1x16x128x2xf16> to tensor<64x2x16x128x2xf16>
    mirage_block.yield %s : tensor<64x2x16x128x2xf16>
  }
  return %0 : tensor<64x2x16x128x2xf16>
}
func.func @store4(%a: tensor<32x4x8x128x4xf16>) -> tensor<1x32x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 32, y = 4) (%p = %a : tensor<32x4x8x128x4xf16>) -> tensor<1x32x128x128xf16> {
    %l = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<32x4x8x128x4xf16> to tensor<1x1x8x128x4xf16>
    %r = mirage_block.reshape %l : tensor<1x1x8x128x4xf16> to tensor<1x8x128x4xf16>
    %e = mirage_block.scale %r by 0.5 : (tensor<1x8x128x4xf16>) -> tensor<1x8x128x4xf16>
    %s = mirage_block.store %e omap(x -> 3, y -> 1) : tensor<1x8x128x4xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %s : tensor<1x32x128x128xf16>
  }
  return %0 : tensor<1x32x128x128xf16>
}
func.func @load4(%a: tensor<1x32x128x128xf16>) -> tensor<32x4x8x128x4xf16> {
  %0 = mirage_kernel.launch grid(x = 32, y = 4) (%p = %a : tensor<1x32x128x128xf16>) -> tensor<32x4x8x128x4xf16> {
    %l = mirage_block.load %p imap(x -> 3, y -> 1) : tensor<1x32x128x128xf16> to tensor<1x8x128x4xf16>
    %e = mirage_block.scale %l by 0.5 : (tensor<1x8x128x4xf16>) -> tensor<1x8x128x4xf16>
    %r = mirage_block.reshape %e : tensor<1x8x128x4xf16> to tensor<1x1x8x128x4xf16>
    %s = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<1x1x8x128x4xf16> to tensor<32x4x8x128x4xf16>
    mirage_block.yield %s : tensor<32x4x8x128x4xf16>
  }
  return %0 : tensor<32x4x8x128x4xf16>
}
func.func @store8(%a: tensor<16x8x4x128x8xf16>) -> tensor<1x32x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 16, y = 8) (%p = %a : tensor<16x8x4x128x8xf16>) -> tensor<1x32x128x128xf16> {
    %l = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<16x8x4x128x8xf16> to tensor<1x1x4x128x8xf16>
    %r = mirage_block.reshape %l : tensor<1x1x4x128x8xf16> to tensor<1x4x128x8xf16>
    %e = mirage_block.scale %r by 0.5 : (tensor<1x4x128x8xf16>) -> tensor<1x4x128x8xf16>
    %s = mirage_block.store %e omap(x -> 3, y -> 1) : tensor<1x4x128x8xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %s : tensor<1x32x128x128xf16>
  }
  return %0 : tensor<1x32x128x128xf16>
}
func.func @load8(%a: tensor<1x32x128x128xf16>) -> tensor<16x8x4x128x8xf16> {
  %0 = mirage_kernel.launch grid(x = 16, y = 8) (%p = %a : tensor<1x32x128x128xf16>) -> tensor<16x8x4x128x8xf16> {
    %l = mirage_block.load %p imap(x -> 3, y -> 1) : tensor<1x32x128x128xf16> to tensor<1x4x128x8xf16>
    %e = mirage_block.scale %l by 0.5 : (tensor<1x4x128x8xf16>) -> tensor<1x4x128x8xf16>
    %r = mirage_block.reshape %e : tensor<1x4x128x8xf16> to tensor<1x1x4x128x8xf16>
    %s = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<1x1x4x128x8xf16> to tensor<16x8x4x128x8xf16>
    mirage_block.yield %s : tensor<16x8x4x128x8xf16>
  }
  return %0 : tensor<16x8x4x128x8xf16>
}
func.func @store16(%a: tensor<8x16x2x128x16xf16>) -> tensor<1x32x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 8, y = 16) (%p = %a : tensor<8x16x2x128x16xf16>) -> tensor<1x32x128x128xf16> {
    %l = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<8x16x2x128x16xf16> to tensor<1x1x2x128x16xf16>
    %r = mirage_block.reshape %l : tensor<1x1x2x128x16xf16> to tensor<1x2x128x16xf16>
    %e = mirage_block.scale %r by 0.5 : (tensor<1x2x128x16xf16>) -> tensor<1x2x128x16xf16>
    %s = mirage_block.store %e omap(x -> 3, y -> 1) : tensor<1x2x128x16xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %s : tensor<1x32x128x128xf16>
  }
  return %0 : tensor<1x32x128x128xf16>
}
func.func @load16(%a: tensor<1x32x128x128xf16>) -> tensor<8x16x2x128x16xf16> {
  %0 = mirage_kernel.launch grid(x = 8, y = 16) (%p = %a : tensor<1x32x128x128xf16>) -> tensor<8x16x2x128x16xf16> {
    %l = mirage_block.load %p imap(x -> 3, y -> 1) : tensor<1x32x128x128xf16> to tensor<1x2x128x16xf16>
    %e = mirage_block.scale %l by 0.5 : (tensor<1x2x128x16xf16>) -> tensor<1x2x128x16xf16>
    %r = mirage_block.reshape %e : tensor<1x2x128x16xf16> to tensor<1x1x2x128x16xf16>
    %s = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<1x1x2x128x16xf16> to tensor<8x16x2x128x16xf16>
    mirage_block.yield %s : tensor<8x16x2x128x16xf16>
  }
  return %0 : tensor<8x16x2x128x16xf16>
}
func.func @store32(%a: tensor<4x32x1x128x32xf16>) -> tensor<1x32x128x128xf16> {
  %0 = mirage_kernel.launch grid(x = 4, y = 32) (%p = %a : tensor<4x32x1x128x32xf16>) -> tensor<1x32x128x128xf16> {
    %l = mirage_block.load %p imap(x -> 0, y -> 1) : tensor<4x32x1x128x32xf16> to tensor<1x1x1x128x32xf16>
    %r = mirage_block.reshape %l : tensor<1x1x1x128x32xf16> to tensor<1x1x128x32xf16>
    %e = mirage_block.scale %r by 0.5 : (tensor<1x1x128x32xf16>) -> tensor<1x1x128x32xf16>
    %s = mirage_block.store %e omap(x -> 3, y -> 1) : tensor<1x1x128x32xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %s : tensor<1x32x128x128xf16>
  }
  return %0 : tensor<1x32x128x128xf16>
}
func.func @load32(%a: tensor<1x32x128x128xf16>) -> tensor<4x32x1x128x32xf16> {
  %0 = mirage_kernel.launch grid(x = 4, y = 32) (%p = %a : tensor<1x32x128x128xf16>) -> tensor<4x32x1x128x32xf16> {
    %l = mirage_block.load %p imap(x -> 3, y -> 1) : tensor<1x32x128x128xf16> to tensor<1x1x128x32xf16>
    %e = mirage_block.scale %l by 0.5 : (tensor<1x1x128x32xf16>) -> tensor<1x1x128x32xf16>
    %r = mirage_block.reshape %e : tensor<1x1x128x32xf16> to tensor<1x1x1x128x32xf16>
    %s = mirage_block.store %r omap(x -> 0, y -> 1) : tensor<1x1x1x128x32xf16> to tensor<4x32x1x128x32xf16>
    mirage_block.yield %s : tensor<4x32x1x128x32xf16>
  }
  return %0 : tensor<4x32x1x128x32xf16>
}
func.func @qkv2(%x: tensor<128x4096xf16>, %w0: tensor<32x128x4096xf16>, %w1: tensor<32x128x4096xf16>, %w2: tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
  %0:3 = mirage_kernel.launch grid(x = 1, y = 64) (%p = %x : tensor<128x4096xf16>, %b0 = %w0 : tensor<32x128x4096xf16>, %b1 = %w1 : tensor<32x128x4096xf16>, %b2 = %w2 : tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
    %f:3 = mirage_block.for %i = 0 to 64 -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x4096xf16> to tensor<128x64xf16>
      %l0 = mirage_block.load %b0 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<32x2x64xf16>
      %r0 = mirage_block.reshape %l0 : tensor<32x2x64xf16> to tensor<64x64xf16>
      %m0 = mirage_block.matmul %l, %r0 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a0 = mirage_block.accumulate sum %m0 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l1 = mirage_block.load %b1 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<32x2x64xf16>
      %r1 = mirage_block.reshape %l1 : tensor<32x2x64xf16> to tensor<64x64xf16>
      %m1 = mirage_block.matmul %l, %r1 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a1 = mirage_block.accumulate sum %m1 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l2 = mirage_block.load %b2 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<32x2x64xf16>
      %r2 = mirage_block.reshape %l2 : tensor<32x2x64xf16> to tensor<64x64xf16>
      %m2 = mirage_block.matmul %l, %r2 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a2 = mirage_block.accumulate sum %m2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a0, %a1, %a2 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
    }
    %s0 = mirage_block.reshape %f#0 : tensor<128x64xf32> to tensor<128x32x2xf32>
    %t0 = mirage_block.transpose %s0 [1, 0, 2] : (tensor<128x32x2xf32>) -> tensor<32x128x2xf32>
    %u0 = mirage_block.reshape %t0 : tensor<32x128x2xf32> to tensor<1x32x128x2xf32>
    %c0 = mirage_block.cast %u0 : tensor<1x32x128x2xf32> to tensor<1x32x128x2xf16>
    %o0 = mirage_block.store %c0 omap(x -> 1, y -> 3) : tensor<1x32x128x2xf16> to tensor<1x32x128x128xf16>
    %s1 = mirage_block.reshape %f#1 : tensor<128x64xf32> to tensor<128x32x2xf32>
    %t1 = mirage_block.transpose %s1 [1, 0, 2] : (tensor<128x32x2xf32>) -> tensor<32x128x2xf32>
    %u1 = mirage_block.reshape %t1 : tensor<32x128x2xf32> to tensor<1x32x128x2xf32>
    %c1 = mirage_block.cast %u1 : tensor<1x32x128x2xf32> to tensor<1x32x128x2xf16>
    %o1 = mirage_block.store %c1 omap(x -> 1, y -> 3) : tensor<1x32x128x2xf16> to tensor<1x32x128x128xf16>
    %s2 = mirage_block.reshape %f#2 : tensor<128x64xf32> to tensor<128x32x2xf32>
    %t2 = mirage_block.transpose %s2 [1, 0, 2] : (tensor<128x32x2xf32>) -> tensor<32x128x2xf32>
    %u2 = mirage_block.reshape %t2 : tensor<32x128x2xf32> to tensor<1x32x128x2xf32>
    %c2 = mirage_block.cast %u2 : tensor<1x32x128x2xf32> to tensor<1x32x128x2xf16>
    %o2 = mirage_block.store %c2 omap(x -> 1, y -> 3) : tensor<1x32x128x2xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %o0, %o1, %o2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
}
func.func @qkv8(%x: tensor<128x4096xf16>, %w0: tensor<32x128x4096xf16>, %w1: tensor<32x128x4096xf16>, %w2: tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
  %0:3 = mirage_kernel.launch grid(x = 4, y = 16) (%p = %x : tensor<128x4096xf16>, %b0 = %w0 : tensor<32x128x4096xf16>, %b1 = %w1 : tensor<32x128x4096xf16>, %b2 = %w2 : tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
    %f:3 = mirage_block.for %i = 0 to 64 -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x4096xf16> to tensor<128x64xf16>
      %l0 = mirage_block.load %b0 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<8x8x64xf16>
      %r0 = mirage_block.reshape %l0 : tensor<8x8x64xf16> to tensor<64x64xf16>
      %m0 = mirage_block.matmul %l, %r0 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a0 = mirage_block.accumulate sum %m0 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l1 = mirage_block.load %b1 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<8x8x64xf16>
      %r1 = mirage_block.reshape %l1 : tensor<8x8x64xf16> to tensor<64x64xf16>
      %m1 = mirage_block.matmul %l, %r1 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a1 = mirage_block.accumulate sum %m1 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l2 = mirage_block.load %b2 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<8x8x64xf16>
      %r2 = mirage_block.reshape %l2 : tensor<8x8x64xf16> to tensor<64x64xf16>
      %m2 = mirage_block.matmul %l, %r2 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a2 = mirage_block.accumulate sum %m2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a0, %a1, %a2 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
    }
    %s0 = mirage_block.reshape %f#0 : tensor<128x64xf32> to tensor<128x8x8xf32>
    %t0 = mirage_block.transpose %s0 [1, 0, 2] : (tensor<128x8x8xf32>) -> tensor<8x128x8xf32>
    %u0 = mirage_block.reshape %t0 : tensor<8x128x8xf32> to tensor<1x8x128x8xf32>
    %c0 = mirage_block.cast %u0 : tensor<1x8x128x8xf32> to tensor<1x8x128x8xf16>
    %o0 = mirage_block.store %c0 omap(x -> 1, y -> 3) : tensor<1x8x128x8xf16> to tensor<1x32x128x128xf16>
    %s1 = mirage_block.reshape %f#1 : tensor<128x64xf32> to tensor<128x8x8xf32>
    %t1 = mirage_block.transpose %s1 [1, 0, 2] : (tensor<128x8x8xf32>) -> tensor<8x128x8xf32>
    %u1 = mirage_block.reshape %t1 : tensor<8x128x8xf32> to tensor<1x8x128x8xf32>
    %c1 = mirage_block.cast %u1 : tensor<1x8x128x8xf32> to tensor<1x8x128x8xf16>
    %o1 = mirage_block.store %c1 omap(x -> 1, y -> 3) : tensor<1x8x128x8xf16> to tensor<1x32x128x128xf16>
    %s2 = mirage_block.reshape %f#2 : tensor<128x64xf32> to tensor<128x8x8xf32>
    %t2 = mirage_block.transpose %s2 [1, 0, 2] : (tensor<128x8x8xf32>) -> tensor<8x128x8xf32>
    %u2 = mirage_block.reshape %t2 : tensor<8x128x8xf32> to tensor<1x8x128x8xf32>
    %c2 = mirage_block.cast %u2 : tensor<1x8x128x8xf32> to tensor<1x8x128x8xf16>
    %o2 = mirage_block.store %c2 omap(x -> 1, y -> 3) : tensor<1x8x128x8xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %o0, %o1, %o2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
}
func.func @qkv32(%x: tensor<128x4096xf16>, %w0: tensor<32x128x4096xf16>, %w1: tensor<32x128x4096xf16>, %w2: tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
  %0:3 = mirage_kernel.launch grid(x = 16, y = 4) (%p = %x : tensor<128x4096xf16>, %b0 = %w0 : tensor<32x128x4096xf16>, %b1 = %w1 : tensor<32x128x4096xf16>, %b2 = %w2 : tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
    %f:3 = mirage_block.for %i = 0 to 64 -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x4096xf16> to tensor<128x64xf16>
      %l0 = mirage_block.load %b0 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<2x32x64xf16>
      %r0 = mirage_block.reshape %l0 : tensor<2x32x64xf16> to tensor<64x64xf16>
      %m0 = mirage_block.matmul %l, %r0 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a0 = mirage_block.accumulate sum %m0 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l1 = mirage_block.load %b1 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<2x32x64xf16>
      %r1 = mirage_block.reshape %l1 : tensor<2x32x64xf16> to tensor<64x64xf16>
      %m1 = mirage_block.matmul %l, %r1 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a1 = mirage_block.accumulate sum %m1 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l2 = mirage_block.load %b2 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<2x32x64xf16>
      %r2 = mirage_block.reshape %l2 : tensor<2x32x64xf16> to tensor<64x64xf16>
      %m2 = mirage_block.matmul %l, %r2 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a2 = mirage_block.accumulate sum %m2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a0, %a1, %a2 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
    }
    %s0 = mirage_block.reshape %f#0 : tensor<128x64xf32> to tensor<128x2x32xf32>
    %t0 = mirage_block.transpose %s0 [1, 0, 2] : (tensor<128x2x32xf32>) -> tensor<2x128x32xf32>
    %u0 = mirage_block.reshape %t0 : tensor<2x128x32xf32> to tensor<1x2x128x32xf32>
    %c0 = mirage_block.cast %u0 : tensor<1x2x128x32xf32> to tensor<1x2x128x32xf16>
    %o0 = mirage_block.store %c0 omap(x -> 1, y -> 3) : tensor<1x2x128x32xf16> to tensor<1x32x128x128xf16>
    %s1 = mirage_block.reshape %f#1 : tensor<128x64xf32> to tensor<128x2x32xf32>
    %t1 = mirage_block.transpose %s1 [1, 0, 2] : (tensor<128x2x32xf32>) -> tensor<2x128x32xf32>
    %u1 = mirage_block.reshape %t1 : tensor<2x128x32xf32> to tensor<1x2x128x32xf32>
    %c1 = mirage_block.cast %u1 : tensor<1x2x128x32xf32> to tensor<1x2x128x32xf16>
    %o1 = mirage_block.store %c1 omap(x -> 1, y -> 3) : tensor<1x2x128x32xf16> to tensor<1x32x128x128xf16>
    %s2 = mirage_block.reshape %f#2 : tensor<128x64xf32> to tensor<128x2x32xf32>
    %t2 = mirage_block.transpose %s2 [1, 0, 2] : (tensor<128x2x32xf32>) -> tensor<2x128x32xf32>
    %u2 = mirage_block.reshape %t2 : tensor<2x128x32xf32> to tensor<1x2x128x32xf32>
    %c2 = mirage_block.cast %u2 : tensor<1x2x128x32xf32> to tensor<1x2x128x32xf16>
    %o2 = mirage_block.store %c2 omap(x -> 1, y -> 3) : tensor<1x2x128x32xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %o0, %o1, %o2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
}
func.func @qkv64(%x: tensor<128x4096xf16>, %w0: tensor<32x128x4096xf16>, %w1: tensor<32x128x4096xf16>, %w2: tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
  %0:3 = mirage_kernel.launch grid(x = 32, y = 2) (%p = %x : tensor<128x4096xf16>, %b0 = %w0 : tensor<32x128x4096xf16>, %b1 = %w1 : tensor<32x128x4096xf16>, %b2 = %w2 : tensor<32x128x4096xf16>) -> (tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>) {
    %f:3 = mirage_block.for %i = 0 to 64 -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x4096xf16> to tensor<128x64xf16>
      %l0 = mirage_block.load %b0 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<1x64x64xf16>
      %r0 = mirage_block.reshape %l0 : tensor<1x64x64xf16> to tensor<64x64xf16>
      %m0 = mirage_block.matmul %l, %r0 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a0 = mirage_block.accumulate sum %m0 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l1 = mirage_block.load %b1 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<1x64x64xf16>
      %r1 = mirage_block.reshape %l1 : tensor<1x64x64xf16> to tensor<64x64xf16>
      %m1 = mirage_block.matmul %l, %r1 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a1 = mirage_block.accumulate sum %m1 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l2 = mirage_block.load %b2 imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<32x128x4096xf16> to tensor<1x64x64xf16>
      %r2 = mirage_block.reshape %l2 : tensor<1x64x64xf16> to tensor<64x64xf16>
      %m2 = mirage_block.matmul %l, %r2 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a2 = mirage_block.accumulate sum %m2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a0, %a1, %a2 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
    }
    %s0 = mirage_block.reshape %f#0 : tensor<128x64xf32> to tensor<128x1x64xf32>
    %t0 = mirage_block.transpose %s0 [1, 0, 2] : (tensor<128x1x64xf32>) -> tensor<1x128x64xf32>
    %u0 = mirage_block.reshape %t0 : tensor<1x128x64xf32> to tensor<1x1x128x64xf32>
    %c0 = mirage_block.cast %u0 : tensor<1x1x128x64xf32> to tensor<1x1x128x64xf16>
    %o0 = mirage_block.store %c0 omap(x -> 1, y -> 3) : tensor<1x1x128x64xf16> to tensor<1x32x128x128xf16>
    %s1 = mirage_block.reshape %f#1 : tensor<128x64xf32> to tensor<128x1x64xf32>
    %t1 = mirage_block.transpose %s1 [1, 0, 2] : (tensor<128x1x64xf32>) -> tensor<1x128x64xf32>
    %u1 = mirage_block.reshape %t1 : tensor<1x128x64xf32> to tensor<1x1x128x64xf32>
    %c1 = mirage_block.cast %u1 : tensor<1x1x128x64xf32> to tensor<1x1x128x64xf16>
    %o1 = mirage_block.store %c1 omap(x -> 1, y -> 3) : tensor<1x1x128x64xf16> to tensor<1x32x128x128xf16>
    %s2 = mirage_block.reshape %f#2 : tensor<128x64xf32> to tensor<128x1x64xf32>
    %t2 = mirage_block.transpose %s2 [1, 0, 2] : (tensor<128x1x64xf32>) -> tensor<1x128x64xf32>
    %u2 = mirage_block.reshape %t2 : tensor<1x128x64xf32> to tensor<1x1x128x64xf32>
    %c2 = mirage_block.cast %u2 : tensor<1x1x128x64xf32> to tensor<1x1x128x64xf16>
    %o2 = mirage_block.store %c2 omap(x -> 1, y -> 3) : tensor<1x1x128x64xf16> to tensor<1x32x128x128xf16>
    mirage_block.yield %o0, %o1, %o2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>, tensor<1x32x128x128xf16>
}
func.func @qkvplain(%x: tensor<128x4096xf16>, %w0: tensor<4096x4096xf16>, %w1: tensor<4096x4096xf16>, %w2: tensor<4096x4096xf16>) -> (tensor<128x4096xf16>, tensor<128x4096xf16>, tensor<128x4096xf16>) {
  %0:3 = mirage_kernel.launch grid(x = 64) (%p = %x : tensor<128x4096xf16>, %b0 = %w0 : tensor<4096x4096xf16>, %b1 = %w1 : tensor<4096x4096xf16>, %b2 = %w2 : tensor<4096x4096xf16>) -> (tensor<128x4096xf16>, tensor<128x4096xf16>, tensor<128x4096xf16>) {
    %f:3 = mirage_block.for %i = 0 to 64 -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
      %l = mirage_block.load %p imap(x -> phi) fmap(%i -> 1) : tensor<128x4096xf16> to tensor<128x64xf16>
      %l0 = mirage_block.load %b0 imap(x -> 0) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<64x64xf16>
      %m0 = mirage_block.matmul %l, %l0 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a0 = mirage_block.accumulate sum %m0 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l1 = mirage_block.load %b1 imap(x -> 0) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<64x64xf16>
      %m1 = mirage_block.matmul %l, %l1 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a1 = mirage_block.accumulate sum %m1 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l2 = mirage_block.load %b2 imap(x -> 0) fmap(%i -> 1) : tensor<4096x4096xf16> to tensor<64x64xf16>
      %m2 = mirage_block.matmul %l, %l2 transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a2 = mirage_block.accumulate sum %m2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a0, %a1, %a2 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
    }
    %c0 = mirage_block.cast %f#0 : tensor<128x64xf32> to tensor<128x64xf16>
    %o0 = mirage_block.store %c0 omap(x -> 1) : tensor<128x64xf16> to tensor<128x4096xf16>
    %c1 = mirage_block.cast %f#1 : tensor<128x64xf32> to tensor<128x64xf16>
    %o1 = mirage_block.store %c1 omap(x -> 1) : tensor<128x64xf16> to tensor<128x4096xf16>
    %c2 = mirage_block.cast %f#2 : tensor<128x64xf32> to tensor<128x64xf16>
    %o2 = mirage_block.store %c2 omap(x -> 1) : tensor<128x64xf16> to tensor<128x4096xf16>
    mirage_block.yield %o0, %o1, %o2 : tensor<128x4096xf16>, tensor<128x4096xf16>, tensor<128x4096xf16>
  }
  return %0#0, %0#1, %0#2 : tensor<128x4096xf16>, tensor<128x4096xf16>, tensor<128x4096xf16>
}
}