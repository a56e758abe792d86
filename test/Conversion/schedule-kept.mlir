// Tiles of a loop stay in shared memory where later loops load them again, if the cost model finds that faster: eight blocks
// of a cluster have room for a row together, which one of them has not.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s
// CHECK: mirage.schedule = #mirage.schedule<{{.*}}cluster_blocks = 8, kept_tiles = true>
// RUN: mirage-opt %s --mirage-schedule-launches=keep-tiles=false | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: mirage.schedule
// WITHOUT-NOT: kept_tiles
// RUN: mirage-opt %s --mirage-print-schedule -o /dev/null | FileCheck %s --check-prefix=WHY
// WHY: kept_tiles = true: all tiles that loops load again have room in {{[0-9]+}} of the 232448 bytes that a block may have
// RUN: mirage-opt %s --mirage-schedule-launches=each | FileCheck %s --check-prefix=WAYS
// WAYS: mirage_block.load {{.*}}mirage.copy_way = #mirage<copy_way async>
// WAYS: mirage_block.load {{.*}}mirage.copy_way = #mirage<copy_way kept>

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @centred(%x: tensor<32x262144xf16>) -> tensor<32x262144xf16> {
  %0 = mirage_kernel.launch grid(x = 32) (%a = %x : tensor<32x262144xf16>) -> tensor<32x262144xf16> {
    %sum = mirage_block.for %i = 0 to 64 -> tensor<1x1xf32> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<32x262144xf16> to tensor<1x4096xf16>
      %w = mirage_block.cast %t : tensor<1x4096xf16> to tensor<1x4096xf32>
      %r = mirage_block.reduce sum %w dim(1) keep : (tensor<1x4096xf32>) -> tensor<1x1xf32>
      %s = mirage_block.accumulate sum %r : (tensor<1x1xf32>) -> tensor<1x1xf32>
      mirage_block.yield %s : tensor<1x1xf32>
    }
    %mean = mirage_block.scale %sum by 3.814697265625E-6 : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %rows = mirage_block.for %i = 0 to 64 -> tensor<1x262144xf16> {
      %t = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<32x262144xf16> to tensor<1x4096xf16>
      %w = mirage_block.cast %t : tensor<1x4096xf16> to tensor<1x4096xf32>
      %d = mirage_block.sub %w, %mean : (tensor<1x4096xf32>, tensor<1x1xf32>) -> tensor<1x4096xf32>
      %h = mirage_block.cast %d : tensor<1x4096xf32> to tensor<1x4096xf16>
      %j = mirage_block.accumulate concat %h dim(1) : (tensor<1x4096xf16>) -> tensor<1x262144xf16>
      mirage_block.yield %j : tensor<1x262144xf16>
    }
    %store = mirage_block.store %rows omap(x -> 0) : tensor<1x262144xf16> to tensor<32x262144xf16>
    mirage_block.yield %store : tensor<32x262144xf16>
  }
  return %0 : tensor<32x262144xf16>
}
}
