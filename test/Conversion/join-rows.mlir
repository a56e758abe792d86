// Rows of several dimensions between two products, such as heads and queries, are rows of one where the products have
// one, so that exponentials and sums are relative to one shift.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-schedule-launches -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence='lhs=plain rhs=grouped' -o /dev/null | FileCheck %s --check-prefix=EQUAL
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence='lhs=plain_biased rhs=biased' -o /dev/null | FileCheck %s --check-prefix=EQUAL
// EQUAL: does: proved
// RUN: mirage-run %s --device=threads --entry=grouped | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=biased | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=one_head | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=maximum_of_heads | FileCheck %s --check-prefix=RESULT
// RESULT: bound 0: {{.*}} over_bound=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Four heads share their keys and values. The mask has no heads, and is added to rows of heads and queries. What follows
// has rows of both, so that iterations grow to 128 keys, products are deferred, and the scale is a part of the exponential.
// CHECK-LABEL: func.func @grouped
// CHECK: index_masks = true{{.*}}deferred_products = true
// CHECK: mirage_block.for %{{.*}} = 0 to 4 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>)
// CHECK: %[[PRODUCT:.*]] = mirage_block.matmul
// CHECK: %[[SPLIT:.*]] = mirage_block.reshape %[[PRODUCT]] : tensor<1x128x128xf32> to tensor<1x4x32x128xf32>
// CHECK: %[[MASKED:.*]] = mirage_block.add %[[SPLIT]]
// CHECK: %[[ROWS:.*]] = mirage_block.reshape %[[MASKED]] : tensor<1x4x32x128xf32> to tensor<1x128x128xf32>
// CHECK: %[[SCALED:.*]] = mirage_block.scale %[[ROWS]]
// CHECK: mirage_block.reduce max %[[SCALED]] dim(2) keep
// CHECK: %[[SHIFT:.*]] = mirage_block.max {{.*}} -> tensor<1x128x1xf32>
// CHECK: mirage_block.sub %[[SCALED]], %[[SHIFT]]
// CHECK: mirage_block.reduce sum %{{.*}} dim(2) keep
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT]] : (tensor<1x128x1xf32>
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT]] : (tensor<1x128x64xf32>
// CHECK: mirage_block.div
func.func @grouped(%q: tensor<1x4x512x64xf16>, %k: tensor<1x512x64xf16>, %v: tensor<1x512x64xf16>) -> tensor<1x4x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x1x512x512xf32>
  %o = mirage_kernel.launch grid(x = 1, y = 16) (%ql = %q : tensor<1x4x512x64xf16>, %kl = %k : tensor<1x512x64xf16>, %vl = %v : tensor<1x512x64xf16>, %ml = %mask : tensor<1x1x512x512xf32>) -> tensor<1x4x512x64xf16> {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 2) : tensor<1x4x512x64xf16> to tensor<1x4x32x64xf16>
    %qr = mirage_block.reshape %qt : tensor<1x4x32x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<1x4x32x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 2) fmap(%t -> 3) : tensor<1x1x512x512xf32> to tensor<1x1x32x32xf32>
      %s = mirage_block.matmul %qr, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x32x64xf16>) -> tensor<1x128x32xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x32xf32>) -> tensor<1x128x32xf32>
      %heads = mirage_block.reshape %scaled : tensor<1x128x32xf32> to tensor<1x4x32x32xf32>
      %masked = mirage_block.add %mt, %heads : (tensor<1x1x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
      %top = mirage_block.reduce max %masked dim(3) keep : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x4x32x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x32x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x4x32x32xf32>, tensor<1x4x32x1xf32>) -> tensor<1x4x32x32xf32>
      %p = mirage_block.exp %less : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
      %sum = mirage_block.reduce sum %p dim(3) keep : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x1xf32>
      %pr = mirage_block.reshape %p : tensor<1x4x32x32xf32> to tensor<1x128x32xf32>
      %ph = mirage_block.cast %pr : tensor<1x128x32xf32> to tensor<1x128x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x32xf16>, tensor<1x32x64xf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x4x32x1xf32>, tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
      %sr = mirage_block.reshape %shift : tensor<1x4x32x1xf32> to tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x4x32x1xf32>, tensor<1x128x64xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<1x4x32x1xf32> to tensor<1x128x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %yh = mirage_block.reshape %y : tensor<1x128x64xf32> to tensor<1x4x32x64xf32>
    %c = mirage_block.cast %yh : tensor<1x4x32x64xf32> to tensor<1x4x32x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<1x4x32x64xf16> to tensor<1x4x512x64xf16>
    mirage_block.yield %w : tensor<1x4x512x64xf16>
  }
  return %o : tensor<1x4x512x64xf16>
}

func.func @plain(%q: tensor<1x4x512x64xf16>, %k: tensor<1x512x64xf16>, %v: tensor<1x512x64xf16>) -> tensor<1x4x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x1x512x512xf32>
  %k1 = mirage_kernel.reshape %k : tensor<1x512x64xf16> to tensor<1x1x512x64xf16>
  %k4 = mirage_kernel.broadcast %k1 : tensor<1x1x512x64xf16> to tensor<1x4x512x64xf16>
  %v1 = mirage_kernel.reshape %v : tensor<1x512x64xf16> to tensor<1x1x512x64xf16>
  %v4 = mirage_kernel.broadcast %v1 : tensor<1x1x512x64xf16> to tensor<1x4x512x64xf16>
  %s = mirage_kernel.matmul %q, %k4 transpose_rhs : (tensor<1x4x512x64xf16>, tensor<1x4x512x64xf16>) -> tensor<1x4x512x512xf32>
  %scaled = mirage_kernel.scale %s by 0.125 : (tensor<1x4x512x512xf32>) -> tensor<1x4x512x512xf32>
  %masked = mirage_kernel.add %scaled, %mask : (tensor<1x4x512x512xf32>, tensor<1x1x512x512xf32>) -> tensor<1x4x512x512xf32>
  %p = mirage_kernel.softmax %masked dim(3) : (tensor<1x4x512x512xf32>) -> tensor<1x4x512x512xf32>
  %ph = mirage_kernel.cast %p : tensor<1x4x512x512xf32> to tensor<1x4x512x512xf16>
  %y = mirage_kernel.matmul %ph, %v4 : (tensor<1x4x512x512xf16>, tensor<1x4x512x64xf16>) -> tensor<1x4x512x64xf32>
  %c = mirage_kernel.cast %y : tensor<1x4x512x64xf32> to tensor<1x4x512x64xf16>
  return %c : tensor<1x4x512x64xf16>
}

// What is loaded keeps its rows, here a bias of heads and queries, and one of heads. What an operator has made of both has
// rows of one dimension, and so has what the loop accumulates. The logarithms of the sums are stored with heads.
// CHECK-LABEL: func.func @biased
// CHECK: mirage_block.for {{.*}} -> (tensor<64x1xf32>, tensor<64x32xf32>, tensor<64x1xf32>)
// CHECK: mirage_block.add %{{.*}}, %{{.*}} : (tensor<4x16x[[KEYS:[0-9]+]]xf32>, tensor<4x16x[[KEYS]]xf32>)
// CHECK: %[[SUM:.*]] = mirage_block.add %{{.*}}, %{{.*}} : (tensor<4x16x[[KEYS]]xf32>, tensor<4x1x1xf32>)
// CHECK: mirage_block.reshape %[[SUM]] : tensor<4x16x[[KEYS]]xf32> to tensor<64x[[KEYS]]xf32>
// CHECK: mirage_block.reduce max %{{.*}} dim(1) keep
// CHECK: %[[SHIFT:.*]] = mirage_block.max %{{.*}} : (tensor<64x1xf32>, tensor<1x1xf32>)
// CHECK: mirage_block.reduce sum %{{.*}} dim(1) keep
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT]] : (tensor<64x1xf32>
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT]] : (tensor<64x32xf32>
// CHECK: mirage_block.accumulate max %[[SHIFT]] : (tensor<64x1xf32>)
// CHECK: %[[LOG:.*]] = mirage_block.log %{{.*}} : (tensor<64x1xf32>)
// CHECK: %[[BOTH:.*]] = mirage_block.add %[[LOG]]
// CHECK: mirage_block.reshape %[[BOTH]] : tensor<64x1xf32> to tensor<4x16x1xf32>
func.func @biased(%q: tensor<4x16x32xf16>, %k: tensor<512x32xf16>, %v: tensor<512x32xf16>, %bias: tensor<4x16x512xf32>, %slope: tensor<4x1x1xf32>) -> (tensor<4x16x32xf32>, tensor<4x16x1xf32>) {
  %o:2 = mirage_kernel.launch grid(x = 1) (%ql = %q : tensor<4x16x32xf16>, %kl = %k : tensor<512x32xf16>, %vl = %v : tensor<512x32xf16>, %bl = %bias : tensor<4x16x512xf32>, %sl = %slope : tensor<4x1x1xf32>) -> (tensor<4x16x32xf32>, tensor<4x16x1xf32>) {
    %qt = mirage_block.load %ql imap(x -> phi) : tensor<4x16x32xf16> to tensor<4x16x32xf16>
    %st = mirage_block.load %sl imap(x -> phi) : tensor<4x1x1xf32> to tensor<4x1x1xf32>
    %qr = mirage_block.reshape %qt : tensor<4x16x32xf16> to tensor<64x32xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:3 = mirage_block.for %t = 0 to 16 -> (tensor<4x16x1xf32>, tensor<64x32xf32>, tensor<4x16x1xf32>) {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %bt = mirage_block.load %bl imap(x -> phi) fmap(%t -> 2) : tensor<4x16x512xf32> to tensor<4x16x32xf32>
      %s = mirage_block.matmul %qr, %kt transpose_rhs : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %heads = mirage_block.reshape %s : tensor<64x32xf32> to tensor<4x16x32xf32>
      %biased = mirage_block.add %heads, %bt : (tensor<4x16x32xf32>, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
      %sloped = mirage_block.add %biased, %st : (tensor<4x16x32xf32>, tensor<4x1x1xf32>) -> tensor<4x16x32xf32>
      %top = mirage_block.reduce max %sloped dim(2) keep : (tensor<4x16x32xf32>) -> tensor<4x16x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<4x16x1xf32>, tensor<1x1x1xf32>) -> tensor<4x16x1xf32>
      %less = mirage_block.sub %sloped, %shift : (tensor<4x16x32xf32>, tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
      %p = mirage_block.exp %less : (tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<4x16x32xf32>) -> tensor<4x16x1xf32>
      %ph = mirage_block.cast %p : tensor<4x16x32xf32> to tensor<4x16x32xf16>
      %pr = mirage_block.reshape %ph : tensor<4x16x32xf16> to tensor<64x32xf16>
      %pv = mirage_block.matmul %pr, %vt : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
      %sr = mirage_block.reshape %shift : tensor<4x16x1xf32> to tensor<64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
      %m = mirage_block.accumulate max %shift : (tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
      mirage_block.yield %a, %b, %m : tensor<4x16x1xf32>, tensor<64x32xf32>, tensor<4x16x1xf32>
    }
    %yh = mirage_block.reshape %r#1 : tensor<64x32xf32> to tensor<4x16x32xf32>
    %y = mirage_block.div %yh, %r#0 : (tensor<4x16x32xf32>, tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %log = mirage_block.log %r#0 : (tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %lse = mirage_block.add %log, %r#2 : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %w = mirage_block.store %y omap(x -> phi) : tensor<4x16x32xf32> to tensor<4x16x32xf32>
    %wl = mirage_block.store %lse omap(x -> phi) : tensor<4x16x1xf32> to tensor<4x16x1xf32>
    mirage_block.yield %w, %wl : tensor<4x16x32xf32>, tensor<4x16x1xf32>
  }
  return %o#0, %o#1 : tensor<4x16x32xf32>, tensor<4x16x1xf32>
}

func.func @plain_biased(%q: tensor<4x16x32xf16>, %k: tensor<512x32xf16>, %v: tensor<512x32xf16>, %bias: tensor<4x16x512xf32>, %slope: tensor<4x1x1xf32>) -> (tensor<4x16x32xf32>, tensor<4x16x1xf32>) {
  %k1 = mirage_kernel.reshape %k : tensor<512x32xf16> to tensor<1x512x32xf16>
  %k4 = mirage_kernel.broadcast %k1 : tensor<1x512x32xf16> to tensor<4x512x32xf16>
  %v1 = mirage_kernel.reshape %v : tensor<512x32xf16> to tensor<1x512x32xf16>
  %v4 = mirage_kernel.broadcast %v1 : tensor<1x512x32xf16> to tensor<4x512x32xf16>
  %s = mirage_kernel.matmul %q, %k4 transpose_rhs : (tensor<4x16x32xf16>, tensor<4x512x32xf16>) -> tensor<4x16x512xf32>
  %biased = mirage_kernel.add %s, %bias : (tensor<4x16x512xf32>, tensor<4x16x512xf32>) -> tensor<4x16x512xf32>
  %sloped = mirage_kernel.add %biased, %slope : (tensor<4x16x512xf32>, tensor<4x1x1xf32>) -> tensor<4x16x512xf32>
  %m = mirage_kernel.reduce max %sloped dim(2) keep : (tensor<4x16x512xf32>) -> tensor<4x16x1xf32>
  %d = mirage_kernel.sub %sloped, %m : (tensor<4x16x512xf32>, tensor<4x16x1xf32>) -> tensor<4x16x512xf32>
  %e = mirage_kernel.exp %d : (tensor<4x16x512xf32>) -> tensor<4x16x512xf32>
  %l = mirage_kernel.reduce sum %e dim(2) keep : (tensor<4x16x512xf32>) -> tensor<4x16x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<4x16x512xf32>, tensor<4x16x1xf32>) -> tensor<4x16x512xf32>
  %h = mirage_kernel.cast %p : tensor<4x16x512xf32> to tensor<4x16x512xf16>
  %y = mirage_kernel.matmul %h, %v4 : (tensor<4x16x512xf16>, tensor<4x512x32xf16>) -> tensor<4x16x32xf32>
  %log = mirage_kernel.log %l : (tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
  %lse = mirage_kernel.add %log, %m : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
  return %y, %lse : tensor<4x16x32xf32>, tensor<4x16x1xf32>
}

// The rows have a dimension of one element more than those of the product, as where each head has blocks of its own.
// CHECK-LABEL: func.func @one_head
// CHECK: mirage_block.for {{.*}} -> (tensor<64x1xf32>, tensor<64x32xf32>)
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT:.*]] : (tensor<64x1xf32>
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %[[SHIFT]] : (tensor<64x32xf32>
func.func @one_head(%q: tensor<64x32xf16>, %k: tensor<512x32xf16>, %v: tensor<512x32xf16>, %bias: tensor<1x64x512xf32>) -> tensor<64x32xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%ql = %q : tensor<64x32xf16>, %kl = %k : tensor<512x32xf16>, %vl = %v : tensor<512x32xf16>, %bl = %bias : tensor<1x64x512xf32>) -> tensor<64x32xf32> {
    %qt = mirage_block.load %ql imap(x -> phi) : tensor<64x32xf16> to tensor<64x32xf16>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<1x64x1xf32>, tensor<64x32xf32>) {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %bt = mirage_block.load %bl imap(x -> phi) fmap(%t -> 2) : tensor<1x64x512xf32> to tensor<1x64x32xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %heads = mirage_block.reshape %s : tensor<64x32xf32> to tensor<1x64x32xf32>
      %biased = mirage_block.add %heads, %bt : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %shift = mirage_block.reduce max %biased dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %biased, %shift : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
      %p = mirage_block.exp %less : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %pr = mirage_block.reshape %p : tensor<1x64x32xf32> to tensor<64x32xf32>
      %ph = mirage_block.cast %pr : tensor<64x32xf32> to tensor<64x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %sr = mirage_block.reshape %shift : tensor<1x64x1xf32> to tensor<64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<64x32xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<1x64x1xf32> to tensor<64x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
    %w = mirage_block.store %y omap(x -> phi) : tensor<64x32xf32> to tensor<64x32xf32>
    mirage_block.yield %w : tensor<64x32xf32>
  }
  return %o : tensor<64x32xf32>
}

// A maximum of all queries of a head is of no use to rows of one dimension, and the rows stay as they are.
// CHECK-LABEL: func.func @maximum_of_heads
// CHECK: mirage_block.for {{.*}} -> (tensor<4x16x1xf32>, tensor<64x32xf32>)
// CHECK: mirage_block.reduce max %{{.*}} dim(1) keep
// CHECK: mirage_block.broadcast
// CHECK: mirage_block.accumulate rescaled_sum %{{.*}} shift %{{.*}} : (tensor<4x16x1xf32>
func.func @maximum_of_heads(%q: tensor<4x16x32xf16>, %k: tensor<512x32xf16>, %v: tensor<512x32xf16>) -> tensor<64x32xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%ql = %q : tensor<4x16x32xf16>, %kl = %k : tensor<512x32xf16>, %vl = %v : tensor<512x32xf16>) -> tensor<64x32xf32> {
    %qt = mirage_block.load %ql imap(x -> phi) : tensor<4x16x32xf16> to tensor<4x16x32xf16>
    %qr = mirage_block.reshape %qt : tensor<4x16x32xf16> to tensor<64x32xf16>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<4x16x1xf32>, tensor<64x32xf32>) {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%t -> 0) : tensor<512x32xf16> to tensor<32x32xf16>
      %s = mirage_block.matmul %qr, %kt transpose_rhs : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %heads = mirage_block.reshape %s : tensor<64x32xf32> to tensor<4x16x32xf32>
      %top = mirage_block.reduce max %heads dim(2) keep : (tensor<4x16x32xf32>) -> tensor<4x16x1xf32>
      %all = mirage_block.reduce max %top dim(1) keep : (tensor<4x16x1xf32>) -> tensor<4x1x1xf32>
      %shift = mirage_block.broadcast %all : tensor<4x1x1xf32> to tensor<4x16x1xf32>
      %less = mirage_block.sub %heads, %shift : (tensor<4x16x32xf32>, tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
      %p = mirage_block.exp %less : (tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<4x16x32xf32>) -> tensor<4x16x1xf32>
      %pr = mirage_block.reshape %p : tensor<4x16x32xf32> to tensor<64x32xf32>
      %ph = mirage_block.cast %pr : tensor<64x32xf32> to tensor<64x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<64x32xf16>, tensor<32x32xf16>) -> tensor<64x32xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
      %sr = mirage_block.reshape %shift : tensor<4x16x1xf32> to tensor<64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
      mirage_block.yield %a, %b : tensor<4x16x1xf32>, tensor<64x32xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<4x16x1xf32> to tensor<64x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
    %w = mirage_block.store %y omap(x -> phi) : tensor<64x32xf32> to tensor<64x32xf32>
    mirage_block.yield %w : tensor<64x32xf32>
  }
  return %o : tensor<64x32xf32>
}
}
