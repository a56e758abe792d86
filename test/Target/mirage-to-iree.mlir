// An optimized module for iree-compile: generic syntax, with PTX inside.

// RUN: mirage-translate --mirage-to-iree --allow-unregistered-dialect %s | FileCheck %s
// Nothing of Mirage is left, and no cluster is in a schedule that the lowering chooses.
// RUN: mirage-translate --mirage-to-iree --allow-unregistered-dialect %s | FileCheck %s --check-prefix=LEFT
// What is printed can be parsed.
// RUN: mirage-translate --mirage-to-iree --allow-unregistered-dialect %s | mlir-opt --allow-unregistered-dialect -o /dev/null

// LEFT-NOT: mirage.
// LEFT-NOT: mirage_
// LEFT-NOT: mlir.

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Executables come first, each with an object of its own. One that only has the kernels of a
// function like another one's is not the same.
// CHECK: "hal.executable.source"() <{objects = #hal.executable.objects<{#hal.executable.target<"cuda", "cuda-nvptx-fb"> = [#hal.executable.object<{path = "[[OUTLINED:mixed_launch_kernels]].ptx", data = dense<"0x{{[0-9A-F]+}}"> : vector<{{[0-9]+}}xi8>}>]}>, sym_name = "[[OUTLINED]]", sym_visibility = "private"}>
// CHECK: path = "alike_kernels.ptx"
// CHECK-SAME: sym_name = "alike_kernels", sym_visibility = "private"
// CHECK: sym_name = "alike_0_launch"
// CHECK: path = "scaled_kernels.ptx"
// CHECK: "hal.executable.export"() <{layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>, ordinal = 0 : index, sym_name = "scaled_0_launch", sym_visibility = "public", workgroup_local_memory = 512 : index, workgroup_size = [32 : index, 1 : index, 1 : index]}>
// CHECK-NEXT: ^bb0(%{{.*}}: !hal.device):
// CHECK-NEXT: %[[X:.*]] = "arith.constant"() <{value = 8 : index}>
// CHECK-NEXT: %[[Y:.*]] = "arith.constant"() <{value = 1 : index}>
// CHECK-NEXT: %[[Z:.*]] = "arith.constant"() <{value = 1 : index}>
// CHECK-NEXT: "hal.return"(%[[X]], %[[Y]], %[[Z]])
// CHECK: ordinal = 1 : index, sym_name = "scaled_1_launch"
// CHECK: "hal.executable.source_end"()

// The tensor between two kernels is a result of the first.
// CHECK: "func.func"() <{{.*}}sym_name = "scaled"
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<64x32xf16>):
// CHECK-NEXT: %[[T:.*]] = "flow.dispatch"(%[[X]]) <{entry_points = [@scaled_kernels::@scaled_0_launch], operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [-1 : index]}> : (tensor<64x32xf16>) -> tensor<64x32xf16>
// CHECK-NEXT: %[[R:.*]] = "flow.dispatch"(%[[T]]) <{entry_points = [@scaled_kernels::@scaled_1_launch], {{.*}}
// CHECK-NEXT: "func.return"(%[[R]])
func.func @scaled(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %a imap(x -> 0) {mirage.copy_way = #mirage<copy_way async>} : tensor<64x32xf16> to tensor<8x32xf16>
    %e = mirage_block.scale %t by 2.0 : (tensor<8x32xf16>) -> tensor<8x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  %z = mirage_kernel.relu %y : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %z : tensor<64x32xf16>
}

// CHECK: "func.func"() <{{.*}}sym_name = "alike"
// CHECK: entry_points = [@alike_kernels::@alike_0_launch]
func.func @alike(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x32xf16> to tensor<8x32xf16>
    %e = mirage_block.scale %t by 3.0 : (tensor<8x32xf16>) -> tensor<8x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  return %y : tensor<64x32xf16>
}

// Launches that write parts of one tensor: the first has it as a result, the second has it tied
// to an operand, and a launch of both parts is one dispatch with one binding.
// CHECK: "func.func"() <{{.*}}sym_name = "parts"
// CHECK: %[[FIRST:.*]] = "flow.dispatch"({{.*}}) <{{.*}}tied_operands = [-1 : index]}> : (tensor<8x32xf32>) -> tensor<8x64xf32>
// CHECK: %[[BOTH:.*]] = "flow.dispatch"({{.*}}, %[[FIRST]]) <{{.*}}operandSegmentSizes = array<i32: 0, 2, 0, 0>, tied_operands = [1 : index]}> : (tensor<8x32xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK: "func.return"(%[[BOTH]])
func.func @parts(%x: tensor<8x32xf32>) -> tensor<8x64xf32> {
  %a = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.exp %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %2 : tensor<8x32xf32>
  }
  %b = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.relu %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = mirage_block.store %1 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %2 : tensor<8x32xf32>
  }
  %c = mirage_kernel.concat dim(1) %a, %b : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

// CHECK: "func.func"() <{{.*}}sym_name = "halves"
// CHECK: "flow.dispatch"({{.*}}) <{{.*}}operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [-1 : index]}> : (tensor<8x32xf32>) -> tensor<8x64xf32>
// CHECK-NEXT: "func.return"
func.func @halves(%x: tensor<8x32xf32>) -> tensor<8x64xf32> {
  %r:2 = mirage_kernel.launch grid(x = 4) (%p = %x : tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = mirage_block.load %p imap(x -> 1) : tensor<8x32xf32> to tensor<8x8xf32>
    %1 = mirage_block.exp %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = mirage_block.store %0 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    %3 = mirage_block.store %1 omap(x -> 1) : tensor<8x8xf32> to tensor<8x32xf32>
    mirage_block.yield %2, %3 : tensor<8x32xf32>, tensor<8x32xf32>
  }
  %c = mirage_kernel.concat dim(1) %r#0, %r#1 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

// A weight stays a constant of the function and is bound to the kernel; a splat belongs to it.
// CHECK: "func.func"() <{{.*}}sym_name = "weights"
// CHECK: %[[W:.*]] = "arith.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}>
// CHECK-NEXT: %[[S:.*]] = "flow.dispatch"(%{{.*}}, %[[W]])
func.func @weights(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = mirage_kernel.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = mirage_kernel.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// Among other operations, an operator goes back to linalg, and a launch becomes a function.
// What nobody knows, and a resource, stay.
// CHECK: "func.func"() <{{.*}}sym_name = "mixed"
// CHECK: dense_resource<weight> : tensor<64x32xf16>
// CHECK: %[[A:.*]] = "linalg.{{.*}}
// CHECK: %[[B:.*]] = "func.call"(%{{.*}}) <{callee = @mixed_launch}>
// CHECK: %[[C:.*]] = "other.operation"(%[[B]]) {of = "someone"}
// CHECK: "func.call"(%[[C]]) <{callee = @scaled}>
func.func @mixed(%x: tensor<64x32xf16>, %n: tensor<4xi64>) -> (tensor<64x32xf16>, tensor<4xi64>) {
  %w = arith.constant dense_resource<weight> : tensor<64x32xf16>
  %a = mirage_kernel.mul %x, %w : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %b = mirage_kernel.launch grid(x = 8) (%p = %a : tensor<64x32xf16>) -> tensor<64x32xf16> {
    %t = mirage_block.load %p imap(x -> 0) : tensor<64x32xf16> to tensor<8x32xf16>
    %e = mirage_block.exp %t : (tensor<8x32xf16>) -> tensor<8x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }
  %c = "other.operation"(%b) {of = "someone"} : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %d = call @scaled(%c) : (tensor<64x32xf16>) -> tensor<64x32xf16>
  return %d, %n : tensor<64x32xf16>, tensor<4xi64>
}

// CHECK: "func.func"() <{{.*}}sym_name = "attention"
// CHECK: entry_points = [@attention_kernels::@attention_0_launch]
func.func @attention(%q: tensor<256x64xf16>, %k: tensor<1024x64xf16>, %v: tensor<1024x64xf16>) -> tensor<256x64xf16> {
  %0 = mirage_kernel.launch grid(x = 4) (%qa = %q : tensor<256x64xf16>, %ka = %k : tensor<1024x64xf16>, %va = %v : tensor<1024x64xf16>) -> tensor<256x64xf16> {
    %qt = mirage_block.load %qa imap(x -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<64x1xf32>, tensor<64x64xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<128x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
      %m = mirage_block.reduce max %s dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
      %e = mirage_block.exp %d : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<64x128xf32>) -> tensor<64x1xf32>
      %h = mirage_block.cast %e : tensor<64x128xf32> to tensor<64x128xf16>
      %o = mirage_block.matmul %h, %vt : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %la = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
      %oa = mirage_block.accumulate rescaled_sum %o shift %m : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
      mirage_block.yield %la, %oa : tensor<64x1xf32>, tensor<64x64xf32>
    }
    %r = mirage_block.div %f#1, %f#0 : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
    %c = mirage_block.cast %r : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> 0) : tensor<64x64xf16> to tensor<256x64xf16>
    mirage_block.yield %st : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}
}

{-#
  dialect_resources: {
    builtin: {
      weight: "0x040000000000"
    }
  }
#-}
