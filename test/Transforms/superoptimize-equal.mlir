// Functions with equal µGraphs share one search, whatever their names, arguments'
// names and locations. Here are five functions and two searches: @scaled_otherwise
// has another constant.

// DEFINE: %{options} = kernels=1 max-block-operators=4 best=1 pieces=false
// DEFINE: %{run} = mirage-opt %s --mirage-superoptimize
// RUN: rm -f %t.state
// RUN: %{run}='%{options} stats=%t.json resume=%t.state' -o %t \
// RUN:   --remarks-filter='mirage-superoptimize.*' --remark-policy=all 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s --check-prefix=SEARCHES < %t.remarks
// RUN: FileCheck %s --check-prefix=STATE < %t.state

// With one function alone the search finds what the others got.
// RUN: %{run}='%{options} function=fourth' | FileCheck %s --check-prefix=ALONE
// ALONE: func.func @fourth({{.*}}mirage.superoptimized = {{[{]}}[[NOTE:[^}]*]], verdict = "proved"}
// ALONE: mirage_kernel.launch
// CHECK: func.func @first({{.*}}mirage.superoptimized = {{[{]}}[[NOTE:[^}]*]], verdict = "proved"}
// CHECK: mirage_kernel.launch grid([[GRID:.*]])
// CHECK: func.func @scaled_otherwise({{.*}} verdict = "proved"}
// CHECK: mirage_kernel.launch
// CHECK: func.func @second({{.*}}mirage.superoptimized = {{[{]}}[[NOTE]], verdict = "proved"}
// CHECK: mirage_kernel.launch grid([[GRID]])
// CHECK: func.func private @third({{.*}}mirage.superoptimized = {{[{]}}[[NOTE]], verdict = "proved"}
// CHECK: mirage_kernel.launch grid([[GRID]])
// CHECK: func.func @fourth({{.*}}mirage.superoptimized = {{[{]}}[[NOTE]], verdict = "proved"}
// CHECK: mirage_kernel.launch grid([[GRID]])

// Every function has an entry in the order of the module, and counts stand where
// the search was.
// JSON: "function": "first",
// JSON: "states": {{[1-9]}}
// JSON: "function": "scaled_otherwise",
// JSON: "states": {{[1-9]}}
// JSON: "equal_to": "first",
// JSON-NEXT: "function": "second",
// JSON-NEXT: "fused_microseconds": {{.*}},
// JSON-NEXT: "model": "mirage",
// JSON-NEXT: "original_microseconds": {{.*}},
// JSON-NEXT: "verdict": "proved",
// JSON-NEXT: "was_cut": false
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "equal_to": "first",
// JSON-NEXT: "function": "third",
// JSON: "equal_to": "first",
// JSON-NEXT: "function": "fourth",
// JSON-NOT: "states"

// SEARCHES-COUNT-2: [Analysis] generated
// SEARCHES-NOT: [Analysis] generated
// REMARK: [Passed] replaced {{.*}}Function=second {{.*}}; proved. {{.*}}. It is equal to @first, whose search it shares."
// REMARK: [Passed] replaced {{.*}}Function=third {{.*}}; proved. {{.*}}. It is equal to @first, whose search it shares."
// REMARK: [Passed] replaced {{.*}}Function=fourth {{.*}}; proved. {{.*}}. It is equal to @first, whose search it shares."

// STATE: "first":
// STATE-NOT: "second":
// STATE: "scaled_otherwise":

// The table on stderr says the same.
// RUN: %{run}='%{options} stats=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: @first
// TABLE-NEXT: generated
// TABLE: @second is equal to @first, whose search it shares
// TABLE-NEXT: @third is equal to @first, whose search it shares
// TABLE-NEXT: @fourth is equal to @first, whose search it shares
// TABLE-NEXT: @scaled_otherwise
// TABLE-NEXT: generated

// Where the search takes neither, none is searched for.
// RUN: mirage-opt %S/Inputs/equal-unsupported.mlir --mirage-superoptimize \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// REFUSED: func.func @a({{.*}}mirage.superoptimized = {{[{]}}reason = "[[REASON:.*conv2d[^"]*]]", verdict = "unsupported"}
// REFUSED: func.func @b({{.*}}mirage.superoptimized = {{[{]}}reason = "[[REASON]]", verdict = "unsupported"}

func.func @first(%x: tensor<8x512xf16>, %w: tensor<512x256xf16>)
    -> tensor<8x256xf16> attributes {mirage.superoptimize} {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf16>
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16>
  %m = mirage_kernel.mul %a, %c : (tensor<8x256xf16>, tensor<1x1xf16>) -> tensor<8x256xf16>
  return %m : tensor<8x256xf16>
}
func.func @scaled_otherwise(%x: tensor<8x512xf16>, %w: tensor<512x256xf16>)
    -> tensor<8x256xf16> attributes {mirage.superoptimize} {
  %c = mirage_kernel.constant dense<0.25> : tensor<1x1xf16>
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16>
  %m = mirage_kernel.mul %a, %c : (tensor<8x256xf16>, tensor<1x1xf16>) -> tensor<8x256xf16>
  return %m : tensor<8x256xf16>
}
func.func @second(%y: tensor<8x512xf16>, %w: tensor<512x256xf16>)
    -> tensor<8x256xf16> attributes {mirage.superoptimize} {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf16>
  %a = mirage_kernel.matmul %y, %w : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16>
  %m = mirage_kernel.mul %a, %c : (tensor<8x256xf16>, tensor<1x1xf16>) -> tensor<8x256xf16>
  return %m : tensor<8x256xf16>
}
func.func private @third(%x: tensor<8x512xf16> {test.name = "x"}, %w: tensor<512x256xf16>)
    -> tensor<8x256xf16> attributes {mirage.superoptimize} {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf16>
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16>
  %m = mirage_kernel.mul %a, %c : (tensor<8x256xf16>, tensor<1x1xf16>) -> tensor<8x256xf16>
  return %m : tensor<8x256xf16>
}
func.func @fourth(%x: tensor<8x512xf16>, %w: tensor<512x256xf16>)
    -> tensor<8x256xf16> attributes {mirage.superoptimize} {
  %c = mirage_kernel.constant dense<0.5> : tensor<1x1xf16>
  %a = mirage_kernel.matmul %x, %w : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16>
  %m = mirage_kernel.mul %a, %c : (tensor<8x256xf16>, tensor<1x1xf16>) -> tensor<8x256xf16>
  return %m : tensor<8x256xf16>
}
