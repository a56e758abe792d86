// A way of a launch for which its operand would have to be put together first is not taken.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/record-launches.py mirage-opt %s parts %t/times.json 'grid 4=2' 'grid 2=1.5' 'grid 1=1'
// RUN: mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/times.json' --remark-policy=all --remarks-filter=mirage-tune-launches 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks

// RUN: %python %S/Inputs/record-launches.py mirage-opt %s parts %t/times.json 'grid 4=2' 'grid 2=1.5' 'grid 1=1.6'
// RUN: mirage-opt %s --mirage-tune-launches='measure=recorded measurements=%t/times.json' | FileCheck %s --check-prefix=HALVES

// Another tiling is written without the layouts of registers that its schedule had: they are those of the
// schedule's warps, of which another schedule has another number. Nor does it say how tiles lie in shared memory, which
// depends on the warps that copy and read them.
// RUN: mirage-opt %s --mirage-tune-launches='measure=instructions schedules=false' | FileCheck %s --check-prefix=TILING
// RUN: sed 's/load %%a imap(x -> 0)/& {mirage_thread.memory_layout = "chunks of 16"}/' %s \
// RUN:   | mirage-opt --mirage-tune-launches='measure=instructions schedules=false' | FileCheck %s --check-prefix=TILING

// CHECK: mirage_kernel.launch grid(x = 4)
// CHECK-NOT: mirage.schedule
// REMARK: remark: [Missed] not-alone {{.*}}With grid 1 what stands beside the launch would need more kernels.
// HALVES: mirage_kernel.launch grid(x = 2)
// TILING-NOT: {{register|memory}}_layout
// TILING: mirage_kernel.launch grid(x = 64)
// TILING-NOT: {{register|memory}}_layout
func.func @parts(%x: tensor<32x64xf16>, %y: tensor<32x64xf16>) -> tensor<64x64xf16> {
  %p = mirage_kernel.concat dim(0) %x, %y : (tensor<32x64xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %0 = mirage_kernel.launch grid(x = 4) (%a = %p : tensor<64x64xf16>) -> tensor<64x64xf16> {
    %l = mirage_block.load %a imap(x -> 0) : tensor<64x64xf16> to tensor<16x64xf16>
    %e = mirage_block.exp %l : (tensor<16x64xf16>) -> tensor<16x64xf16>
    %o = mirage_block.store %e omap(x -> 0) : tensor<16x64xf16> to tensor<64x64xf16>
    mirage_block.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
