// Two functions on the same inputs: how far apart their results are, and when
// that is a failure.

// RUN: mirage-run %s --entry=tiled --compare=plain --tolerance=0 \
// RUN:   | FileCheck %s --check-prefix=EQUAL
// RUN: mirage-run %s --entry=split --compare=plain --tolerance=1e-3 \
// RUN:   | FileCheck %s --check-prefix=CLOSE
// RUN: not mirage-run %s --entry=wrong --compare=plain --tolerance=1e-3 \
// RUN:   | FileCheck %s --check-prefix=FAR
// RUN: mirage-run %s --entry=wrong --compare=plain | FileCheck %s --check-prefix=FAR
// RUN: mirage-run %s --entry=plain --compare=plain --compare-precision=f64 \
// RUN:   | FileCheck %s --check-prefix=CLOSE
// RUN: not mirage-run %s --entry=nan --compare=plain --tolerance=1e30 \
// RUN:   | FileCheck %s --check-prefix=NAN

// EQUAL: difference 0: max_abs_error=0.000e+00 max_rel_error=0.000e+00 frobenius_error=0.000e+00
// CLOSE: difference 0: max_abs_error={{[1-9].*}} frobenius_error={{.*}}e-04
// FAR: difference 0: max_abs_error={{.*}} frobenius_error={{[1-9].*}}e+00
// NAN: result 0: {{.*}} nan=512
// NAN: difference 0: max_abs_error=inf max_rel_error=inf frobenius_error=inf

// RUN: not mirage-run %s --entry=plain --compare=other 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIGNATURE
// RUN: not mirage-run %s --entry=plain --compare=none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// SIGNATURE: mirage-run: error: @plain and @other have different signatures
// UNKNOWN: mirage-run: error: {{.*}}compare.mlir has no function 'none', but plain, tiled, split, wrong, nan, other

func.func @plain(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %0 : tensor<16x32xf16>
}

func.func @tiled(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 4) (%l = %a : tensor<16x64xf16>, %r = %b : tensor<64x32xf16>) -> tensor<16x32xf16> {
    %lt = mirage_block.load %l imap(x -> 0, y -> phi) : tensor<16x64xf16> to tensor<8x64xf16>
    %rt = mirage_block.load %r imap(x -> phi, y -> 1) : tensor<64x32xf16> to tensor<64x8xf16>
    %p = mirage_block.matmul %lt, %rt : (tensor<8x64xf16>, tensor<64x8xf16>) -> tensor<8x8xf16>
    %s = mirage_block.store %p omap(x -> 0, y -> 1) : tensor<8x8xf16> to tensor<16x32xf16>
    mirage_block.yield %s : tensor<16x32xf16>
  }
  return %0 : tensor<16x32xf16>
}

// The contracted dimension is split over blocks, whose f16 values are summed.
func.func @split(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.launch grid(x = 4) (%l = %a : tensor<16x64xf16>, %r = %b : tensor<64x32xf16>) -> tensor<16x32xf16> {
    %lt = mirage_block.load %l imap(x -> 1) : tensor<16x64xf16> to tensor<16x16xf16>
    %rt = mirage_block.load %r imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
    %p = mirage_block.matmul %lt, %rt : (tensor<16x16xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
    %s = mirage_block.store %p omap(x -> sum) : tensor<16x32xf16> to tensor<16x32xf16>
    mirage_block.yield %s : tensor<16x32xf16>
  }
  return %0 : tensor<16x32xf16>
}

// As @tiled, but every block takes the rows of another one.
func.func @wrong(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.launch grid(x = 2, y = 2) (%l = %a : tensor<16x64xf16>, %r = %b : tensor<64x32xf16>) -> tensor<16x32xf16> {
    %lt = mirage_block.load %l imap(x -> phi, y -> 0) : tensor<16x64xf16> to tensor<8x64xf16>
    %rt = mirage_block.load %r imap(x -> 1, y -> phi) : tensor<64x32xf16> to tensor<64x16xf16>
    %p = mirage_block.matmul %lt, %rt : (tensor<8x64xf16>, tensor<64x16xf16>) -> tensor<8x16xf16>
    %s = mirage_block.store %p omap(x -> 0, y -> 1) : tensor<8x16xf16> to tensor<16x32xf16>
    mirage_block.yield %s : tensor<16x32xf16>
  }
  return %0 : tensor<16x32xf16>
}

func.func @nan(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %c = mirage_kernel.constant dense<0x7E00> : tensor<16x32xf16>
  return %c : tensor<16x32xf16>
}

func.func @other(%a: tensor<16x64xf16>, %b: tensor<64x32xf32>) -> tensor<16x32xf16> {
  %c = mirage_kernel.constant dense<0.0> : tensor<16x32xf16>
  return %c : tensor<16x32xf16>
}
