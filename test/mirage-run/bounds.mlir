// Elements that no bound holds for are counted, and elements beyond their bound
// are a failure.

// RUN: mirage-run %s --entry=overflow --distribution=large --check-bounds \
// RUN:   | FileCheck %s --check-prefix=OVERFLOW
// RUN: mirage-run %s --entry=exact --check-bounds | FileCheck %s --check-prefix=EXACT
// RUN: mirage-run %s --entry=chain --check-bounds | FileCheck %s --check-prefix=CHAIN
// RUN: mirage-run %s --entry=chain --check-bounds --precision=f32 \
// RUN:   | FileCheck %s --check-prefix=CHAIN

// OVERFLOW: bound 0: {{.*}} over_bound=0 unbounded={{[1-9][0-9]*}} of 256
// EXACT: bound 0: worst_error=0.000e+00 worst_error/bound=0.000e+00 over_bound=0 unbounded=0 of 256
// CHAIN: bound 0: worst_error={{[0-9.]+}}e-0{{[3-9]}} worst_error/bound={{[0-9.]+}}e-0{{[1-9]}} over_bound=0 unbounded=0 of 256

func.func @overflow(%x: tensor<256xf16>) -> tensor<256xf16> {
  %0 = mirage_kernel.pow %x to 3.0 : (tensor<256xf16>) -> tensor<256xf16>
  return %0 : tensor<256xf16>
}
func.func @exact(%x: tensor<256xf16>) -> tensor<16x16xf16> {
  %0 = mirage_kernel.relu %x : (tensor<256xf16>) -> tensor<256xf16>
  %1 = mirage_kernel.reshape %0 : tensor<256xf16> to tensor<16x16xf16>
  return %1 : tensor<16x16xf16>
}
func.func @chain(%x: tensor<256xf16>) -> tensor<256xf16> {
  %0 = mirage_kernel.gelu tanh %x : (tensor<256xf16>) -> tensor<256xf16>
  %1 = mirage_kernel.sigmoid %0 : (tensor<256xf16>) -> tensor<256xf16>
  %2 = mirage_kernel.sqrt %1 : (tensor<256xf16>) -> tensor<256xf16>
  %3 = mirage_kernel.log %2 : (tensor<256xf16>) -> tensor<256xf16>
  return %3 : tensor<256xf16>
}
