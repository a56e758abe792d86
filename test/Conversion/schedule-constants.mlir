// A constant has no tile. What moves its elements is folded, infinities as well;
// where that was not done, the launch goes by way of the general lowering.

// RUN: mirage-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: mirage-opt %s --mirage-schedule-launches --remark-policy=all --remarks-filter=mirage-schedule 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-run %s --entry=moved --device=threads | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// FOLD-LABEL: func.func @moved
// FOLD-NOT: mirage_block.reshape
// FOLD: return
// REMARK: remark: [Missed] general-lowering {{.*}} Remark="The launch goes by way of the general lowering: 'mirage_block.reshape' moves the elements of a constant."
func.func @moved(%x: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%x0 = %x : tensor<128x64xf32>) -> tensor<128x64xf32> {
    %t = mirage_block.load %x0 imap(x -> 0) : tensor<128x64xf32> to tensor<64x64xf32>
    %infinity = mirage_block.constant dense<0xFF800000> : tensor<1xf32>
    %one = mirage_block.reshape %infinity : tensor<1xf32> to tensor<1x1xf32>
    %m = mirage_block.max %t, %one : (tensor<64x64xf32>, tensor<1x1xf32>) -> tensor<64x64xf32>
    %s = mirage_block.store %m omap(x -> 0) : tensor<64x64xf32> to tensor<128x64xf32>
    mirage_block.yield %s : tensor<128x64xf32>
  }
  return %0 : tensor<128x64xf32>
}

}
