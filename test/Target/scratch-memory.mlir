// Scratch buffers lie in one allocation. Those of kernels that run after one another share
// bytes: three buffers of 1,024 bytes take two places.
//
// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm=fuse=false | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s < %t/manifest.json
// RUN: %python %mirage_src_root/scripts/print_kernels.py %t | FileCheck %s --check-prefix=TABLE

// CHECK: "name": "scratch0"
// CHECK: "bytes": 1000,
// CHECK-NEXT: "offset": [[FIRST:0|1024]]
// CHECK: "name": "scratch1"
// CHECK: "offset": {{0|1024}}
// CHECK: "name": "scratch2"
// CHECK: "offset": [[FIRST]]
// CHECK: "scratch_bytes": 2048,
// TABLE: scratch memory of chain: 2048 B; at least 2048 B are alive at once, 3072 B side by side

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @chain(%x: tensor<500xf16>) -> tensor<500xf16> {
  %a = mirage_kernel.exp %x : (tensor<500xf16>) -> tensor<500xf16>
  %b = mirage_kernel.relu %a : (tensor<500xf16>) -> tensor<500xf16>
  %c = mirage_kernel.add %b, %x : (tensor<500xf16>, tensor<500xf16>) -> tensor<500xf16>
  %d = mirage_kernel.mul %c, %x : (tensor<500xf16>, tensor<500xf16>) -> tensor<500xf16>
  return %d : tensor<500xf16>
}
}
