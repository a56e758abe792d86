// Tiles lie as they would best only where as many blocks have room then. Gaps of 8 bytes behind rows of 48 leave room for two
// blocks of a multiprocessor in place of three; where all blocks are executed at a time, two suffice.

// RUN: mirage-opt %s --mirage-print-schedule='loader=false' -o /dev/null | FileCheck %s
// CHECK: @three
// CHECK: of 2 tiles in shared memory, 2 of them free, of {{[0-9]+}}: [[CLOCKS:[0-9]+]] clocks, which is optimal; there is no room in which all tiles lie as they would best
// CHECK: @few
// CHECK: of 2 tiles in shared memory, 2 of them free, of {{[0-9]+}}: {{[0-9]+}} clocks in place of [[CLOCKS]], which is optimal{{$}}

// RUN: mirage-opt %s --mirage-schedule-launches='loader=false' --remark-policy=all --remarks-filter=mirage-schedule 2> %t \
// RUN:   | FileCheck %s --check-prefix=LAYOUT
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// LAYOUT: @three
// LAYOUT-NOT: memory_layout
// LAYOUT: @few
// LAYOUT: {mirage_thread.memory_layout = "gaps of 2"} : tensor<1600x12xf32>
// REMARK: remark: [Missed] layouts {{.*}}Of 2 tiles in shared memory that may lie in several ways, 0 lie otherwise than by rule: fewer blocks would have room if all lay as they would best.
// REMARK-NOT: remark:

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @three(%x: tensor<5120x12xf32>, %y: tensor<1600x12xf32>) -> tensor<5120x1600xf32> {
  %0 = mirage_kernel.launch grid(x = 320) (%a = %x : tensor<5120x12xf32>, %b = %y : tensor<1600x12xf32>) -> tensor<5120x1600xf32> {
    %s = mirage_block.load %a imap(x -> 0) : tensor<5120x12xf32> to tensor<16x12xf32>
    %t = mirage_block.load %b imap(x -> phi) : tensor<1600x12xf32> to tensor<1600x12xf32>
    %p = mirage_block.matmul %s, %t transpose_rhs : (tensor<16x12xf32>, tensor<1600x12xf32>) -> tensor<16x1600xf32>
    %e = mirage_block.store %p omap(x -> 0) : tensor<16x1600xf32> to tensor<5120x1600xf32>
    mirage_block.yield %e : tensor<5120x1600xf32>
  }
  return %0 : tensor<5120x1600xf32>
}

func.func @few(%x: tensor<1600x12xf32>, %y: tensor<1600x12xf32>) -> tensor<1600x1600xf32> {
  %0 = mirage_kernel.launch grid(x = 100) (%a = %x : tensor<1600x12xf32>, %b = %y : tensor<1600x12xf32>) -> tensor<1600x1600xf32> {
    %s = mirage_block.load %a imap(x -> 0) : tensor<1600x12xf32> to tensor<16x12xf32>
    %t = mirage_block.load %b imap(x -> phi) : tensor<1600x12xf32> to tensor<1600x12xf32>
    %p = mirage_block.matmul %s, %t transpose_rhs : (tensor<16x12xf32>, tensor<1600x12xf32>) -> tensor<16x1600xf32>
    %e = mirage_block.store %p omap(x -> 0) : tensor<16x1600xf32> to tensor<1600x1600xf32>
    mirage_block.yield %e : tensor<1600x1600xf32>
  }
  return %0 : tensor<1600x1600xf32>
}
}
