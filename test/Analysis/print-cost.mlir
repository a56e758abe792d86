// RUN: mirage-opt %s --mirage-print-cost -o /dev/null | FileCheck %s
// RUN: mirage-opt %s --mirage-print-cost=model=published -o /dev/null | FileCheck %s --check-prefix=PUBLISHED
// RUN: mirage-opt %s --mirage-print-cost='json model=general' -o /dev/null | FileCheck %s --check-prefix=GENERAL
// RUN: mirage-opt %s --mirage-print-cost=json -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: not mirage-opt %S/Inputs/no-target.mlir --mirage-print-cost 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mirage-opt %S/Inputs/no-mugraph.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: mirage-opt %S/../../examples/gqa.mlir --mirage-print-cost=json -o /dev/null | FileCheck %s --check-prefix=GQA


// NONE: no-target.mlir:[[#]]:[[#]]: error: names no target; run mirage-attach-target first
// OTHER: no-mugraph.mlir:[[#]]:[[#]]: error: the interpreter does not execute

module attributes {mirage.target = #mirage.target<sm_90a, sm_copy_bandwidth = 140, sm_bulk_bandwidth = 140, start_time = 1030>} {

// 51,200 bytes loaded (X twice), 2 x 16 x 64 x 256 flops, 4 tiles of 6144 bytes in flight;
// unittests/Analysis/Cost/CostModelTest.cpp works the time out.
// CHECK: @product on sm_90a
// CHECK-NEXT: kernel grid blocks waves loaded stored flops exps shared bound us
// CHECK-NEXT: launch:[[#@LINE+26]] 2x1x1 2 1 49152 2048 524288 0 24576 launch 2.37
// CHECK-NEXT: total 2.37 us by the model mirage
// (51,200 bytes / 4.56 TB/s + 524,288 flops / 680 TFLOP/s) (2 + 132) / 2.
// PUBLISHED: total 0.80 us by the model published
// JSON: "function": "product"
// JSON-NEXT: "model": "mirage"
// JSON-NEXT: "microseconds": 2.365
// JSON-NEXT: "whole_line_microseconds": 2.357
// JSON-NEXT: "fused_microseconds": 2.365
// JSON-NEXT: "fused_kernels": 1
// JSON: "loaded_bytes": 49152
// JSON-NEXT: "distinct_bytes": 40960
// JSON: "footprint_bytes": 10240
// JSON: "latency": 0.48388
// Rounds of 256 threads: of barriers 4 iterations of loads, product and sum, and one each
// of filling the sum, cast and store; of copies 1 for each load and store; 4 steps of 16
// of one product a warp; elements of filling, sum and cast.
// GENERAL: "function": "product"
// GENERAL: "general_work": {
// GENERAL-NEXT: "barriers": 15,
// GENERAL-NEXT: "copies": 9,
// GENERAL-NEXT: "matrix": 16,
// GENERAL-NEXT: "elements": 12,
// GENERAL-NEXT: "reduced": 0,
// GENERAL-NEXT: "exponentials": 0
func.func @product(%x: tensor<16x256xf16>, %w: tensor<256x64xf16>) -> tensor<16x64xf16> {
  %0 = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<16x256xf16>, %wa = %w : tensor<256x64xf16>) -> tensor<16x64xf16> {
    %s = mirage_block.for %k = 0 to 4 -> (tensor<16x32xf32>) {
      %xt = mirage_block.load %xa imap(x -> phi) fmap(%k -> 1)
          : tensor<16x256xf16> to tensor<16x64xf16>
      %wt = mirage_block.load %wa imap(x -> 1) fmap(%k -> 0)
          : tensor<256x64xf16> to tensor<64x32xf16>
      %p = mirage_block.matmul %xt, %wt
          : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
      %a = mirage_block.accumulate sum %p : (tensor<16x32xf32>) -> tensor<16x32xf32>
      mirage_block.yield %a : tensor<16x32xf32>
    }
    %h = mirage_block.cast %s : tensor<16x32xf32> to tensor<16x32xf16>
    %r = mirage_block.store %h omap(x -> 1) : tensor<16x32xf16> to tensor<16x64xf16>
    mirage_block.yield %r : tensor<16x64xf16>
  }
  return %0 : tensor<16x64xf16>
}

// Reshapes are views, transpositions copies. A compiler makes one kernel of two.
// CHECK: @layouts
// CHECK-NEXT: kernel
// CHECK-NEXT: transpose:[[#@LINE+6]] {{.*}} 1 4096 4096 0 0 0 launch
// CHECK-NEXT: concat:[[#@LINE+8]] {{.*}} 1 8192 8192
// CHECK-NEXT: total
// CHECK-NEXT: fused {{[0-9.]+}} us, 1 kernel
func.func @layouts(%x: tensor<32x64xf16>) -> tensor<4096xf16> {
  %0 = mirage_kernel.reshape %x : tensor<32x64xf16> to tensor<64x32xf16>
  %1 = mirage_kernel.transpose %0 [1, 0] : (tensor<64x32xf16>) -> tensor<32x64xf16>
  %2 = mirage_kernel.reshape %1 : tensor<32x64xf16> to tensor<2048xf16>
  %3 = mirage_kernel.reshape %x : tensor<32x64xf16> to tensor<2048xf16>
  %4 = mirage_kernel.concat dim(0) %2, %3
      : (tensor<2048xf16>, tensor<2048xf16>) -> tensor<4096xf16>
  return %4 : tensor<4096xf16>
}

// An input can't be returned without a copy. A program without kernels costs nothing.
// CHECK: @copy
// CHECK-NEXT: kernel
// CHECK-NEXT: reshape:[[#@LINE+3]] {{.*}} 1 4096 4096
// CHECK-NEXT: total
func.func @copy(%x: tensor<32x64xf16>) -> tensor<2048xf16> {
  %0 = mirage_kernel.reshape %x : tensor<32x64xf16> to tensor<2048xf16>
  return %0 : tensor<2048xf16>
}
// CHECK: @nothing
// CHECK-NEXT: kernel
// CHECK-NEXT: total 0.00 us
func.func @nothing(%x: tensor<32x64xf16>) -> tensor<32x64xf16> {
  return %x : tensor<32x64xf16>
}

func.func private @external(tensor<4xf16>) -> tensor<4xf16>
}

// What the comments of the example say of its shared memory.
// GQA: "function": "gqa_mugraph"
// GQA: "footprint_bytes": 66816
// GQA: "footprint_bytes": 33280
