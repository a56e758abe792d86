// Where the lowering fails, mirage-run writes a file with the program and the
// passes, with which mirage-opt shows the failure again.

// RUN: not mirage-run %s --device=threads --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPRODUCER --input-file=%t.mlir
// RUN: not mirage-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: error: 'mirage_kernel.launch' op has a mirage.schedule with wgmma, which sm_80 does not have
// CHECK: reproducer
// REPRODUCER: wgmma = true
// REPRODUCER: mlir_reproducer
// REPRODUCER: pipeline: "builtin.module({{.*}}convert-mirage-block-to-thread
// AGAIN: error: 'mirage_kernel.launch' op has a mirage.schedule with wgmma, which sm_80 does not have

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @product(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf32> {
    %0 = mirage_kernel.launch grid(x = 1) (%xa = %x : tensor<64x64xf16>, %wa = %w : tensor<64x64xf16>) -> tensor<64x64xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
      %xt = mirage_block.load %xa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
      %wt = mirage_block.load %wa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %st = mirage_block.store %p omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
      mirage_block.yield %st : tensor<64x64xf32>
    }
    return %0 : tensor<64x64xf32>
  }
}
