// A launch whose operand has parts in two orders takes as long as one whose parts all lie in the order that fills fewer lines: rows of 256 halves are whole lines, and of columns each block
// reads eight halves at a time.
//
// RUN: mirage-opt %s --mirage-attach-target --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: @straight on
// CHECK-NEXT: kernel
// CHECK-NEXT: launch
// CHECK-NEXT: total 9.84 us
func.func @straight(%x: tensor<2048x256xf16>, %a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<2x2048x256xf16> {
  %a1 = mirage_kernel.reshape %a : tensor<256x256xf16> to tensor<1x256x256xf16>
  %b1 = mirage_kernel.reshape %b : tensor<256x256xf16> to tensor<1x256x256xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x256x256xf16>, tensor<1x256x256xf16>) -> tensor<2x256x256xf16>
  %y = mirage_kernel.launch grid(x = 32, y = 2) (%kx = %x : tensor<2048x256xf16>, %kw = %w : tensor<2x256x256xf16>) -> tensor<2x2048x256xf16> {
    %sum = mirage_block.for %i = 0 to 32 -> tensor<64x256xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2048x256xf16> to tensor<64x8xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<2x256x256xf16> to tensor<1x8x256xf16>
      %flat = mirage_block.reshape %tw : tensor<1x8x256xf16> to tensor<8x256xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<64x8xf16>, tensor<8x256xf16>) -> tensor<64x256xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x256xf32>) -> tensor<64x256xf32>
      mirage_block.yield %s : tensor<64x256xf32>
    }
    %r = mirage_block.reshape %sum : tensor<64x256xf32> to tensor<1x64x256xf32>
    %h = mirage_block.cast %r : tensor<1x64x256xf32> to tensor<1x64x256xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0) : tensor<1x64x256xf16> to tensor<2x2048x256xf16>
    mirage_block.yield %o : tensor<2x2048x256xf16>
  }
  return %y : tensor<2x2048x256xf16>
}

// CHECK-LABEL: @mixed on
// CHECK-NEXT: kernel
// CHECK-NEXT: launch
// CHECK-NEXT: total 16.09 us
func.func @mixed(%x: tensor<2048x256xf16>, %a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<2x2048x256xf16> {
  %bt = mirage_kernel.transpose %b [1, 0] : (tensor<256x256xf16>) -> tensor<256x256xf16>
  %a1 = mirage_kernel.reshape %a : tensor<256x256xf16> to tensor<1x256x256xf16>
  %b1 = mirage_kernel.reshape %bt : tensor<256x256xf16> to tensor<1x256x256xf16>
  %w = mirage_kernel.concat dim(0) %a1, %b1 : (tensor<1x256x256xf16>, tensor<1x256x256xf16>) -> tensor<2x256x256xf16>
  %y = mirage_kernel.launch grid(x = 32, y = 2) (%kx = %x : tensor<2048x256xf16>, %kw = %w : tensor<2x256x256xf16>) -> tensor<2x2048x256xf16> {
    %sum = mirage_block.for %i = 0 to 32 -> tensor<64x256xf32> {
      %tx = mirage_block.load %kx imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2048x256xf16> to tensor<64x8xf16>
      %tw = mirage_block.load %kw imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<2x256x256xf16> to tensor<1x8x256xf16>
      %flat = mirage_block.reshape %tw : tensor<1x8x256xf16> to tensor<8x256xf16>
      %p = mirage_block.matmul %tx, %flat : (tensor<64x8xf16>, tensor<8x256xf16>) -> tensor<64x256xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x256xf32>) -> tensor<64x256xf32>
      mirage_block.yield %s : tensor<64x256xf32>
    }
    %r = mirage_block.reshape %sum : tensor<64x256xf32> to tensor<1x64x256xf32>
    %h = mirage_block.cast %r : tensor<1x64x256xf32> to tensor<1x64x256xf16>
    %o = mirage_block.store %h omap(x -> 1, y -> 0) : tensor<1x64x256xf16> to tensor<2x2048x256xf16>
    mirage_block.yield %o : tensor<2x2048x256xf16>
  }
  return %y : tensor<2x2048x256xf16>
}
