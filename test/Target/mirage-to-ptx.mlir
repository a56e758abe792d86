// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm -o %t.mlir
// RUN: mirage-translate --mirage-to-ptx %t.mlir -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// Without a folder, PTX goes to stdout.
// RUN: mirage-translate --mirage-to-ptx %t.mlir | diff - %t/kernels.ptx

// RUN: not mirage-translate --mirage-to-ptx %s 2>&1 | FileCheck %s --check-prefix=RAW
// RUN: not mirage-translate --mirage-to-ptx %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mirage-translate --mirage-to-ptx %t.mlir -o %t/kernels.ptx 2>&1 | FileCheck %s --check-prefix=FOLDER

// PTX: .target sm_90a
// PTX: .extern .shared .align 1024 .b8 mirage_shared_memory[];
// PTX: .visible .entry scaled_0_launch(
// PTX: .maxntid 32, 1, 1
// PTX: griddepcontrol.wait;

// MANIFEST: "version": 7
// MANIFEST: "target": "sm_90a"
// MANIFEST: "functions": [
// MANIFEST: "name": "scaled"
// MANIFEST: "name": "input0",
// MANIFEST: "role": "input",
// MANIFEST: "name": "output0",
// MANIFEST: "name": "scaled_0_launch"
// MANIFEST: "grid": [8,1,1]
// Eight rows of 64 bytes, each padded by 16.
// MANIFEST: "shared_memory_bytes": 512
// MANIFEST: "arguments": ["input0","output0"],
// MANIFEST-NEXT: "tensor_maps": [],
// MANIFEST-NEXT: "reads": ["input0"],
// MANIFEST-NEXT: "writes": ["output0"],
// MANIFEST-NEXT: "waits": true,
// MANIFEST-NEXT: "stream": 0,
// MANIFEST-NEXT: "after": []
// MANIFEST: "results": ["output0"]

// RAW: error: has no lowered function; run mirage-lower-to-nvvm on a module with mirage_kernel operations
// MISSING: missing.mlir
// FOLDER: cannot

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @scaled(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %a imap(x -> 0) {mirage.copy_way = #mirage<copy_way async>} : tensor<64x32xf16> to tensor<8x32xf16>
    %e = mirage_block.scale %t by 2.0 : (tensor<8x32xf16>) -> tensor<8x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  return %y : tensor<64x32xf16>
}
}
