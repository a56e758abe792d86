// What is said of refused pairs stands in attributes, too; the module is printed
// if the pass need not fail.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='annotate fail-on-refusal=false' -o %t.mlir > /dev/null 2>&1
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir -o /dev/null
// RUN: not mirage-opt %s --mirage-verify-equivalence=annotate -o /dev/null 2>/dev/null

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// CHECK: func.func @twice({{.*}}mirage.equivalence = {answer = "refuted", float64_index = array<i64: 0>, float64_inputs = "normal", float64_original_value = {{.*}}, float64_result = 0 : ui64, float64_value = {{.*}}, index = array<i64: 0>, modulus = {{[0-9]+}} : ui64, original = @f, original_value = {{[0-9]+}} : ui64, result = 0 : ui64, seed = 0 : ui64, test = 0 : ui64, value = {{[0-9]+}} : ui64}
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @f} {
  %0 = mirage_kernel.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func @lossy({{.*}}mirage.equivalence = {answer = "proved", {{.*}}unstable = "on normal inputs its error is {{.*}}"}
func.func @lossy(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @f} {
  %c = mirage_kernel.constant dense<1.6777216e9> : tensor<1xf32>
  %1 = mirage_kernel.add %x, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.sub %1, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func @unknown({{.*}}mirage.equivalence = {answer = "unknown", original = @f, reason = "{{.*}}"}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @f} {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
