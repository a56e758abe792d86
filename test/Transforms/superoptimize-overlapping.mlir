// A norm before products of unlike widths, of which no grid computes parts of one size: each launch computes the norm again, and direct launches show that before the work is done.

// RUN: mirage-opt %s --mirage-optimize=threads=1 --remark-policy=all --remarks-filter=mirage-superoptimize -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// REMARK: 7 operators in 7 kernels became 2 launches: {{.*}}; proved.

// CHECK-LABEL: func.func private @projections_part
// CHECK-NOT: mirage_kernel.rms_norm
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.rms_norm
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.rms_norm
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
func.func @projections(%x: tensor<64x768xf16>, %g: tensor<768xf16>, %w0: tensor<768x768xf16>, %w1: tensor<768x272xf16>, %w2: tensor<768x272xf16>) -> (tensor<64x768xf16>, tensor<64x272xf16>, tensor<64x272xf16>) {
  %n = mirage_kernel.rms_norm %x weight %g epsilon(1.0e-5) : (tensor<64x768xf16>, tensor<768xf16>) -> tensor<64x768xf16>
  %m0 = mirage_kernel.matmul %n, %w0 : (tensor<64x768xf16>, tensor<768x768xf16>) -> tensor<64x768xf32>
  %c0 = mirage_kernel.cast %m0 : tensor<64x768xf32> to tensor<64x768xf16>
  %m1 = mirage_kernel.matmul %n, %w1 : (tensor<64x768xf16>, tensor<768x272xf16>) -> tensor<64x272xf32>
  %c1 = mirage_kernel.cast %m1 : tensor<64x272xf32> to tensor<64x272xf16>
  %m2 = mirage_kernel.matmul %n, %w2 : (tensor<64x768xf16>, tensor<768x272xf16>) -> tensor<64x272xf32>
  %c2 = mirage_kernel.cast %m2 : tensor<64x272xf32> to tensor<64x272xf16>
  return %c0, %c1, %c2 : tensor<64x768xf16>, tensor<64x272xf16>, tensor<64x272xf16>
}
