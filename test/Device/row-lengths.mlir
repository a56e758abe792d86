// Rows of any length are shared by lanes and warps, also where no number of them divides the row: some go beyond its end. No thread has
// what others have. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=sixteen_by_a_prime | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=odd | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=twice_odd | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_results | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// 16 x 167 elements: four neighbours, then lanes and warps, three times, the last time beyond the end. Warps exchange what they have reduced.
// THREAD-LABEL: gpu.func @sixteen_by_a_prime
// THREAD: mirage_thread.load_fragment {{.*}} tensor<1x2672xf16, #mirage_thread.layout<registers = [4 d1:1, 3 d1:1024], lanes = [32 d1:4], warps = [8 d1:128]>>
// THREAD: mirage_thread.pad
// THREAD: mirage_thread.reduce max
// THREAD: mirage_thread.store_fragment {{.*}} : tensor<1x1x1x8x1xf32
func.func @sixteen_by_a_prime(%x: tensor<3x2672xf16>) -> tensor<3x2672xf16> {
  %l = mirage_kernel.softmax %x dim(1) : (tensor<3x2672xf16>) -> tensor<3x2672xf16>
  return %l : tensor<3x2672xf16>
}

// THREAD-LABEL: gpu.func @odd
// THREAD: mirage_thread.load_fragment {{.*}} tensor<1x4095xf32, #mirage_thread.layout<registers = [32 d1:128], lanes = [32 d1:1], warps = [4 d1:32]>>
func.func @odd(%x: tensor<3x4095xf32>) -> tensor<3x4095xf32> {
  %l = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<3x4095xf32>) -> tensor<3x4095xf32>
  return %l : tensor<3x4095xf32>
}

// THREAD-LABEL: gpu.func @twice_odd
// THREAD: mirage_thread.load_fragment {{.*}} tensor<1x334xbf16, #mirage_thread.layout<registers = [2 d1:1, 3 d1:128], lanes = [32 d1:2], warps = [2 d1:64]>>
func.func @twice_odd(%x: tensor<5x334xbf16>) -> tensor<5x1xf32> {
  %c = mirage_kernel.cast %x : tensor<5x334xbf16> to tensor<5x334xf32>
  %e = mirage_kernel.exp %c : (tensor<5x334xf32>) -> tensor<5x334xf32>
  %l = mirage_kernel.reduce sum %e dim(1) keep : (tensor<5x334xf32>) -> tensor<5x1xf32>
  return %l : tensor<5x1xf32>
}

func.func @two_results(%x: tensor<4x1002xf16>, %y: tensor<4x1002xf16>) -> (tensor<4x1002xf16>, tensor<4x1xf16>) {
  %p = mirage_kernel.mul %x, %y : (tensor<4x1002xf16>, tensor<4x1002xf16>) -> tensor<4x1002xf16>
  %l = mirage_kernel.reduce max %p dim(1) keep : (tensor<4x1002xf16>) -> tensor<4x1xf16>
  %s = mirage_kernel.sub %p, %l : (tensor<4x1002xf16>, tensor<4x1xf16>) -> tensor<4x1002xf16>
  return %s, %l : tensor<4x1002xf16>, tensor<4x1xf16>
}
}
