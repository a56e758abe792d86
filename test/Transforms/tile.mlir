// RUN: mirage-opt %s --mirage-tile='expr=mn(k,h) tiles=m:32,n:32,k:16,h:32' | FileCheck %s
// RUN: mirage-opt %s --mirage-tile='expr=mhnk tiles=m:32,n:32,k:16,h:32' | FileCheck %s --check-prefix=DEEP

// The result computes what the chain does, and its tiling is found again.
// RUN: mirage-opt %s --mirage-tile='function=chain expr=mn(k,h) tiles=m:32,n:32,k:16,h:32' --mirage-verify-equivalence='lhs=plain rhs=chain' --mirage-print-tiling -o /dev/null | FileCheck %s --check-prefix=FOUND
// RUN: mirage-opt %s --mirage-tile='function=attention expr=mn(k,h) tiles=m:32,n:32,k:16,h:32' --mirage-verify-equivalence='lhs=plain_attention rhs=attention' -o /dev/null | FileCheck %s --check-prefix=ONLINE

// What is chosen without expr, and why.
// RUN: mirage-opt %s --mirage-tile='function=attention stats=%t.json' -o /dev/null --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=STATS < %t.json
// RUN: mirage-opt %s --mirage-tile='function=attention exhaustive=0 seed=3' > %t.1
// RUN: mirage-opt %s --mirage-tile='function=attention exhaustive=0 seed=3' > %t.2
// RUN: diff %t.1 %t.2

// The same figures of a tiling that was given, without those of a search.
// RUN: mirage-opt %s --mirage-tile='function=chain expr=mn(k,h) tiles=m:32,n:32,k:16,h:32 stats=%t.given' -o /dev/null
// RUN: FileCheck %s --check-prefix=GIVEN --implicit-check-not=measured < %t.given
// GIVEN: "block_expression": "n(k,h)"
// GIVEN: "function": "chain"
// GIVEN: "microseconds": {{[0-9.]+}}
// GIVEN: "planned_shared_bytes": 24576
// GIVEN: "tiling": "expr=mn(k,h) tiles=m:32,k:16,n:32,h:32"

// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mnx' 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mnkh tiles=m:48' 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mnk tiles=h:32' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mnk tiles=h=32' 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not mirage-opt %s --mirage-tile='function=nothing' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mirage-opt %s --mirage-tile='function=sum' 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not mirage-opt %s --mirage-tile='tiles=m:32' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not mirage-opt %s --mirage-tile='target=sm_1' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt %s --mirage-tile='population=0' 2>&1 | FileCheck %s --check-prefix=POPULATION

// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mńk' 2>&1 | FileCheck %s --check-prefix=LETTER
// RUN: not mirage-opt %s --mirage-tile='function=chain stats=%t/no/such/folder' --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --check-prefix=FILE --implicit-check-not=remark:

// LETTER: expr=mńk, column 2: expected the end, found 'ń'
// FILE: error: option stats: {{.*}}such/folder
// LOOP: tile.mlir:[[#]]:[[#]]: error: option of mirage-tile, expr=mnx, column 3: expected one of the loops m, k, n or h, found 'x'
// DIVIDE: error: no tiling of @chain is expr=mnkh tiles=m:48,k:32,n:128,h:64: tile m:48 does not divide the 64 elements along m
// MISSING: error: no tiling of @chain is expr=mnk tiles=m:64,k:32,n:128,h:32: loop h of product 2 has 2 iterations and is missing
// TILES: error: option of mirage-tile, tiles=h=32, column 2: expected ':' and the elements of a tile, found '='
// NONE: error: the module has no function @nothing, which option function names
// SUM: tile.mlir:[[#]]:[[#]]: error: @sum is no chain of products: 'add' has 2 operands that are not the same number everywhere
// ALONE: error: option tiles of mirage-tile must be with expr
// TARGET: error: unknown target 'sm_1'; known are sm_80, sm_90a
// POPULATION: error: option population of mirage-tile must be from 1 to 1000000

// FOUND: @chain computes what @plain does: proved
// FOUND: @chain: expr=mn(k,h) tiles=m:32,k:16,n:32,h:32
// FOUND: @attention: no tiling expression: the function is not one launch
// ONLINE: @attention computes what @plain_attention does: proved

// REMARK-DAG: [Passed] memory-bound {{.*}}fusion can pay
// REMARK-DAG: [Analysis] all {{.*}}expressions=26
// REMARK-DAG: [Analysis] rule1 {{.*}}expressions=4
// REMARK-DAG: [Analysis] rule2 {{.*}}expressions=2
// REMARK-DAG: [Passed] chosen {{.*}}exhaustive=1
// STATS: "can_fusion_pay": true
// STATS: "exhaustive": true
// STATS: "function": "attention"

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func @chain
// CHECK: mirage_kernel.launch grid(x = 2)
// CHECK: [[E:%.*]] = mirage_block.for [[N:%.*]] = 0 to 4
// CHECK: [[C:%.*]] = mirage_block.for [[K:%.*]] = 0 to 2
// CHECK-DAG: mirage_block.load %{{.*}} imap(x -> 0) fmap([[N]] -> phi, [[K]] -> 1)
// CHECK-DAG: mirage_block.load %{{.*}} imap(x -> phi) fmap([[N]] -> 1, [[K]] -> 0)
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.relu [[C]]
// CHECK: mirage_block.for [[H:%.*]] = 0 to 2
// CHECK: mirage_block.load %{{.*}} imap(x -> phi) fmap([[N]] -> 0, [[H]] -> 1)
// CHECK: mirage_block.accumulate concat
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.store
// DEEP-LABEL: func.func @chain
// DEEP: mirage_kernel.launch grid(x = 2, y = 2)
// DEEP: mirage_block.for
// DEEP: mirage_block.for
// DEEP-NOT: mirage_block.for
// DEEP: func.func @attention
// Online softmax.
// DEEP: mirage_block.accumulate rescaled_sum
// DEEP: mirage_block.accumulate rescaled_sum
func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %d: tensor<128x64xf16>)
    -> tensor<64x64xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x128xf16>) -> tensor<64x128xf32>
  %1 = mirage_kernel.relu %0 : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = mirage_kernel.cast %1 : tensor<64x128xf32> to tensor<64x128xf16>
  %3 = mirage_kernel.matmul %2, %d : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
  %4 = mirage_kernel.cast %3 : tensor<64x64xf32> to tensor<64x64xf16>
  return %4 : tensor<64x64xf16>
}

func.func @attention(%q: tensor<4x64x32xf16>, %k: tensor<4x32x128xf16>, %v: tensor<4x128x64xf16>)
    -> tensor<4x64x64xf16> {
  %0 = mirage_kernel.matmul %q, %k
      : (tensor<4x64x32xf16>, tensor<4x32x128xf16>) -> tensor<4x64x128xf32>
  %1 = mirage_kernel.softmax %0 dim(2) : (tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %2 = mirage_kernel.cast %1 : tensor<4x64x128xf32> to tensor<4x64x128xf16>
  %3 = mirage_kernel.matmul %2, %v
      : (tensor<4x64x128xf16>, tensor<4x128x64xf16>) -> tensor<4x64x64xf32>
  %4 = mirage_kernel.cast %3 : tensor<4x64x64xf32> to tensor<4x64x64xf16>
  return %4 : tensor<4x64x64xf16>
}

func.func @plain(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %d: tensor<128x64xf16>)
    -> tensor<64x64xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x128xf16>) -> tensor<64x128xf32>
  %1 = mirage_kernel.relu %0 : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = mirage_kernel.cast %1 : tensor<64x128xf32> to tensor<64x128xf16>
  %3 = mirage_kernel.matmul %2, %d : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
  %4 = mirage_kernel.cast %3 : tensor<64x64xf32> to tensor<64x64xf16>
  return %4 : tensor<64x64xf16>
}

func.func @plain_attention(%q: tensor<4x64x32xf16>, %k: tensor<4x32x128xf16>, %v: tensor<4x128x64xf16>)
    -> tensor<4x64x64xf16> {
  %0 = mirage_kernel.matmul %q, %k
      : (tensor<4x64x32xf16>, tensor<4x32x128xf16>) -> tensor<4x64x128xf32>
  %1 = mirage_kernel.softmax %0 dim(2) : (tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %2 = mirage_kernel.cast %1 : tensor<4x64x128xf32> to tensor<4x64x128xf16>
  %3 = mirage_kernel.matmul %2, %v
      : (tensor<4x64x128xf16>, tensor<4x128x64xf16>) -> tensor<4x64x64xf32>
  %4 = mirage_kernel.cast %3 : tensor<4x64x64xf32> to tensor<4x64x64xf16>
  return %4 : tensor<4x64x64xf16>
}

// No chain: it stays.
// CHECK-LABEL: func.func @sum
// CHECK-NEXT: mirage_kernel.add
func.func @sum(%x: tensor<4x4xf16>, %y: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = mirage_kernel.add %x, %y : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

}
