// Kernels that do not depend on each other are on several streams of a CUDA graph, and one
// that depends on nothing but the one before it is launched while that runs. Scratch is
// planned so that kernels do not wait for each other because of bytes, as long as this takes
// no more than 1.05 of what they need one after another.
//
// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm=fuse=false | mirage-translate --mirage-to-ptx -o %t
// RUN: %python %mirage_src_root/scripts/print_kernels.py %t | FileCheck %s

module attributes {mirage.target = #mirage.target<sm_90a>} {
// CHECK: launches of projections: 5 on 3 streams, 3 in the longest chain, 0 while the one before runs
func.func @projections(%x: tensor<64x64xf16>, %q: tensor<64x64xf16>, %k: tensor<64x64xf16>,
                       %v: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.matmul %x, %q : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %b = mirage_kernel.matmul %x, %k : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.matmul %x, %v : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %ab = mirage_kernel.add %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %abc = mirage_kernel.add %ab, %c : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %abc : tensor<64x64xf16>
}

// CHECK: launches of chain: 3 on 1 streams, 3 in the longest chain, 2 while the one before runs
func.func @chain(%x: tensor<512xf16>) -> tensor<512xf16> {
  %a = mirage_kernel.exp %x : (tensor<512xf16>) -> tensor<512xf16>
  %b = mirage_kernel.relu %a : (tensor<512xf16>) -> tensor<512xf16>
  %c = mirage_kernel.exp %b : (tensor<512xf16>) -> tensor<512xf16>
  return %c : tensor<512xf16>
}

// Two chains of three kernels, each of which needs two buffers of 1,024 bytes, behind one whose
// buffers have 4,096.
// CHECK: scratch memory of branches: 8192 B; at least 8192 B are alive at once, 15360 B side by side
// CHECK: launches of branches: 10 on 2 streams, 7 in the longest chain, 7 while the one before runs
func.func @branches(%x: tensor<4x512xf16>) -> tensor<1x512xf16> {
  %p = mirage_kernel.exp %x : (tensor<4x512xf16>) -> tensor<4x512xf16>
  %q = mirage_kernel.relu %p : (tensor<4x512xf16>) -> tensor<4x512xf16>
  %y = mirage_kernel.reduce sum %q dim(0) keep : (tensor<4x512xf16>) -> tensor<1x512xf16>
  %a = mirage_kernel.exp %y : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %b = mirage_kernel.relu %a : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %c = mirage_kernel.exp %b : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %d = mirage_kernel.relu %y : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %e = mirage_kernel.exp %d : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %f = mirage_kernel.relu %e : (tensor<1x512xf16>) -> tensor<1x512xf16>
  %g = mirage_kernel.add %c, %f : (tensor<1x512xf16>, tensor<1x512xf16>) -> tensor<1x512xf16>
  return %g : tensor<1x512xf16>
}

// The same without what comes before: one after another they take three buffers, and four
// beside each other, which is too many.
// CHECK: scratch memory of narrow: 3072 B; at least 3072 B are alive at once, 6144 B side by side
// CHECK: launches of narrow: 7 on 1 streams, 7 in the longest chain, 6 while the one before runs
func.func @narrow(%x: tensor<512xf16>) -> tensor<512xf16> {
  %a = mirage_kernel.exp %x : (tensor<512xf16>) -> tensor<512xf16>
  %b = mirage_kernel.relu %a : (tensor<512xf16>) -> tensor<512xf16>
  %c = mirage_kernel.exp %b : (tensor<512xf16>) -> tensor<512xf16>
  %d = mirage_kernel.relu %x : (tensor<512xf16>) -> tensor<512xf16>
  %e = mirage_kernel.exp %d : (tensor<512xf16>) -> tensor<512xf16>
  %f = mirage_kernel.relu %e : (tensor<512xf16>) -> tensor<512xf16>
  %g = mirage_kernel.add %c, %f : (tensor<512xf16>, tensor<512xf16>) -> tensor<512xf16>
  return %g : tensor<512xf16>
}
}
