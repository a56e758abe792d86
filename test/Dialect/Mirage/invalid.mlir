// Errors of the dialect's attributes.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'func.func' op 'mirage.target' belongs on a module and holds a #mirage.target (target_c1)}}
func.func private @target_c1() attributes {mirage.target = #mirage.target<sm_90a>}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.target' belongs on a module and holds a #mirage.target (target_c1)}}
module attributes {mirage.target = "sm_90a"} {}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @target_c2(%x: tensor<512x256xf16>) {
    // expected-error @+1 {{needs 262144 bytes of shared memory per block, but the target sm_80 has 166912 (launch_c6, target_c2)}}
    mirage_kernel.launch grid(x = 1) (%a = %x : tensor<512x256xf16>) {
      %t = mirage_block.load %a imap(x -> phi) : tensor<512x256xf16> to tensor<512x256xf16>
      mirage_block.yield
    }
    return
  }
}

// -----

// expected-error @+1 {{the dialect mirage has no attribute 'mirage.targets'; known are 'mirage.target', 'mirage.num_inputs', 'mirage.superoptimize', 'mirage.superoptimized', 'mirage.primitive_class', 'mirage.equivalent_to' and 'mirage.equivalence'}}
module attributes {mirage.targets = #mirage.target<sm_80>} {}

// -----

// expected-error @+1 {{unknown target 'sm_75'; known are sm_80, sm_90a}}
module attributes {mirage.target = #mirage.target<sm_75>} {}

// -----

// expected-error @+1 {{a target has no quantity 'cores'; it has multiprocessors, shared_memory_per_block,}}
module attributes {mirage.target = #mirage.target<sm_80, cores = 4>} {}

// -----

// expected-error @+1 {{clock must be positive}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 0>} {}

// -----

// expected-error @+1 {{second value for clock}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 1, clock = 2>} {}

// -----

// expected-error @+1 {{integer value too large}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 99999999999999999999>} {}

// -----

func.func @kind(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected one of [sum, max, mean] for how elements are combined, got: product}}
  // expected-error @+1 {{failed to parse Mirage_ReduceKindAttr}}
  %0 = mirage_kernel.reduce product %x dim(0) : (tensor<4xf32>) -> tensor<f32>
}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.num_inputs' belongs on a function and holds an integer}}
module attributes {mirage.num_inputs = 3 : i64} {}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.superoptimize' belongs on a function and has no value}}
module attributes {mirage.superoptimize} {}

// -----

// expected-error @+1 {{'func.func' op 'mirage.superoptimized' belongs on a function and holds a dictionary}}
func.func private @f() attributes {mirage.superoptimized}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.primitive_class' holds a #mirage.primitive_class}}
module attributes {mirage.primitive_class = "linear"} {}
