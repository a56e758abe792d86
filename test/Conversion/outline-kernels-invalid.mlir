// Kernel operations that no function can be made of are errors.

// RUN: mirage-opt %s --mirage-outline-kernels -allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'mirage_kernel.exp' op cannot become a kernel: it stands in 'linalg.generic', whose body computes single elements}}
    %1 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.extract %1[%i] : tensor<4xf32>
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @module(%x: tensor<4xf32>) {
  builtin.module {
    %c = "framework.value"() : () -> tensor<4xf32>
    // expected-error @+1 {{'mirage_kernel.exp' op cannot become a kernel: it stands in 'builtin.module', in which functions of the module cannot be called}}
    %1 = mirage_kernel.exp %c : (tensor<4xf32>) -> tensor<4xf32>
    "framework.use"(%1) : (tensor<4xf32>) -> ()
  }
  return
}
