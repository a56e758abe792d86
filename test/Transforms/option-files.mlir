// Files that options name: two options never write one file, what is there
// stays until all of the new is written, and what is read is no reason to crash.

// RUN: rm -rf %t && mkdir %t
// RUN: not mirage-opt %s --mirage-superoptimize='function=f stats=%t/a.json resume=%t/a.json' 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: options stats and resume name one file, '{{.*}}a.json'
// RUN: touch %t/m.json && ln -s m.json %t/link.json
// RUN: not mirage-opt %s --mirage-tile='function=f measure=recorded measurements=%t/m.json stats=%t/link.json' 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: options stats and measurements name one file
// RUN: test -e %t/m.json

// A state that was written is whole, or the one from before.
// RUN: mirage-opt %s --mirage-superoptimize='function=f effort=1 resume=%t/state.json' -o %t/full.mlir
// RUN: cp %t/state.json %t/before.json
// RUN: not --crash bash -c "ulimit -f 1; mirage-opt %s --mirage-superoptimize='function=f effort=1 resume=%t/state.json' -o /dev/null"
// RUN: cmp %t/state.json %t/before.json

// RUN: not mirage-opt %s --mirage-superoptimize='function=f effort=1 stats=/dev/full' 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: option stats: cannot write '/dev/full': No space left on device

// RUN: %python -c "print('[' * 100000)" > %t/deep.json
// RUN: not mirage-opt %s --mirage-superoptimize='function=f resume=%t/deep.json' 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: option resume: {{.*}}deep.json has more than 64 lists and objects inside each other

func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %n = mirage_kernel.softmax %x dim(1) : (tensor<16x64xf16>) -> tensor<16x64xf16>
  %y = mirage_kernel.matmul %n, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %y : tensor<16x32xf16>
}
