// The generic form can say anything. Each operation, with something missing: an
// error at the operation, and no crash.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

func.func @no_attributes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.split' op requires attribute 'dim'}}
  "mirage_kernel.split"(%x) : (tensor<4x8xf32>) -> ()
  return
}

// -----

func.func @no_operands() {
  // expected-error @+1 {{'mirage_kernel.matmul' op expected 2 operands, but found 0}}
  "mirage_kernel.matmul"() : () -> tensor<4x4xf32>
  return
}

// -----

func.func @no_results(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_block.exp' op requires one result}}
  "mirage_block.exp"(%x) : (tensor<4x8xf32>) -> ()
  return
}

// -----

func.func @wrong_attribute(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{Invalid attribute `dim` in property conversion}}
  "mirage_kernel.reduce"(%x) <{dim = "one", kind = #mirage<reduce_kind sum>}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor}}
  "mirage_kernel.exp"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor}}
  "mirage_kernel.exp"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @segments(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.layer_norm' op operand count (1) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  "mirage_kernel.layer_norm"(%x) <{epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @negative_segments(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'operandSegmentSizes' attribute cannot have negative elements}}
  "mirage_kernel.layer_norm"(%x) <{epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 2, -1, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// An attribute that is another operator's says nothing here.
func.func @foreign_attribute(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'mirage_kernel.concat' op has 0 operands, concat takes at least 1 (concat_c1)}}
  %0 = "mirage_kernel.concat"() <{dim = 0 : i64}> {compute = f32} : () -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @region_without_blocks(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.launch' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "mirage_kernel.launch"(%x) <{grid = array<i64: 1>}> ({}) : (tensor<4x8xf32>) -> ()
  return
}

// -----

func.func @no_region() {
  // expected-error @+1 {{'mirage_kernel.launch' op requires one region}}
  "mirage_kernel.launch"() <{grid = array<i64: 1>}> : () -> ()
  return
}

// -----

// The module's target looks into launches only after they are verified.
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @malformed_under_target() {
    // expected-error @+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "mirage_kernel.launch"() <{grid = array<i64: 1>}> ({}) : () -> ()
    return
  }
}

// -----

module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @loop_under_target() {
    mirage_kernel.launch grid(x = 1) () {
      // expected-error @+1 {{'mirage_block.for' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
      "mirage_block.for"() <{extent = 2 : i64}> ({}) : () -> ()
      mirage_block.yield
    }
    return
  }
}

// -----

func.func @two_blocks() {
  // expected-error @+1 {{'mirage_kernel.launch' op expects region #0 to have 0 or 1 blocks}}
  "mirage_kernel.launch"() <{grid = array<i64: 1>}> ({
    "mirage_block.yield"() : () -> ()
  ^bb1:
    "mirage_block.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @empty_block() {
  // expected-error @+1 {{'mirage_kernel.launch' op expects a non-empty block}}
  "mirage_kernel.launch"() <{grid = array<i64: 1>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @empty_loop() {
  // expected-error @+1 {{'mirage_block.for' op expects a non-empty block}}
  "mirage_block.for"() <{extent = 2 : i64}> ({
  ^bb0(%i: index):
  }) : () -> ()
  return
}

// -----

func.func @no_extent() {
  // expected-error @+1 {{'mirage_block.for' op requires attribute 'extent'}}
  "mirage_block.for"() ({
  ^bb0(%i: index):
    "mirage_block.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @no_grid() {
  // expected-error @+1 {{'mirage_kernel.launch' op requires attribute 'grid'}}
  "mirage_kernel.launch"() ({ "mirage_block.yield"() : () -> () }) : () -> ()
  return
}

// -----

func.func @no_maps(%x: tensor<4xf32>) {
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4xf32>) {
    // expected-error @+1 {{'mirage_block.load' op requires attribute 'fmap'}}
    %t = "mirage_block.load"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    "mirage_block.yield"() : () -> ()
  }
  return
}

// -----

// An extent of zero threads divides nothing.
func.func @zero_threads(%x: memref<8xf32>) {
  // expected-error @+1 {{threads (0) must be one to three positive extents whose product is at most 1024 (compute_c3)}}
  "mirage_thread.compute"(%x) <{operandSegmentSizes = array<i32: 1, 0>, threads = array<i64: 0>}> ({
  ^bb0(%a: tensor<8xf32>):
    %t = "mirage_thread.load"(%a) <{imap = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8xf32>
    "mirage_thread.yield"() : () -> ()
  }) : (memref<8xf32>) -> ()
  return
}

// -----

// A buffer of elements that no tensor holds.
func.func @buffer_of_buffers(%x: memref<8xmemref<4xf32>>) {
  // expected-error @+1 {{value of type 'tensor<8xf32>' for buffer 'memref<8xmemref<4xf32>>' (compute_c1)}}
  "mirage_thread.compute"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: tensor<8xf32>):
    "mirage_thread.yield"() : () -> ()
  }) : (memref<8xmemref<4xf32>>) -> ()
  return
}

// -----

func.func @vector_constant() {
  // expected-error @+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "mirage_kernel.constant"() <{value = dense<1.0> : vector<4xf32>}> : () -> tensor<4xf32>
  return
}

// -----

func.func @integer_constant() {
  // expected-error @+1 {{result #0 must be ranked tensor}}
  %0 = "mirage_kernel.constant"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
  return
}
