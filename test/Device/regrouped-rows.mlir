// Products whose right operand is loaded as rows of several dimensions: a reshape that leaves the rows' elements together
// reads them where they are in swizzled shared memory. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=rows_of_four | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_chunks | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=one_head | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=short_chunks | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=beyond | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=split | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=heads_of_keys | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// PTX-COUNT-66: wgmma.mma_async.sync
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {
// Sixteen columns of each of four heads are the columns of one product.
func.func @rows_of_four(%x: tensor<128x256xf16>, %w: tensor<8x32x256xf16>) -> tensor<8x128x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<128x256xf16>, %b = %w : tensor<8x32x256xf16>) -> tensor<8x128x32xf16> {
    %f = mirage_block.for %i = 0 to 4 -> tensor<128x64xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x64xf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<8x32x256xf16> to tensor<4x16x64xf16>
      %r = mirage_block.reshape %k : tensor<4x16x64xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a : tensor<128x64xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x64xf32> to tensor<128x4x16xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x4x16xf32>) -> tensor<4x128x16xf32>
    %c = mirage_block.cast %t : tensor<4x128x16xf32> to tensor<4x128x16xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<4x128x16xf16> to tensor<8x128x32xf16>
    mirage_block.yield %o : tensor<8x128x32xf16>
  }
  return %0 : tensor<8x128x32xf16>
}

// A row is two chunks, which lie as far apart as all rows of the tile.
func.func @two_chunks(%x: tensor<128x512xbf16>, %w: tensor<4x64x512xbf16>) -> tensor<4x128x64xbf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<128x512xbf16>, %b = %w : tensor<4x64x512xbf16>) -> tensor<4x128x64xbf16> {
    %f = mirage_block.for %i = 0 to 4 -> tensor<128x64xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x512xbf16> to tensor<128x128xbf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<4x64x512xbf16> to tensor<2x32x128xbf16>
      %r = mirage_block.reshape %k : tensor<2x32x128xbf16> to tensor<64x128xbf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x128xbf16>, tensor<64x128xbf16>) -> tensor<128x64xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a : tensor<128x64xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x64xf32> to tensor<128x2x32xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x2x32xf32>) -> tensor<2x128x32xf32>
    %c = mirage_block.cast %t : tensor<2x128x32xf32> to tensor<2x128x32xbf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<2x128x32xbf16> to tensor<4x128x64xbf16>
    mirage_block.yield %o : tensor<4x128x64xbf16>
  }
  return %0 : tensor<4x128x64xbf16>
}

// A dimension of size one.
func.func @one_head(%x: tensor<128x256xf16>, %w: tensor<2x64x256xf16>) -> tensor<2x128x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 1) (%p = %x : tensor<128x256xf16>, %b = %w : tensor<2x64x256xf16>) -> tensor<2x128x64xf16> {
    %f = mirage_block.for %i = 0 to 4 -> tensor<128x64xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x64xf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<2x64x256xf16> to tensor<1x64x64xf16>
      %r = mirage_block.reshape %k : tensor<1x64x64xf16> to tensor<64x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x64xf32>) -> tensor<128x64xf32>
      mirage_block.yield %a : tensor<128x64xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x64xf32> to tensor<128x1x64xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x1x64xf32>) -> tensor<1x128x64xf32>
    %c = mirage_block.cast %t : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<1x128x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %o : tensor<2x128x64xf16>
  }
  return %0 : tensor<2x128x64xf16>
}

// Chunks of 32 elements.
func.func @short_chunks(%x: tensor<128x96xf16>, %w: tensor<8x16x96xf16>) -> tensor<8x128x16xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<128x96xf16>, %b = %w : tensor<8x16x96xf16>) -> tensor<8x128x16xf16> {
    %f = mirage_block.for %i = 0 to 3 -> tensor<128x32xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x96xf16> to tensor<128x32xf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<8x16x96xf16> to tensor<4x8x32xf16>
      %r = mirage_block.reshape %k : tensor<4x8x32xf16> to tensor<32x32xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x32xf16>, tensor<32x32xf16>) -> tensor<128x32xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x32xf32>) -> tensor<128x32xf32>
      mirage_block.yield %a : tensor<128x32xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x32xf32> to tensor<128x4x8xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x4x8xf32>) -> tensor<4x128x8xf32>
    %c = mirage_block.cast %t : tensor<4x128x8xf32> to tensor<4x128x8xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<4x128x8xf16> to tensor<8x128x16xf16>
    mirage_block.yield %o : tensor<8x128x16xf16>
  }
  return %0 : tensor<8x128x16xf16>
}

// The last rows that wgmma reads are no part of the tile.
func.func @beyond(%x: tensor<128x256xf16>, %w: tensor<2x86x256xf16>) -> tensor<2x128x86xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 1) (%p = %x : tensor<128x256xf16>, %b = %w : tensor<2x86x256xf16>) -> tensor<2x128x86xf16> {
    %f = mirage_block.for %i = 0 to 4 -> tensor<128x86xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x64xf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<2x86x256xf16> to tensor<1x86x64xf16>
      %r = mirage_block.reshape %k : tensor<1x86x64xf16> to tensor<86x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x64xf16>, tensor<86x64xf16>) -> tensor<128x86xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x86xf32>) -> tensor<128x86xf32>
      mirage_block.yield %a : tensor<128x86xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x86xf32> to tensor<128x1x86xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x1x86xf32>) -> tensor<1x128x86xf32>
    %c = mirage_block.cast %t : tensor<1x128x86xf32> to tensor<1x128x86xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<1x128x86xf16> to tensor<2x128x86xf16>
    mirage_block.yield %o : tensor<2x128x86xf16>
  }
  return %0 : tensor<2x128x86xf16>
}

// Four rows are swizzled with four others: the tile stays in strides, and the product goes by mma.sync.
func.func @split(%x: tensor<128x256xf16>, %w: tensor<16x8x256xf16>) -> tensor<16x128x8xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%p = %x : tensor<128x256xf16>, %b = %w : tensor<16x8x256xf16>) -> tensor<16x128x8xf16> {
    %f = mirage_block.for %i = 0 to 4 -> tensor<128x32xf32> {
      %l = mirage_block.load %p imap(x -> phi, y -> phi) fmap(%i -> 1) : tensor<128x256xf16> to tensor<128x64xf16>
      %k = mirage_block.load %b imap(x -> 0, y -> 1) fmap(%i -> 2) : tensor<16x8x256xf16> to tensor<8x4x64xf16>
      %r = mirage_block.reshape %k : tensor<8x4x64xf16> to tensor<32x64xf16>
      %m = mirage_block.matmul %l, %r transpose_rhs : (tensor<128x64xf16>, tensor<32x64xf16>) -> tensor<128x32xf32>
      %a = mirage_block.accumulate sum %m : (tensor<128x32xf32>) -> tensor<128x32xf32>
      mirage_block.yield %a : tensor<128x32xf32>
    }
    %s = mirage_block.reshape %f : tensor<128x32xf32> to tensor<128x8x4xf32>
    %t = mirage_block.transpose %s [1, 0, 2] : (tensor<128x8x4xf32>) -> tensor<8x128x4xf32>
    %c = mirage_block.cast %t : tensor<8x128x4xf32> to tensor<8x128x4xf16>
    %o = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<8x128x4xf16> to tensor<16x128x8xf16>
    mirage_block.yield %o : tensor<16x128x8xf16>
  }
  return %0 : tensor<16x128x8xf16>
}

// The keys of a head lie between those of others, and a transpose of dimensions of size one makes them columns.
func.func @heads_of_keys(%q0: tensor<2x64x64xf16>, %k0: tensor<1x128x2x64xf16>) -> tensor<2x64x128xf16> {
  %0 = mirage_kernel.launch grid(x = 2) (%p = %q0 : tensor<2x64x64xf16>, %b = %k0 : tensor<1x128x2x64xf16>) -> tensor<2x64x128xf16> {
    %q = mirage_block.load %p imap(x -> 0) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %f = mirage_block.for %i = 0 to 2 -> tensor<1x64x128xf32> {
      %k = mirage_block.load %b imap(x -> 2) fmap(%i -> 1) : tensor<1x128x2x64xf16> to tensor<1x64x1x64xf16>
      %r = mirage_block.reshape %k : tensor<1x64x1x64xf16> to tensor<64x1x64xf16>
      %t = mirage_block.transpose %r [1, 2, 0] : (tensor<64x1x64xf16>) -> tensor<1x64x64xf16>
      %m = mirage_block.matmul %q, %t : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %e = mirage_block.relu %m : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate concat %e dim(2) : (tensor<1x64x64xf32>) -> tensor<1x64x128xf32>
      mirage_block.yield %a : tensor<1x64x128xf32>
    }
    %c = mirage_block.cast %f : tensor<1x64x128xf32> to tensor<1x64x128xf16>
    %o = mirage_block.store %c omap(x -> 0) : tensor<1x64x128xf16> to tensor<2x64x128xf16>
    mirage_block.yield %o : tensor<2x64x128xf16>
  }
  return %0 : tensor<2x64x128xf16>
}
}
