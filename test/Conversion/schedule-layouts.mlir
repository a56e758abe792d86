// An integer program chooses the layouts in which operators are executed that no product binds. Here it lets each warp have
// rows of its own, so that none meet in shared memory for the maximum in each iteration.

// RUN: mirage-opt %s --mirage-schedule-launches='loader=false warps=8' | FileCheck %s
// CHECK: mirage_block.reduce max {{.*}}mirage_thread.register_layout = #mirage_thread.layout<{{.*}}lanes = [32 d2:8], warps = [8 d1:1]>

// RUN: mirage-opt %s --mirage-schedule-launches='loader=false warps=8 layouts=false' | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: mirage.schedule
// WITHOUT-NOT: register_layout

// RUN: mirage-opt %s --mirage-print-schedule='loader=false warps=8' -o /dev/null | FileCheck %s --check-prefix=WHY
// WHY: layouts of {{[0-9]+}} operators, of {{[0-9]+}}, and of 1 tiles in shared memory, {{[01]}} of them free, of {{[0-9]+}}: {{[0-9]+}} clocks in place of {{[0-9]+}}, which is optimal by the integer program

// What is written by hand stays.
// RUN: mirage-opt %s --mirage-schedule-launches='loader=false warps=8' | mirage-opt --mirage-schedule-launches | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @softmax_parts(%x: tensor<1024x32000xf16>) -> tensor<1024x1xf32> {
  %0 = mirage_kernel.launch grid(x = 128) (%a = %x : tensor<1024x32000xf16>) -> tensor<1024x1xf32> {
    %sum = mirage_block.for %i = 0 to 25 -> tensor<8x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<1024x32000xf16> to tensor<8x1280xf16>
      %w = mirage_block.cast %t : tensor<8x1280xf16> to tensor<8x1280xf32>
      %m = mirage_block.reduce max %w dim(1) keep : (tensor<8x1280xf32>) -> tensor<8x1xf32>
      %d = mirage_block.sub %w, %m : (tensor<8x1280xf32>, tensor<8x1xf32>) -> tensor<8x1280xf32>
      %e = mirage_block.exp %d : (tensor<8x1280xf32>) -> tensor<8x1280xf32>
      %r = mirage_block.reduce sum %e dim(1) keep : (tensor<8x1280xf32>) -> tensor<8x1xf32>
      %s = mirage_block.accumulate rescaled_sum %r shift %m : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
      mirage_block.yield %s : tensor<8x1xf32>
    }
    %store = mirage_block.store %sum omap(x -> 0) : tensor<8x1xf32> to tensor<1024x1xf32>
    mirage_block.yield %store : tensor<1024x1xf32>
  }
  return %0 : tensor<1024x1xf32>
}
}
