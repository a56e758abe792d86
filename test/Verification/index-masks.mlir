// Constants that count are indices, and their comparisons conditions on indices:
// blocks of rows need no columns that a causal mask hides from all of them. A
// mask is the same chosen or added.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=threads=1 -o /dev/null 2>/dev/null | FileCheck %s

// CHECK: @causal_in_blocks computes what @causal does: proved; in floating point
// CHECK-NOT: refused
// CHECK: @without_the_diagonal {{(may or may not|does not)}} compute
// CHECK: @added computes what @selected does: proved; in floating point
// CHECK-NOT: refused
// CHECK: @added_to_others {{(may or may not|does not)}} compute
func.func @causal(%a0: tensor<2x16x16xf32>) -> (tensor<2x16x16xf32>) {
  %v114 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x16x1xf32>
  %v115 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x1x16xf32>
  %v116 = mirage_kernel.compare ge %v114, %v115 : (tensor<1x16x1xf32>, tensor<1x1x16xf32>) -> tensor<1x16x16xf32>
  %v117 = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %v118 = mirage_kernel.select %v116, %a0, %v117 : (tensor<1x16x16xf32>, tensor<2x16x16xf32>, tensor<1x1x1xf32>) -> tensor<2x16x16xf32>
  %v119 = mirage_kernel.softmax %v118 dim(2) : (tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  return %v119 : tensor<2x16x16xf32>
}
func.func @causal_in_blocks(%a0: tensor<2x16x16xf32>) -> (tensor<2x16x16xf32>) attributes {mirage.equivalent_to = @causal} {
  %v120 = mirage_kernel.slice %a0[0, 0, 0] [2, 8, 8] [1, 1, 1] : (tensor<2x16x16xf32>) -> tensor<2x8x8xf32>
  %v121 = mirage_kernel.slice %a0[0, 8, 0] [2, 8, 16] [1, 1, 1] : (tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v122 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x8x1xf32>
  %v123 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x1x8xf32>
  %v124 = mirage_kernel.compare ge %v122, %v123 : (tensor<1x8x1xf32>, tensor<1x1x8xf32>) -> tensor<1x8x8xf32>
  %v125 = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %v126 = mirage_kernel.select %v124, %v120, %v125 : (tensor<1x8x8xf32>, tensor<2x8x8xf32>, tensor<1x1x1xf32>) -> tensor<2x8x8xf32>
  %v127 = mirage_kernel.softmax %v126 dim(2) : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %v128 = mirage_kernel.pad %v127 low [0, 0, 0] high [0, 0, 8] value(0.0) : (tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
  %v129 = mirage_kernel.constant dense<"0x0000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x8x1xf32>
  %v130 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x1x16xf32>
  %v131 = mirage_kernel.compare ge %v129, %v130 : (tensor<1x8x1xf32>, tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
  %v132 = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %v133 = mirage_kernel.select %v131, %v121, %v132 : (tensor<1x8x16xf32>, tensor<2x8x16xf32>, tensor<1x1x1xf32>) -> tensor<2x8x16xf32>
  %v134 = mirage_kernel.softmax %v133 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v135 = mirage_kernel.concat dim(1) %v128, %v134 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x16x16xf32>
  return %v135 : tensor<2x16x16xf32>
}
func.func @without_the_diagonal(%a0: tensor<2x16x16xf32>) -> (tensor<2x16x16xf32>) attributes {mirage.equivalent_to = @causal} {
  %v120 = mirage_kernel.slice %a0[0, 0, 0] [2, 8, 8] [1, 1, 1] : (tensor<2x16x16xf32>) -> tensor<2x8x8xf32>
  %v121 = mirage_kernel.slice %a0[0, 8, 0] [2, 8, 16] [1, 1, 1] : (tensor<2x16x16xf32>) -> tensor<2x8x16xf32>
  %v122 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x8x1xf32>
  %v123 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x1x8xf32>
  %v124 = mirage_kernel.compare ge %v122, %v123 : (tensor<1x8x1xf32>, tensor<1x1x8xf32>) -> tensor<1x8x8xf32>
  %v125 = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %v126 = mirage_kernel.select %v124, %v120, %v125 : (tensor<1x8x8xf32>, tensor<2x8x8xf32>, tensor<1x1x1xf32>) -> tensor<2x8x8xf32>
  %v127 = mirage_kernel.softmax %v126 dim(2) : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %v128 = mirage_kernel.pad %v127 low [0, 0, 0] high [0, 0, 8] value(0.0) : (tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
  %v129 = mirage_kernel.constant dense<"0x0000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x8x1xf32>
  %v130 = mirage_kernel.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041"> : tensor<1x1x16xf32>
  %v131 = mirage_kernel.compare gt %v129, %v130 : (tensor<1x8x1xf32>, tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
  %v132 = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %v133 = mirage_kernel.select %v131, %v121, %v132 : (tensor<1x8x16xf32>, tensor<2x8x16xf32>, tensor<1x1x1xf32>) -> tensor<2x8x16xf32>
  %v134 = mirage_kernel.softmax %v133 dim(2) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %v135 = mirage_kernel.concat dim(1) %v128, %v134 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x16x16xf32>
  return %v135 : tensor<2x16x16xf32>
}
func.func @selected(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = mirage_kernel.constant dense<[[0.0],[1.0],[2.0],[3.0],[4.0],[5.0],[6.0],[7.0]]> : tensor<8x1xf32>
  %c = mirage_kernel.constant dense<[[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0]]> : tensor<1x16xf32>
  %h = mirage_kernel.compare lt %r, %c : (tensor<8x1xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %i = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %s = mirage_kernel.select %h, %i, %x : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = mirage_kernel.softmax %s dim(1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
func.func @added(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @selected} {
  %r = mirage_kernel.constant dense<[[0.0],[1.0],[2.0],[3.0],[4.0],[5.0],[6.0],[7.0]]> : tensor<8x1xf32>
  %c = mirage_kernel.constant dense<[[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0]]> : tensor<1x16xf32>
  %h = mirage_kernel.compare lt %r, %c : (tensor<8x1xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %i = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %m = mirage_kernel.select %h, %i, %z : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.add %x, %m : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = mirage_kernel.softmax %s dim(1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
func.func @added_to_others(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @selected} {
  %r = mirage_kernel.constant dense<[[0.0],[1.0],[2.0],[3.0],[4.0],[5.0],[6.0],[7.0]]> : tensor<8x1xf32>
  %c = mirage_kernel.constant dense<[[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0]]> : tensor<1x16xf32>
  %h = mirage_kernel.compare lt %r, %c : (tensor<8x1xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %i = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %m = mirage_kernel.select %h, %z, %i : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.add %x, %m : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = mirage_kernel.softmax %s dim(1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
