// Products of values are deferred where a thread has registers for it, unless an option says otherwise.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s --check-prefix=ON
// RUN: mirage-opt %s --mirage-schedule-launches=defer=false | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=PRINT

module attributes {mirage.target = #mirage.target<sm_90a>} {

// ON-LABEL: func.func @attention
// ON: persistent_blocks = 132, worker_registers = 232, deferred_products = true>
// OFF-LABEL: func.func @attention
// OFF: persistent_blocks = 132, worker_registers = 232>
// PRINT: deferred_products = true: a thread has registers for 200 numbers, with the operand that one trip leaves to the next
func.func @attention(%q: tensor<32x1024x128xf16>, %k: tensor<32x1024x128xf16>, %v: tensor<32x1024x128xf16>) -> tensor<32x1024x128xf16> {
  %o = mirage_kernel.launch grid(x = 32, y = 8) (%ql = %q : tensor<32x1024x128xf16>, %kl = %k : tensor<32x1024x128xf16>, %vl = %v : tensor<32x1024x128xf16>) -> tensor<32x1024x128xf16> {
    %lowest = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<32x1024x128xf16> to tensor<1x128x128xf16>
    %r:2 = mirage_block.for %i = 0 to 16 -> (tensor<1x128x1xf32>, tensor<1x128x128xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<32x1024x128xf16> to tensor<1x64x128xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<32x1024x128xf16> to tensor<1x64x128xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x128xf16>, tensor<1x64x128xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.0625 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %p = mirage_block.exp %less : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %ph = mirage_block.cast %p : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x64xf16>, tensor<1x64x128xf16>) -> tensor<1x128x128xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x128x128xf32>, tensor<1x128x1xf32>) -> tensor<1x128x128xf32>
      mirage_block.yield %a, %b : tensor<1x128x1xf32>, tensor<1x128x128xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x128x128xf32>, tensor<1x128x1xf32>) -> tensor<1x128x128xf32>
    %c = mirage_block.cast %y : tensor<1x128x128xf32> to tensor<1x128x128xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x128xf16> to tensor<32x1024x128xf16>
    mirage_block.yield %w : tensor<32x1024x128xf16>
  }
  return %o : tensor<32x1024x128xf16>
}

}
