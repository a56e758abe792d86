// Mistakes that people make when they write µGraphs by hand: each is reported at
// the operation that is wrong, with exit code 1.

// RUN: split-file %s %t
// RUN: not mirage-opt %t/imap.mlir 2>&1 | FileCheck %s --check-prefix=IMAP
// RUN: not mirage-opt %t/divide.mlir 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not mirage-opt %t/dangling.mlir 2>&1 | FileCheck %s --check-prefix=DANGLING
// RUN: not mirage-opt %t/overflow.mlir 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not mirage-opt %t/early.mlir 2>&1 | FileCheck %s --check-prefix=EARLY

//--- imap.mlir
func.func @f(%x: tensor<8x8xf32>) {
  mirage_kernel.launch grid(x = 2, y = 4) (%a = %x : tensor<8x8xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8x8xf32> to tensor<4x8xf32>
    mirage_block.yield
  }
  return
}
// IMAP: imap.mlir:3:10: error: 'mirage_block.load' op imap has no entry for grid dimension y (4 blocks); write 'y -> d' for a dimension d of the source, or phi (load_c2)

//--- divide.mlir
func.func @f(%x: tensor<100x8xf32>) {
  mirage_kernel.launch grid(x = 8) (%a = %x : tensor<100x8xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<100x8xf32> to tensor<12x8xf32>
    mirage_block.yield
  }
  return
}
// DIVIDE: divide.mlir:3:10: error: 'mirage_block.load' op imap maps grid dimension x (8 blocks) to tensor dimension 0 of size 100, which 8 does not divide (load_c5)

//--- dangling.mlir
func.func @f(%x: tensor<8x8xf32>) {
  mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8x8xf32>) {
    mirage_block.for %i = 0 to 2 {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x8xf32> to tensor<4x4xf32>
      %s = mirage_block.accumulate sum %t : (tensor<4x4xf32>) -> tensor<4x4xf32>
      mirage_block.yield
    }
    mirage_block.yield
  }
  return
}
// DANGLING: dangling.mlir:5:12: error: 'mirage_block.accumulate' op is dangling: its result must be yielded by the loop, once, and not used otherwise (accumulate_c2)

//--- overflow.mlir
func.func @f(%x: tensor<4294967296x2xf16>) -> tensor<9223372036854775807x2xf16> {
  %0 = mirage_kernel.repeat %x times [4294967296, 1] : (tensor<4294967296x2xf16>) -> tensor<9223372036854775807x2xf16>
  return %0 : tensor<9223372036854775807x2xf16>
}
// OVERFLOW: overflow.mlir:2:8: error: 'mirage_kernel.repeat' op result 0 'tensor<9223372036854775807x2xf16>' has 2^63 bytes or more (op_c2)

//--- early.mlir
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %f = mirage_block.for %i = 0 to 2 -> tensor<4x4xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<8x8xf32> to tensor<4x4xf32>
      %s = mirage_block.accumulate sum %t : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %e = mirage_block.exp %s : (tensor<4x4xf32>) -> tensor<4x4xf32>
      mirage_block.yield %s : tensor<4x4xf32>
    }
    mirage_block.yield
  }
  return %0 : tensor<8x8xf32>
}
// EARLY: early.mlir:9:5: error: 'mirage_block.yield' op yields () where the mirage_kernel.launch returns ('tensor<8x8xf32>') (launch_c3)
