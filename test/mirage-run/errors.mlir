// What mirage-run refuses: one clear line, exit status 1.

// RUN: not mirage-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not mirage-run %s --entry=none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mirage-run %t.none.mlir 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// RUN: not mirage-run %s --entry=math 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not mirage-run %s --entry=math --device=threads 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not mirage-run %s --entry=recursive 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not mirage-run %s --entry=calls_external 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not mirage-run %s --entry=branches 2>&1 | FileCheck %s --check-prefix=BRANCHES
// RUN: not mirage-run %s --entry=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not mirage-run %s --entry=integers 2>&1 | FileCheck %s --check-prefix=INTEGERS
// RUN: not mirage-run %s --entry=scalar 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not mirage-run %s --entry=huge 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not mirage-run %s --entry=math --output=%s/results 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not mirage-run %s --entry=fine --output=%s/results 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not mirage-run %s --entry=fine --kernels=%t.none 2>&1 | FileCheck %s --check-prefix=NODEVICE
// RUN: not mirage-run --device=cuda --kernels=%t.none 2>&1 | FileCheck %s --check-prefix=NOMANIFEST

// SEVERAL: mirage-run: error: {{.*}}errors.mlir has several functions (fine, math, recursive, calls_external, branches, dynamic, integers, scalar, huge); choose one with --entry
// UNKNOWN: mirage-run: error: {{.*}}errors.mlir has no function 'none', but fine, math
// UNREADABLE: mirage-run: error: cannot read {{.*}}none.mlir: No such file or directory
// MATH: errors.mlir:{{[0-9]+}}:8: error: the interpreter does not execute 'math.exp'
// MIXED: errors.mlir:{{[0-9]+}}:8: error: 'math.exp' op stays in @math, which can be lowered and not run: kernels alone can be
// RECURSIVE: error: the interpreter does not execute 'func.call': the call of @recursive is recursive
// EXTERNAL: error: the interpreter does not execute 'func.call': @external has no body
// BRANCHES: error: the interpreter does not execute 'cf.br'
// DYNAMIC: error: mirage-run does not run @dynamic: tensor<?xf32> is no tensor of floats of static shape
// INTEGERS: error: mirage-run does not run @integers: tensor<4xi32> is no tensor of floats of static shape
// SCALAR: error: the interpreter does not execute 'arith.constant': f32 is no tensor of floats of static shape
// HUGE: error: the interpreter does not execute 'mirage_kernel.repeat': tensor<100000000000xf32> does not have between 1 and 2147483648 elements
// FOLDER: mirage-run: error: cannot make {{.*}}errors.mlir/results
// NODEVICE: mirage-run: error: --kernels goes with --device=cuda or --device=threads
// NOMANIFEST: mirage-run: error: {{.*}}manifest.json

func.func private @external(tensor<4xf32>) -> tensor<4xf32>

func.func @fine(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @math(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %z = math.exp %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @recursive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @calls_external(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @external(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}
func.func @scalar(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  return %x : tensor<4xf32>
}
func.func @huge(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mirage_kernel.repeat %x times [25000000000] : (tensor<4xf32>) -> tensor<100000000000xf32>
  %z = mirage_kernel.slice %y[0] [4] [1] : (tensor<100000000000xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
