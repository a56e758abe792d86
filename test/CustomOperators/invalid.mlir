// What custom operators state is checked where it is needed: each constraint of
// a meaning is broken once. The verifier doesn't ask, so that every program is
// parsed.
// REQUIRES: operators
// RUN: mirage-opt %s --load-dialect-plugin=%test_operators --split-input-file \
// RUN:   --verify-diagnostics --mirage-expand-custom-operators

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'test.means' op is a custom operator on 'tensor<?xf32>', which is no tensor of floats of static shape with an element (meaning_c1)}}
  %0 = "test.means"(%x) {means = "operands"} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'test.means' op is a custom operator on 'tensor<4xi32>', which is no tensor of floats of static shape with an element (meaning_c1)}}
  "test.means"(%x) {means = "operands"} : (tensor<4xi32>) -> ()
  return
}

// -----

func.func @empty(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{on 'tensor<4x0xf32>', which is no tensor of floats of static shape with an element (meaning_c1)}}
  "test.means"(%x) {means = "operands"} : (tensor<4x0xf32>) -> ()
  return
}

// -----

func.func @scalar(%x: f32) {
  // expected-error @+1 {{'test.means' op is a custom operator on 'f32', which is no tensor of floats of static shape with an element (meaning_c1)}}
  "test.means"(%x) {means = "operands"} : (f32) -> ()
  return
}

// -----

func.func @terminator(%x: tensor<4xf32>) {
  // expected-error @+1 {{'test.end' op is a custom operator and a terminator (meaning_c1)}}
  "test.end"(%x) : (tensor<4xf32>) -> ()
}

// -----

func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op is a custom operator whose region reads values from outside, which a meaning cannot (meaning_c1)}}
  %0 = "test.means"(%x) ({
    "test.end"(%x) : (tensor<4xf32>) -> ()
  }) {means = "operands"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op states no meaning (meaning_c2)}}
  %0 = "test.means"(%x) {means = "nothing"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @refusal(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op states no meaning: 'test.means' op has a reason (meaning_c2)}}
  %0 = "test.means"(%x) {means = "refusal"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What MeaningBuilder refuses names the constraint of the table.
func.func @illegal_product(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error-re @+1 {{'test.means' op states no meaning: 'test.means' op means an illegal matmul: {{.*}} (matmul_c{{[0-9]}}) (meaning_c2)}}
  %0 = "test.means"(%x, %y) {means = "illegal product"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @arity(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{states no meaning: 'test.means' op means an illegal exp: has 2 operands, exp takes at least 1}}
  %0 = "test.means"(%x) {means = "two operands for one"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning of 2 values for 1 results (meaning_c3)}}
  %0 = "test.means"(%x, %x) {means = "operands"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @type(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @+1 {{'test.means' op has a meaning whose value 0 has type 'tensor<4xf32>' where the result has 'tensor<4xf16>' (meaning_c3)}}
  %0 = "test.means"(%x) {means = "operands"} : (tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @shape(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning whose value 0 has type 'tensor<4xf32>' where the result has 'tensor<1x4xf32>' (meaning_c3)}}
  %0 = "test.means"(%x) {means = "operands"} : (tensor<4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @other_dialect(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning of which 'arith.addf' is part, neither a compute operator of mirage_kernel nor a custom operator (meaning_c4)}}
  %0 = "test.means"(%x) {means = "arith"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @other_level(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning of which 'mirage_block.exp' is part, neither a compute operator of mirage_kernel nor a custom operator (meaning_c4)}}
  %0 = "test.means"(%x) {means = "block"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @illegal_row(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning with an illegal operator: 'mirage_kernel.exp' op result has shape 3, not 4 (op_c5) (meaning_c4)}}
  %0 = "test.means"(%x) {means = "illegal row"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning whose value 0 is neither an operand nor built by it (meaning_c5)}}
  %0 = "test.means"(%x) {means = "itself"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @null(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning whose value 0 is neither an operand nor built by it (meaning_c5)}}
  %0 = "test.means"(%x) {means = "null"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @own_result(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning that reads the operation's own results (meaning_c5)}}
  %0 = "test.means"(%x) {means = "own result"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @later(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning in which 'mirage_kernel.exp' reads what is neither an operand nor built before it (meaning_c5)}}
  %0 = "test.means"(%x) {means = "later"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @endless(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op has a meaning that uses custom operators in meanings of custom operators more than 16 deep, the last one 'test.means' (meaning_c6)}}
  %0 = "test.means"(%x) {means = "endless"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Fifteen steps of two each are within the depth.
func.func @tree(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error-re @+1 {{'test.means' op uses {{.*}}has a meaning of more than 10000 operators (meaning_c6)}}
  %0 = "test.means"(%x) {means = "tree", times = 15 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The operator of the program, and in whose meaning the fault is.
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'test.means' op uses 'test.means', which states no meaning (meaning_c2)}}
  %0 = "test.means"(%x) {means = "another without"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
