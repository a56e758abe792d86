// Where a launch is as fast as the operators are that are fused without it, it takes their place only if the
// function is all that its callers do: operators that stay may be fused with what is around the call.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize='fused kernels=1' | FileCheck %s

// CHECK-LABEL: func.func @alone
// CHECK: call @norm_alone
// CHECK: func.func private @norm_alone
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
func.func @alone(%x: tensor<128x1024xf16>) -> tensor<128x1024xf16> {
  %0 = call @norm_alone(%x) : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  return %0 : tensor<128x1024xf16>
}
func.func private @norm_alone(%x: tensor<128x1024xf16>) -> tensor<128x1024xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.abs %x : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  %1 = mirage_kernel.rms_norm %0 epsilon(1.0e-5) : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  return %1 : tensor<128x1024xf16>
}

// -----

// CHECK-LABEL: func.func @among_others
// CHECK: call @norm_among_others
// CHECK: mirage_kernel.exp
// CHECK: func.func private @norm_among_others
// CHECK-SAME: verdict = "unchanged"
// CHECK: mirage_kernel.rms_norm
func.func @among_others(%x: tensor<128x1024xf16>) -> tensor<128x1024xf16> {
  %0 = call @norm_among_others(%x) : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  %1 = mirage_kernel.exp %0 : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  return %1 : tensor<128x1024xf16>
}
func.func private @norm_among_others(%x: tensor<128x1024xf16>) -> tensor<128x1024xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.abs %x : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  %1 = mirage_kernel.rms_norm %0 epsilon(1.0e-5) : (tensor<128x1024xf16>) -> tensor<128x1024xf16>
  return %1 : tensor<128x1024xf16>
}
