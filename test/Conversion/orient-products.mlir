// Where a product takes what another one has made transposed, as its left operand, rows and columns are exchanged, so that
// it stays in registers.

// RUN: mirage-opt %s --mirage-schedule-launches | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=scores | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=masked | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=twice | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=transposed | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=warpgroup | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=one | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=straight | FileCheck %s --check-prefix=RESULT
// RESULT: bound 0: {{.*}} over_bound=0 unbounded=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Scores of keys by queries.
// CHECK-LABEL: @scores
// CHECK: mirage_block.matmul %{{.*}}, %{{.*}} transpose_rhs : (tensor<64x64xf16>, tensor<[[KEYS:[0-9]+]]x64xf16>) -> tensor<64x[[KEYS]]xf32>
// CHECK: mirage_block.reduce max %{{.*}} dim(1) keep
// CHECK: mirage_block.reduce sum %{{.*}} dim(1) keep
// CHECK-NOT: transpose_lhs
// CHECK-NOT: reshape
// CHECK: mirage_block.store
func.func @scores(%q: tensor<128x64xf16>, %k: tensor<512x64xf16>, %v: tensor<512x64xf16>) -> tensor<128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2) (%qa = %q : tensor<128x64xf16>, %ka = %k : tensor<512x64xf16>,
      %va = %v : tensor<512x64xf16>) -> tensor<128x64xf16> {
    %x = mirage_block.load %qa imap(x -> 0) : tensor<128x64xf16> to tensor<64x64xf16>
    %sum, %out = mirage_block.for %i = 0 to 4 -> (tensor<1x64xf32>, tensor<64x64xf32>) {
      %y = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<512x64xf16> to tensor<128x64xf16>
      %z = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<512x64xf16> to tensor<128x64xf16>
      %s = mirage_block.matmul %y, %x transpose_rhs : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf32>
      %half = mirage_block.constant dense<0.125> : tensor<128x64xf32>
      %t = mirage_block.mul %s, %half : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %m = mirage_block.reduce max %t dim(0) keep : (tensor<128x64xf32>) -> tensor<1x64xf32>
      %d = mirage_block.sub %t, %m : (tensor<128x64xf32>, tensor<1x64xf32>) -> tensor<128x64xf32>
      %e = mirage_block.exp %d : (tensor<128x64xf32>) -> tensor<128x64xf32>
      %l = mirage_block.reduce sum %e dim(0) keep : (tensor<128x64xf32>) -> tensor<1x64xf32>
      %h = mirage_block.cast %e : tensor<128x64xf32> to tensor<128x64xf16>
      %p = mirage_block.matmul %h, %z transpose_lhs : (tensor<128x64xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
      %mr = mirage_block.reshape %m : tensor<1x64xf32> to tensor<64x1xf32>
      %a = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %mr : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64xf32>, tensor<64x64xf32>
    }
    %c = mirage_block.reshape %sum : tensor<1x64xf32> to tensor<64x1xf32>
    %r = mirage_block.div %out, %c : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
    %g = mirage_block.cast %r : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %g omap(x -> 0) : tensor<64x64xf16> to tensor<128x64xf16>
    mirage_block.yield %w : tensor<128x64xf16>
  }
  return %o : tensor<128x64xf16>
}

// What is loaded cannot be exchanged.
// CHECK-LABEL: @masked
// CHECK: transpose_lhs
func.func @masked(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %m: tensor<64x64xf32>, %v: tensor<64x16xf16>) -> tensor<64x16xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x32xf16>, %ba = %b : tensor<32x64xf16>, %ma = %m : tensor<64x64xf32>, %va = %v : tensor<64x16xf16>) -> tensor<64x16xf32> {
    %x = mirage_block.load %aa imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %y = mirage_block.load %ba imap(x -> phi) : tensor<32x64xf16> to tensor<32x64xf16>
    %z = mirage_block.load %ma imap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    %u = mirage_block.load %va imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %s = mirage_block.matmul %x, %y : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf32>
    %t = mirage_block.add %s, %z : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %h = mirage_block.cast %t : tensor<64x64xf32> to tensor<64x64xf16>
    %p = mirage_block.matmul %h, %u transpose_lhs : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %w = mirage_block.store %p omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %w : tensor<64x16xf32>
  }
  return %o : tensor<64x16xf32>
}

// Two products that are added are exchanged together; each takes its operands as before, in the other order.
// CHECK-LABEL: @twice
// CHECK: mirage_block.matmul %[[Y:.*]], %[[X:.*]] transpose_lhs transpose_rhs
// CHECK: mirage_block.matmul %[[X]], %[[Y]] :
// CHECK: mirage_block.add
// CHECK-NOT: transpose_lhs
// CHECK: return
func.func @twice(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %v: tensor<64x16xf16>) -> tensor<64x16xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x64xf16>, %ba = %b : tensor<64x64xf16>, %va = %v : tensor<64x16xf16>) -> tensor<64x16xf32> {
    %x = mirage_block.load %aa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %y = mirage_block.load %ba imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %u = mirage_block.load %va imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %s = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
    %r = mirage_block.matmul %y, %x transpose_lhs transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
    %t = mirage_block.add %s, %r : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %h = mirage_block.cast %t : tensor<64x64xf32> to tensor<64x64xf16>
    %p = mirage_block.matmul %h, %u transpose_lhs : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %w = mirage_block.store %p omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %w : tensor<64x16xf32>
  }
  return %o : tensor<64x16xf32>
}

// A transpose goes where the dimensions are exchanged.
// CHECK-LABEL: @transposed
// CHECK-NOT: mirage_block.transpose
// CHECK: return
func.func @transposed(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> (tensor<64x16xf32>) {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x32xf16>, %ba = %b : tensor<32x64xf16>, %va = %v : tensor<64x16xf16>) -> tensor<64x16xf32> {
    %x = mirage_block.load %aa imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %y = mirage_block.load %ba imap(x -> phi) : tensor<32x64xf16> to tensor<32x64xf16>
    %u = mirage_block.load %va imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %s = mirage_block.matmul %x, %y : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf32>
    %h = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %ht = mirage_block.transpose %h [1, 0] : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %p = mirage_block.matmul %h, %u transpose_lhs : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %p2 = mirage_block.matmul %ht, %u : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %q = mirage_block.sub %p, %p2 : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %w = mirage_block.store %q omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %w : tensor<64x16xf32>
  }
  return %o : tensor<64x16xf32>
}

// One product takes the result as it is, another one transposed: nothing would be won.
// CHECK-LABEL: @straight
// CHECK: mirage_block.matmul %{{.*}}, %{{.*}} transpose_lhs : (tensor<64x64xf16>
func.func @straight(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> tensor<64x16xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x32xf16>, %ba = %b : tensor<32x64xf16>, %va = %v : tensor<64x16xf16>) -> tensor<64x16xf32> {
    %x = mirage_block.load %aa imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %y = mirage_block.load %ba imap(x -> phi) : tensor<32x64xf16> to tensor<32x64xf16>
    %u = mirage_block.load %va imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %s = mirage_block.matmul %x, %y : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf32>
    %h = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %p = mirage_block.matmul %h, %u transpose_lhs : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %p2 = mirage_block.matmul %h, %u : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf32>
    %q = mirage_block.sub %p, %p2 : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %w = mirage_block.store %q omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %w : tensor<64x16xf32>
  }
  return %o : tensor<64x16xf32>
}

// Maxima and sums of one query have one element.
// CHECK-LABEL: @one
// CHECK: mirage_block.matmul %{{.*}}, %{{.*}} transpose_lhs transpose_rhs : (tensor<64x1xf16>,
// CHECK: mirage_block.reduce max %{{.*}} dim(1) keep : (tensor<1x{{[0-9]+}}xf32>) -> tensor<1x1xf32>
// CHECK-NOT: transpose_lhs
// CHECK: return
func.func @one(%q: tensor<64x1xf16>, %k: tensor<192x64xf16>, %v: tensor<192x64xf16>) -> tensor<1x64xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%qa = %q : tensor<64x1xf16>, %ka = %k : tensor<192x64xf16>,
      %va = %v : tensor<192x64xf16>) -> tensor<1x64xf32> {
    %x = mirage_block.load %qa imap(x -> phi) : tensor<64x1xf16> to tensor<64x1xf16>
    %sum, %out = mirage_block.for %i = 0 to 4 -> (tensor<1x1xf32>, tensor<1x64xf32>) {
      %y = mirage_block.load %ka imap(x -> phi) fmap(%i -> 0) : tensor<192x64xf16> to tensor<48x64xf16>
      %z = mirage_block.load %va imap(x -> phi) fmap(%i -> 0) : tensor<192x64xf16> to tensor<48x64xf16>
      %s = mirage_block.matmul %y, %x : (tensor<48x64xf16>, tensor<64x1xf16>) -> tensor<48x1xf32>
      %m = mirage_block.reduce max %s dim(0) keep : (tensor<48x1xf32>) -> tensor<1x1xf32>
      %d = mirage_block.sub %s, %m : (tensor<48x1xf32>, tensor<1x1xf32>) -> tensor<48x1xf32>
      %e = mirage_block.exp %d : (tensor<48x1xf32>) -> tensor<48x1xf32>
      %l = mirage_block.reduce sum %e dim(0) keep : (tensor<48x1xf32>) -> tensor<1x1xf32>
      %h = mirage_block.cast %e : tensor<48x1xf32> to tensor<48x1xf16>
      %p = mirage_block.matmul %h, %z transpose_lhs : (tensor<48x1xf16>, tensor<48x64xf16>) -> tensor<1x64xf32>
      %a = mirage_block.accumulate rescaled_sum %l shift %m : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
      %b = mirage_block.accumulate rescaled_sum %p shift %m : (tensor<1x64xf32>, tensor<1x1xf32>) -> tensor<1x64xf32>
      mirage_block.yield %a, %b : tensor<1x1xf32>, tensor<1x64xf32>
    }
    %r = mirage_block.div %out, %sum : (tensor<1x64xf32>, tensor<1x1xf32>) -> tensor<1x64xf32>
    %w = mirage_block.store %r omap(x -> phi) : tensor<1x64xf32> to tensor<1x64xf32>
    mirage_block.yield %w : tensor<1x64xf32>
  }
  return %o : tensor<1x64xf32>
}

// 64 rows fill a warpgroup, and 32 do not.
// CHECK-LABEL: @warpgroup
// CHECK: mirage_block.matmul %{{.*}}, %{{.*}} transpose_lhs : (tensor<64x32xf16>
func.func @warpgroup(%a: tensor<64x64xf16>, %b: tensor<64x32xf16>, %v: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x64xf16>, %ba = %b : tensor<64x32xf16>, %va = %v : tensor<64x16xf16>) -> tensor<32x16xf32> {
    %x = mirage_block.load %aa imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %y = mirage_block.load %ba imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %u = mirage_block.load %va imap(x -> phi) : tensor<64x16xf16> to tensor<64x16xf16>
    %s = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf32>
    %h = mirage_block.cast %s : tensor<64x32xf32> to tensor<64x32xf16>
    %p = mirage_block.matmul %h, %u transpose_lhs : (tensor<64x32xf16>, tensor<64x16xf16>) -> tensor<32x16xf32>
    %w = mirage_block.store %p omap(x -> phi) : tensor<32x16xf32> to tensor<32x16xf32>
    mirage_block.yield %w : tensor<32x16xf32>
  }
  return %o : tensor<32x16xf32>
}

}
