// A function that has launches already is searched in pieces around them.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK: func.func @searched({{.*}} attributes {mirage.superoptimized = {{{.*}}pieces = 1 : i64, {{.*}}verdict = "proved"}}
// CHECK-NEXT: mirage_kernel.launch
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.matmul
func.func @searched(%x: tensor<64x32xf16>, %w: tensor<32x64xf16>)
    -> tensor<64x64xf16> attributes {mirage.superoptimize} {
  %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
    %r = mirage_block.reduce sum %t dim(1) keep : (tensor<16x32xf16>) -> tensor<16x1xf16>
    %d = mirage_block.div %t, %r : (tensor<16x32xf16>, tensor<16x1xf16>) -> tensor<16x32xf16>
    %s = mirage_block.store %d omap(x -> 0) : tensor<16x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  %0 = mirage_kernel.matmul %y, %w : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// CHECK: func.func @launch({{.*}} attributes {mirage.superoptimized = {reason = "it has launches already", verdict = "unsupported"}}
// CHECK-NEXT: mirage_kernel.launch
func.func @launch(%x: tensor<64x32xf16>) -> tensor<64x32xf16> attributes {mirage.superoptimize} {
  %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
    %r = mirage_block.reduce sum %t dim(1) keep : (tensor<16x32xf16>) -> tensor<16x1xf16>
    %d = mirage_block.div %t, %r : (tensor<16x32xf16>, tensor<16x1xf16>) -> tensor<16x32xf16>
    %s = mirage_block.store %d omap(x -> 0) : tensor<16x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  return %y : tensor<64x32xf16>
}
