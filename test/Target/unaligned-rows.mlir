// Assembly that only loads from a buffer reads it, and other assembly may write it.

// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm -o %t.mlir
// RUN: mirage-translate --mirage-to-ptx %t.mlir -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: sed 's/ld.global.v4.b32 {$4, $5, $6, $7}, \[$8 + 16\]/st.global.v4.b32 [$8 + 16], {$4, $5, $6, $7}/' %t.mlir > %t.stores.mlir
// RUN: not mirage-translate --mirage-to-ptx %t.stores.mlir -o %t 2>&1 | FileCheck %s --check-prefix=STORES

// Both words of a run.
// PTX: ld.global.v4.b32 {{{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}}}, [[[ADDRESS:%rd[0-9]+]]];
// PTX-NEXT: ld.global.v4.b32 {{{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}}}, [[[ADDRESS]] + 16];
// PTX: st.shared.v4

// MANIFEST: "arguments": ["input0","output0"],
// MANIFEST-NEXT: "tensor_maps": [],
// MANIFEST-NEXT: "reads": ["input0"],
// MANIFEST-NEXT: "writes": ["output0"]

// STORES: the kernel writes the input 'input0'

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @scaled(%x: tensor<64x63xf16>) -> tensor<64x64xf16> {
  %p = mirage_kernel.pad %x low [0, 0] high [0, 1] value(0.0) : (tensor<64x63xf16>) -> tensor<64x64xf16>
  %y = mirage_kernel.launch grid(x = 8) (%a = %p : tensor<64x64xf16>) -> tensor<64x64xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x64xf16> to tensor<8x64xf16>
    %e = mirage_block.scale %t by 2.0 : (tensor<8x64xf16>) -> tensor<8x64xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x64xf16> to tensor<64x64xf16>
    mirage_block.yield %s : tensor<64x64xf16>
  }
  return %y : tensor<64x64xf16>
}
}
