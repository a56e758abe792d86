// An integer program chooses how tiles lie in shared memory, beside the layouts of operators. Lanes multiply rows of 64 bytes
// of f32. The rule has gaps of 16 bytes: eight lanes copy two rows to it, which have a bank in common then and none when they
// are dense; and of the right operand, lanes read every fourth row, of which two begin in the same banks, and none where gaps
// have 8 bytes.

// RUN: mirage-opt %s --mirage-schedule-launches='loader=false' | FileCheck %s
// CHECK-LABEL: func.func @gram
// CHECK: mirage_block.load {{.*}} {mirage_thread.memory_layout = "dense"} : tensor<64x784xf32> to tensor<32x16xf32>
// CHECK: mirage_block.load {{.*}} {mirage_thread.memory_layout = "gaps of 2"} : tensor<16x784xf32> to tensor<16x16xf32>
// CHECK-LABEL: func.func @product
// CHECK: mirage.schedule = {{.*}}wgmma = true
// CHECK-NOT: memory_layout

// RUN: mirage-opt %s --mirage-schedule-launches='loader=false layouts=false' | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: mirage.schedule
// WITHOUT-NOT: memory_layout

// The rows lie so in the kernel, and as the rule says without the program.
// RUN: mirage-opt %s --mirage-schedule-launches='loader=false' --convert-mirage-block-to-thread \
// RUN:   | FileCheck %s --check-prefix=THREAD
// THREAD: mirage_thread.shared_buffer {{.*}}x1x32x16xf32, #gpu
// RUN: mirage-opt %s --mirage-schedule-launches='loader=false layouts=false' --convert-mirage-block-to-thread \
// RUN:   | FileCheck %s --check-prefix=RULE
// RULE: mirage_thread.shared_buffer {{.*}}x1x32x16xf32, strided<[{{[0-9]+}}, {{[0-9]+}}, 20, 1]>

// wgmma and the copy engine bind both tiles of the second launch.
// RUN: mirage-opt %s --mirage-print-schedule='loader=false' -o /dev/null | FileCheck %s --check-prefix=WHY
// WHY: layouts of 0 operators, of 0, and of 2 tiles in shared memory, 2 of them free, of 8: {{[0-9]+}} clocks in place of {{[0-9]+}}, which is optimal
// WHY: @product
// WHY-NOT: layouts of

// What is written by hand stays, and the program has no other choice for it.
// RUN: mirage-opt %s --mirage-schedule-launches='loader=false' | mirage-opt --mirage-schedule-launches | FileCheck %s
// RUN: sed 's/fmap(%i -> 1) : tensor<64x784xf32>/fmap(%i -> 1) {mirage_thread.memory_layout = "gaps of 1"} : tensor<64x784xf32>/' %s \
// RUN:   | mirage-opt --mirage-schedule-launches='loader=false' | FileCheck %s --check-prefix=HAND
// HAND: mirage_block.load {{.*}} {mirage_thread.memory_layout = "gaps of 1"} : tensor<64x784xf32>
// HAND: mirage_block.load {{.*}} {mirage_thread.memory_layout = "gaps of 2"} : tensor<16x784xf32>

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @gram(%x: tensor<64x784xf32>, %y: tensor<16x784xf32>) -> tensor<64x16xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<64x784xf32>, %b = %y : tensor<16x784xf32>) -> tensor<64x16xf32> {
    %sum = mirage_block.for %i = 0 to 49 -> tensor<32x16xf32> {
      %s = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<64x784xf32> to tensor<32x16xf32>
      %t = mirage_block.load %b imap(x -> phi) fmap(%i -> 1) : tensor<16x784xf32> to tensor<16x16xf32>
      %p = mirage_block.matmul %s, %t transpose_rhs : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %q = mirage_block.accumulate sum %p : (tensor<32x16xf32>) -> tensor<32x16xf32>
      mirage_block.yield %q : tensor<32x16xf32>
    }
    %store = mirage_block.store %sum omap(x -> 0) : tensor<32x16xf32> to tensor<64x16xf32>
    mirage_block.yield %store : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}

func.func @product(%x: tensor<128x1024xf16>, %w: tensor<128x1024xf16>) -> tensor<128x128xf32> {
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<128x1024xf16>, %b = %w : tensor<128x1024xf16>) -> tensor<128x128xf32> {
    %sum = mirage_block.for %i = 0 to 16 -> tensor<64x128xf32> {
      %s = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<128x1024xf16> to tensor<64x64xf16>
      %t = mirage_block.load %b imap(x -> phi) fmap(%i -> 1) : tensor<128x1024xf16> to tensor<128x64xf16>
      %p = mirage_block.matmul %s, %t transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %q = mirage_block.accumulate sum %p : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %q : tensor<64x128xf32>
    }
    %store = mirage_block.store %sum omap(x -> 0) : tensor<64x128xf32> to tensor<128x128xf32>
    mirage_block.yield %store : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}
}
